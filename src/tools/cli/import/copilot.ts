import { own } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { partsOf, patternOf, splitWords } from './command-pattern.ts';
import {
  ImportDraft,
  type ImportedDecision,
  type ImportedSubject,
  type Importer,
  type ImportSource,
} from './imported.ts';
import { type PlacedValue, placeAt, readPlacedJson } from './places.ts';

const SHELLS = 'bash|powershell|Bash';
const READS = 'view|Read|show_file';
const WRITES = 'create|edit|str_replace_editor|apply_patch|Write|Edit';
const OTHER_TOOLS = ['web_fetch', 'web_search', 'task', 'view', 'create', 'edit', 'bash', 'grep', 'glob'];

/** Flags of `copilot`, as a command line or lines of one, and its files in JSON. */
export const copilot: Importer = {
  name: 'copilot',
  title: 'Copilot CLI',
  file: '.github/copilot/settings.json',
  order: 'strictest',
  tools: { shell: SHELLS, read: READS, write: WRITES, fetch: 'web_fetch|WebFetch' },
  read: (source) => (/^\s*[{/]/.test(source.text) ? readSettings(source) : readFlags(source)),
};

/** The decision of a key or a flag, by its name without marks. */
const LISTS: Readonly<Record<string, readonly [ImportedDecision, 'tool' | 'url']>> = {
  allow: ['allow', 'tool'],
  allowtool: ['allow', 'tool'],
  allowedtool: ['allow', 'tool'],
  deny: ['deny', 'tool'],
  denytool: ['deny', 'tool'],
  deniedtool: ['deny', 'tool'],
  excludedtool: ['deny', 'tool'],
  disabledtool: ['deny', 'tool'],
  allowurl: ['allow', 'url'],
  allowedurl: ['allow', 'url'],
  denyurl: ['deny', 'url'],
  deniedurl: ['deny', 'url'],
};

/** Keys about permissions that are no list of them. */
const OTHERS =
  /^(?:trustedfolder|trusteddirectory|allowall.*|yolo|adddir|allowedpath|disallowtempdir|disableallhook|alloweddirectory)$/;

function listOf(name: string): readonly [ImportedDecision, 'tool' | 'url'] | undefined {
  return own(LISTS, plainName(name));
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
}

function readSettings(source: ImportSource): ImportDraft {
  const into = new ImportDraft();
  const walk = (placed: PlacedValue) => {
    for (const { key, position, item } of placed.entries) {
      const list = listOf(key);
      if (list !== undefined && (item.items.length > 0 || typeof item.value === 'string'))
        for (const each of item.items.length > 0 ? item.items : [item])
          addRule(list, String(each.value), each.position, into);
      else if (plainName(key) === AVAILABLE)
        addAvailable(
          item.items.map(({ value }) => String(value)),
          position,
          into,
        );
      else if (key === 'locations') addApprovals(item, into);
      else if (OTHERS.test(plainName(key)))
        into.find('lost', position, `"${key}": it is no rule about calls`);
      else if (['permissions', 'tools', 'urls'].includes(key)) walk(item);
    }
  };
  walk(readPlacedJson(source));
  return into;
}

const AVAILABLE = 'availabletool';

/** Takes a list of available tools for a refusal of all others. */
function addAvailable(names: readonly string[], position: Position, into: ImportDraft): void {
  const without = names.flatMap((name) => {
    const subject = subjectOf(name);
    if (typeof subject === 'string') return [name];
    return subject.kind === 'tool' ? subject.names : subject.kind === 'command' ? SHELLS.split('|') : [];
  });
  const text = `every tool but ${names.join(', ')}`;
  into.take('deny', text, position, { kind: 'tool', names: ['*'], without });
}

/** The file of approvals that people gave: by folder, kinds with their names. */
function addApprovals(locations: PlacedValue, into: ImportDraft): void {
  for (const { key: folder, item } of locations.entries)
    for (const { key, position, item: list } of item.entries) {
      if (key !== 'tool_approvals') {
        into.find('lost', position, `"${key}" of ${folder}: it is no rule about calls`);
        continue;
      }
      for (const each of list.items) {
        const approval = Object.fromEntries(each.entries.map((entry) => [entry.key, entry.item]));
        const kind = String(approval['kind']?.value);
        const names = approval['commandIdentifiers']?.items.map(({ value }) => `shell(${String(value)}:*)`);
        const server = approval['serverName']?.value;
        const tool = approval['toolName']?.value;
        const texts =
          kind === 'commands'
            ? (names ?? [])
            : kind === 'mcp'
              ? [typeof tool === 'string' ? `${String(server)}(${tool})` : String(server)]
              : ['read', 'write'].includes(kind)
                ? [kind]
                : [];
        for (const text of texts) addRule(['allow', 'tool'], text, each.position, into);
        if (texts.length === 0) into.find('lost', each.position, `allow ${kind}: no tool of hooks is it`);
      }
    }
}

function readFlags(source: ImportSource): ImportDraft {
  const into = new ImportDraft();
  const words = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\\n|\\.|[^\s'"\\]|['"\\])+/g;
  const found = [
    ...source.text.replace(/^\s*#.*$/gm, (line) => ' '.repeat(line.length)).matchAll(words),
  ].filter(([word]) => word !== '\\\n');
  for (let at = 0; at < found.length; at++) {
    const [written = ''] = found[at] ?? [];
    const [word = ''] = splitWords(written);
    if (!word.startsWith('--')) continue;
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const list = listOf(name);
    const isAvailable = plainName(name) === AVAILABLE;
    const position = placeAt(source, found[at]?.index ?? 0, written.length);
    if (list === undefined && !isAvailable) {
      if (/allowall|yolo/.test(plainName(name)))
        into.find('wide', position, `${name}: it allows everything, and is not imported`);
      else if (OTHERS.test(plainName(name)))
        into.find('lost', position, `${name}: it is no rule about calls`);
      continue;
    }
    const values = equals < 0 ? [] : [{ text: word.slice(equals + 1), position }];
    while (equals < 0) {
      const [next = ''] = found[at + 1] ?? [];
      const [text = ''] = splitWords(next);
      // One value always follows, and more of them where they can be nothing else.
      if (next === '' || text.startsWith('--') || (values.length > 0 && !isPattern(text))) break;
      at++;
      values.push({ text, position: placeAt(source, found[at]?.index ?? 0, next.length) });
    }
    if (values.length === 0) into.find('lost', position, `${name}: it has no value`);
    const parts = values.flatMap(({ text, position: place }) =>
      text.split(/,\s*(?![^()]*\))/).map((part) => ({ part: part.trim(), position: place })),
    );
    if (list === undefined)
      addAvailable(
        parts.map(({ part }) => part),
        position,
        into,
      );
    else for (const { part, position: place } of parts) addRule(list, part, place, into);
  }
  return into;
}

function isPattern(text: string): boolean {
  return /\(.*\)$/.test(text) || /^(?:shell|write|read|url|memory)$/.test(text);
}

function addRule(
  [decision, what]: readonly [ImportedDecision, 'tool' | 'url'],
  text: string,
  position: Position,
  into: ImportDraft,
): void {
  into.take(decision, text, position, what === 'url' ? { kind: 'url', url: text } : subjectOf(text));
}

function subjectOf(text: string): ImportedSubject | string {
  const { tool, within } = partsOf(text);
  switch (tool.toLowerCase()) {
    case '':
      return 'it is not the name of a tool with a pattern in brackets';
    case 'shell':
      return {
        kind: 'command',
        pattern: within === undefined ? patternOf('*') : patternOf(within.replace(/:\*$/, ''), true),
      };
    case 'write':
      return within === undefined ? { kind: 'tool', names: WRITES.split('|') } : fileSubject('write', within);
    case 'read':
      return within === undefined ? { kind: 'tool', names: READS.split('|') } : fileSubject('read', within);
    case 'url':
      return { kind: 'url', url: within ?? '*' };
    case 'memory':
      return { kind: 'tool', names: ['store_memory'] };
    default:
      if (!OTHER_TOOLS.includes(tool.toLowerCase())) return serverSubject(tool, within);
      return within === undefined
        ? { kind: 'tool', names: [tool] }
        : `nothing is known about a pattern of ${tool}`;
  }
}

/** Hooks see tools of servers as `server-tool` or, in the spelling of Claude Code, `mcp__server__tool`. */
function serverSubject(server: string, tool = '*'): ImportedSubject {
  return { kind: 'tool', names: [`mcp__${server}__${tool}`, `${server}-${tool}`], sample: { a: 'b' } };
}

function fileSubject(use: 'read' | 'write', path: string): ImportedSubject {
  const clean = path.replace(/^\.\//, '');
  const isAnchored = /^[/~]/.test(clean);
  const approved = [isAnchored ? clean : `./${clean}`];
  return { kind: 'path', use, refused: [clean], approved, except: [] };
}
