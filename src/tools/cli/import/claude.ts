import { own } from '../../../lib/json.ts';
import { argumentSubject, hasWildcard, partsOf, patternOf } from './command-pattern.ts';
import {
  ImportDraft,
  type ImportedDecision,
  type ImportedRule,
  type ImportedSubject,
  type Importer,
  type ImportSource,
} from './imported.ts';
import { childOf, findRepeated, type PlacedValue, readPlacedJson } from './places.ts';

/** In the order of Claude Code: a refusal beats a question, and that an approval. */
const LISTS: readonly ImportedDecision[] = ['deny', 'ask', 'allow'];

/** Tools whose rules with a path Claude Code accepts and never looks at: it uses `Read` and `Edit` for all of them. */
const NEVER_WITH_PATH = ['Write', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'Glob', 'Grep', 'LS'];

const OTHER_KEYS: Readonly<Record<string, string>> = {
  sandbox: 'a sandbox is no rule about calls',
  enabledMcpjsonServers: 'it says which servers start',
  enableAllProjectMcpServers: 'it says which servers start',
  allowedMcpServers: 'it says which servers start',
  deniedMcpServers: 'it says which servers start',
};

/** `permissions` of settings.json. */
export const claude: Importer = {
  name: 'claude',
  title: 'Claude Code',
  file: '.claude/settings.json',
  order: 'strictest',
  tools: { shell: 'Bash', read: 'Read', write: 'Edit|Write|MultiEdit|NotebookEdit', fetch: 'WebFetch' },
  wrappers: ['timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin'],
  read: readSettings,
};

function readSettings(source: ImportSource): ImportDraft {
  const settings = readPlacedJson(source);
  const permissions = childOf(settings, 'permissions');
  const into = new ImportDraft();
  findRepeated(permissions, into);
  if (permissions !== undefined && permissions.type !== 'object')
    into.find('lost', permissions.position, '"permissions": it is no object');
  for (const list of LISTS) readList(list, childOf(permissions, list), source, into);
  for (const { key, position, item } of permissions?.entries ?? []) {
    if (LISTS.some((list) => list === key)) continue;
    if (key === 'defaultMode') {
      if (item.value === 'dontAsk') into.refusesRest = item.position;
      else if (item.value !== 'default')
        into.find(
          'lost',
          item.position,
          `defaultMode "${String(item.value)}": a mode is not a rule about calls`,
        );
    } else into.find('lost', position, `"${key}": it is no rule about calls`);
  }
  for (const { value, position } of childOf(settings, 'disabledMcpjsonServers')?.items ?? [])
    into.take('deny', String(value), position, toolSubject(`mcp__${String(value)}`));
  for (const { key, position } of settings.entries) {
    const why = own(OTHER_KEYS, key);
    if (why !== undefined) into.find('lost', position, `"${key}": ${why}`);
  }
  return into;
}

function readList(
  decision: ImportedDecision,
  list: PlacedValue | undefined,
  source: ImportSource,
  into: ImportDraft,
): void {
  if (list !== undefined && list.type !== 'array')
    into.find('lost', list.position, `"${decision}": it is no list`);
  const before = into.rules.length;
  for (const { value, position } of list?.items ?? []) {
    if (typeof value !== 'string') {
      into.take(decision, JSON.stringify(value) ?? 'a list or an object', position, 'a rule is a string');
      continue;
    }
    const [, cut] = /^(?:Read|Edit)\(!(.*)\)$/.exec(value) ?? [];
    if (cut !== undefined) {
      const isRead = value.startsWith('Read');
      cutOut(cut, isRead, into.rules.slice(before), source, () =>
        into.find('dead', position, `${decision} ${value}: no rule before it is about paths`),
      );
      continue;
    }
    const never = neverConsulted(value);
    if (never === undefined) into.take(decision, value, position, subjectOf(value, decision, source));
    else into.find('never-consulted', position, `${decision} ${value}: ${never.why}`, never.hint);
    if (LIKE_ROOT.test(value) && decision !== 'allow')
      into.find(
        'wide',
        position,
        `${decision} ${value}: one slash means the folder of the settings, not the root of the disk`,
        'write two slashes for the root of the disk',
      );
  }
}

/** A path that is rarely meant to be below the folder of the settings. */
const LIKE_ROOT =
  /^(?:Read|Edit)\(\/(?:etc|home|Users|root|var|usr|opt|tmp|private|mnt|Volumes|proc|dev)(?:\/|\))/;

/** `Read(!x)` takes paths out of the rules before it. */
function cutOut(
  path: string,
  isRead: boolean,
  before: readonly ImportedRule[],
  source: ImportSource,
  none: () => void,
): void {
  const { refused } = pathsOf(path, source);
  let found = false;
  for (const { subject } of before) {
    if (subject.kind !== 'path' || (subject.use === 'write') === isRead) continue;
    found = true;
    (subject.except as string[]).push(...refused);
  }
  if (!found) none();
}

/** Why Claude Code takes a rule and never looks at it; undefined if it does. */
function neverConsulted(text: string): { readonly why: string; readonly hint?: string } | undefined {
  const { tool, within } = partsOf(text);
  if (within === undefined) return undefined;
  if (tool === 'Bash' && /&&|\|\||;/.test(within))
    return {
      why: 'Claude Code splits commands there, and checks each part',
      hint: 'write a rule for each part',
    };
  if (NEVER_WITH_PATH.includes(tool)) {
    const instead = ['Glob', 'Grep', 'LS', 'NotebookRead'].includes(tool) ? 'Read' : 'Edit';
    return { why: `Claude Code never looks at a path of ${tool}`, hint: `write ${instead}(${within})` };
  }
  if (tool === 'WebFetch' && !within.startsWith('domain:')) return { why: 'WebFetch takes "domain:" alone' };
  if (tool.startsWith('mcp__') || tool === 'WebSearch')
    return { why: `${tool} takes no pattern in brackets` };
  return undefined;
}

function subjectOf(text: string, decision: ImportedDecision, source: ImportSource): ImportedSubject | string {
  const { tool, within } = partsOf(text);
  if (tool === '') return 'it is not the name of a tool with a pattern in brackets';
  if (tool === 'Bash' || tool === 'PowerShell')
    return { kind: 'command', pattern: bashPattern(within ?? '*') };
  if (within === undefined) return toolSubject(tool);
  if (tool === 'Read' || tool === 'Edit') {
    const use = tool === 'Edit' ? 'write' : decision === 'allow' ? 'read' : 'both';
    return { kind: 'path', use, ...pathsOf(within, source), except: [] };
  }
  if (tool === 'WebFetch') return { kind: 'url', url: within.slice('domain:'.length).trim() };
  if (tool === 'Agent' || tool === 'Task') return argumentSubject(['Agent', 'Task'], 'subagent_type', within);
  if (tool === 'Skill') return argumentSubject(['Skill'], 'skill', within.replace(/(?::| )\*$/, '*'));
  return `nothing is known about a pattern of ${tool}`;
}

/** `npm run test:*` and `npm run test *` are words and whatever follows. */
function bashPattern(text: string) {
  return text.endsWith(':*') ? patternOf(text.slice(0, -2), true) : patternOf(text);
}

function toolSubject(tool: string): ImportedSubject {
  // The name of a server means its tools.
  const names = /^mcp__.*[^_*]$/.test(tool) && tool.split('__').length === 2 ? [tool, `${tool}__*`] : [tool];
  return { kind: 'tool', names };
}

/** The four anchors: `//root`, `~/home`, `/beside the settings`, and the current directory. */
function pathsOf(path: string, { root }: ImportSource): { refused: string[]; approved: string[] } {
  const clean = path.replace(/^\.\//, '');
  if (clean.startsWith('//')) return whole(clean.slice(1));
  if (/^~(?:\/|$)/.test(clean)) return whole(clean);
  if (clean.startsWith('/')) return whole(`${root}${clean}`);
  if (clean.startsWith('../')) return whole(clean);
  const below = clean.replace(/^\*\*\//, '');
  return { refused: withInside(`./**/${below}`), approved: withInside(`./${clean}`) };
}

function whole(glob: string): { refused: string[]; approved: string[] } {
  return { refused: withInside(glob), approved: withInside(glob) };
}

/** As in a .gitignore, a folder means all that is in it. */
function withInside(glob: string): string[] {
  if (glob.endsWith('/')) return [`${glob}**`];
  return hasWildcard(glob.slice(glob.lastIndexOf('/') + 1)) ? [glob] : [glob, `${glob}/**`];
}
