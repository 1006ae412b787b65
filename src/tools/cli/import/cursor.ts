import { hasWildcard, patternOf } from './command-pattern.ts';
import {
  ImportDraft,
  type ImportedDecision,
  type ImportedSubject,
  type Importer,
  type ImportSource,
} from './imported.ts';
import { childOf, type PlacedValue, readPlacedJson, takeList } from './places.ts';

const WRITES = 'Write|Edit|StrReplace|EditNotebook|Delete';

/** `permissions` of cli.json and cli-config.json, and the lists of permissions.json. */
export const cursor: Importer = {
  name: 'cursor',
  title: 'Cursor',
  file: '.cursor/cli.json',
  order: 'strictest',
  tools: { shell: 'Shell', read: 'Read', write: WRITES, fetch: 'WebFetch' },
  read: readSettings,
};

function readSettings(source: ImportSource): ImportDraft {
  const settings = readPlacedJson(source);
  const permissions = childOf(settings, 'permissions');
  const into = new ImportDraft();
  if (permissions !== undefined && permissions.type !== 'object')
    into.find('lost', permissions.position, '"permissions": it is no object');
  const add = (decision: ImportedDecision, list: PlacedValue | undefined, wrap = (text: string) => text) =>
    takeList(into, decision, decision, list, (text) => subjectOf(wrap(text), decision));
  add('deny', childOf(permissions, 'deny'));
  add('allow', childOf(permissions, 'allow'));
  add('allow', childOf(settings, 'terminalAllowlist'), (text) => `Shell(${text})`);
  add('allow', childOf(settings, 'mcpAllowlist'), (text) => `Mcp(${text})`);
  for (const { key, position } of permissions?.entries ?? [])
    if (key !== 'allow' && key !== 'deny')
      into.find('never-consulted', position, `"${key}": Cursor knows allow and deny only`);
  for (const { key, position } of settings.entries)
    if (['autoRun', 'approvalMode', 'sandbox'].includes(key))
      into.find('lost', position, `"${key}": it is no rule about calls`);
  return into;
}

function subjectOf(text: string, decision: ImportedDecision): ImportedSubject | string {
  const [, tool = '', within = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  const isAny = within === '' || /^\*+$/.test(within);
  switch (tool) {
    case 'Shell':
      return { kind: 'command', pattern: shellPattern(isAny ? '*' : within) };
    case 'Read':
    case 'Write':
      return isAny
        ? { kind: 'tool', names: tool === 'Read' ? ['Read'] : WRITES.split('|') }
        : { kind: 'path', use: tool === 'Read' ? 'read' : 'write', ...pathsOf(within), except: [] };
    case 'WebFetch':
      return { kind: 'url', url: isAny ? '*' : within };
    case 'Mcp':
      return mcpSubject(within, decision);
    default:
      return 'it is not Shell(), Read(), Write(), WebFetch() or Mcp()';
  }
}

/** `npm` is the program with any words, `npm:run build` has these first. */
function shellPattern(text: string) {
  const at = text.indexOf(':');
  if (at < 0) return patternOf(text, true);
  const words = text.slice(at + 1).replace(/^\*+$/, '');
  return patternOf(`${text.slice(0, at)} ${words}`, true);
}

/** Cursor tells hooks the name of a tool, not that of its server. */
function mcpSubject(text: string, decision: ImportedDecision): ImportedSubject | string {
  const [server = '', tool = '*'] = text.split(/\s*[:,]\s*/);
  if (/^\*+$/.test(server) || server === '') return { kind: 'tool', names: [`MCP:${tool}`] };
  // Refused is the tool of this name on every server; approved it would be there, too.
  return /^\*+$/.test(tool) || decision === 'allow'
    ? 'Cursor does not send hooks the server of a tool'
    : { kind: 'tool', names: [`MCP:${tool}`, `mcp__${server}__${tool}`] };
}

function pathsOf(path: string): { refused: string[]; approved: string[] } {
  const clean = path.replace(/^\.\//, '').replace(/(.)\/+$/, '$1');
  const inside = hasWildcard(clean) || /[^/.]\.\w+$/.test(clean) ? [] : [`${clean}/**`];
  const isAnchored = /^(?:[/~]|\*\*\/)/.test(clean);
  return {
    refused: [clean, ...inside],
    approved: [clean, ...inside].map((glob) => (isAnchored ? glob : `./${glob}`)),
  };
}
