import type { Position } from '../../../model/diagnostic.ts';
import { globRegex, hasWildcard, patternOf } from './command-pattern.ts';
import type {
  Decision,
  Imported,
  ImportedRule,
  Importer,
  ImportFinding,
  ImportSource,
  Subject,
} from './imported.ts';
import { childOf, type Placed, readPlacedJson } from './places.ts';

/** In the order of Claude Code: a refusal beats a question, and that an approval. */
const LISTS: readonly Decision[] = ['deny', 'ask', 'allow'];

/** Tools whose rules with a path Claude Code accepts and never looks at: `Read` and `Edit` stand for all of them. */
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
  tools: {
    shell: 'Bash',
    read: 'Read',
    write: 'Edit|Write|MultiEdit|NotebookEdit',
    fetch: 'WebFetch',
  },
  wrappers: ['timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin'],
  read: readSettings,
};

function readSettings(source: ImportSource): Imported {
  const settings = readPlacedJson(source);
  const permissions = childOf(settings, 'permissions');
  const rules: ImportedRule[] = [];
  const findings: ImportFinding[] = [];
  let refusesRest: Position | undefined;
  for (const { key, position } of permissions?.repeated ?? [])
    findings.push({ kind: 'dead', position, message: `"${key}" is there twice, and the last one counts` });
  if (permissions !== undefined && permissions.type !== 'object')
    findings.push(lost(permissions.position, '"permissions"', 'it is no object'));
  for (const list of LISTS) readList(list, childOf(permissions, list), source, rules, findings);
  for (const { key, position, item } of permissions?.entries ?? []) {
    if (LISTS.some((list) => list === key)) continue;
    if (key === 'defaultMode') {
      if (item.value === 'dontAsk') refusesRest = item.position;
      else if (item.value !== 'default')
        findings.push(
          lost(item.position, `defaultMode "${String(item.value)}"`, 'a mode is no rule about calls'),
        );
    } else findings.push(lost(position, `"${key}"`, 'it is no rule about calls'));
  }
  for (const { item } of childOf(settings, 'disabledMcpjsonServers')?.items.map((each) => ({ item: each })) ??
    []) {
    const text = String(item.value);
    rules.push({ decision: 'deny', text, position: item.position, subject: toolSubject(`mcp__${text}`) });
  }
  for (const { key, position } of settings.entries) {
    const why = Object.hasOwn(OTHER_KEYS, key) ? OTHER_KEYS[key] : undefined;
    if (why !== undefined) findings.push(lost(position, `"${key}"`, why));
  }
  return { rules, findings, refusesRest };
}

function readList(
  decision: Decision,
  list: Placed | undefined,
  source: ImportSource,
  rules: ImportedRule[],
  findings: ImportFinding[],
): void {
  if (list !== undefined && list.type !== 'array')
    findings.push(lost(list.position, `"${decision}"`, 'it is no list'));
  const before = rules.length;
  for (const { value, position } of list?.items ?? []) {
    if (typeof value !== 'string') {
      findings.push(
        lost(position, `${decision} ${JSON.stringify(value) ?? 'a list or an object'}`, 'a rule is a string'),
      );
      continue;
    }
    const [, cut] = /^(?:Read|Edit)\(!(.*)\)$/.exec(value) ?? [];
    if (cut !== undefined) {
      const isRead = value.startsWith('Read');
      cutOut(cut, isRead, rules.slice(before), source, () =>
        findings.push({
          kind: 'dead',
          position,
          message: `${decision} ${value}: no rule before it is about paths`,
        }),
      );
      continue;
    }
    const read = readRule(value, decision, source);
    if (typeof read === 'string')
      findings.push({ kind: 'lost', position, message: `${decision} ${value}: ${read}` });
    else if ('finding' in read) findings.push({ ...read.finding, position });
    else {
      rules.push({ decision, text: value, position, subject: read });
      if (LIKE_ROOT.test(value) && decision !== 'allow')
        findings.push({
          kind: 'wide',
          position,
          message: `${decision} ${value}: one slash is the folder of the settings, so this is no path of the whole disk`,
          hint: 'write two slashes if the root of the disk is meant',
        });
    }
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

type Read = Subject | string | { readonly finding: Omit<ImportFinding, 'position'> };

function readRule(text: string, decision: Decision, source: ImportSource): Read {
  const [, tool = '', within] = /^([^()]+?)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  if (tool === '') return 'it is no name of a tool with a pattern in brackets';
  const isBare = within === undefined || within === '' || within === '*';
  if (tool === 'Bash' && !isBare && /&&|\|\||;/.test(within))
    return {
      finding: {
        kind: 'never-consulted',
        message: `${decision} ${text}: Claude Code takes commands apart there, and looks at each part`,
        hint: 'write a rule for each part',
      },
    };
  if (tool === 'Bash' || tool === 'PowerShell')
    return { kind: 'command', pattern: bashPattern(isBare ? '*' : within) };
  if (isBare) return toolSubject(tool);
  if (tool === 'Read' || tool === 'Edit') {
    const use = tool === 'Edit' ? 'write' : decision === 'allow' ? 'read' : 'both';
    return { kind: 'path', use, ...pathsOf(within, source), except: [] };
  }
  if (NEVER_WITH_PATH.includes(tool)) {
    const instead = ['Glob', 'Grep', 'LS', 'NotebookRead'].includes(tool) ? 'Read' : 'Edit';
    return {
      finding: {
        kind: 'never-consulted',
        message: `${decision} ${text}: Claude Code never looks at a path of ${tool}`,
        hint: `write ${instead}(${within})`,
      },
    };
  }
  if (tool === 'WebFetch') {
    const [, host] = /^domain:(.+)$/.exec(within) ?? [];
    return host === undefined
      ? {
          finding: {
            kind: 'never-consulted',
            message: `${decision} ${text}: WebFetch takes "domain:" alone`,
          },
        }
      : { kind: 'url', url: host.trim() };
  }
  if (tool === 'Agent' || tool === 'Task') return argumentOf(['Agent', 'Task'], 'subagent_type', within);
  if (tool === 'Skill') return argumentOf(['Skill'], 'skill', within.replace(/(?::| )\*$/, '*'));
  if (tool.startsWith('mcp__') || tool === 'WebSearch')
    return {
      finding: {
        kind: 'never-consulted',
        message: `${decision} ${text}: ${tool} takes no pattern in brackets`,
      },
    };
  return `nothing is known about a pattern of ${tool}`;
}

/** `npm run test:*` and `npm run test *` are words and whatever follows. */
function bashPattern(text: string) {
  return text.endsWith(':*') ? patternOf(text.slice(0, -2), true) : patternOf(text);
}

function toolSubject(tool: string): Subject {
  // The name of a server stands for its tools.
  const names = /^mcp__.*[^_*]$/.test(tool) && tool.split('__').length === 2 ? [tool, `${tool}__*`] : [tool];
  return { kind: 'tool', names };
}

function argumentOf(names: readonly string[], argument: string, value: string): Subject {
  const test = hasWildcard(value) ? `^${globRegex(value)}$` : { equals: value };
  return {
    kind: 'tool',
    names,
    arguments: { [argument]: test },
    sample: { [argument]: value.replace(/\*+$/, '') },
  };
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

/** As in a .gitignore, a folder stands for all that is in it. */
function withInside(glob: string): string[] {
  if (glob.endsWith('/')) return [`${glob}**`];
  return hasWildcard(glob.slice(glob.lastIndexOf('/') + 1)) ? [glob] : [glob, `${glob}/**`];
}

function lost(position: Position, what: string, why: string): ImportFinding {
  return { kind: 'lost', position, message: `${what}: ${why}` };
}
