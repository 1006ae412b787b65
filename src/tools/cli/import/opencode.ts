import { own } from '../../../lib/json.ts';
import { argumentSubject, hasWildcard, patternOf } from './command-pattern.ts';
import {
  ImportDraft,
  type ImportedDecision,
  type ImportedSubject,
  type Importer,
  type ImportSource,
} from './imported.ts';
import { childOf, findRepeated, type PlacedValue, readPlacedJson } from './places.ts';

const DECISIONS: readonly ImportedDecision[] = ['deny', 'ask', 'allow'];

/** Permissions of 1.x as maps, and of 2.x as a list. The last rule that matches decides. */
export const opencode: Importer = {
  name: 'opencode',
  title: 'OpenCode',
  file: 'opencode.json',
  order: 'first',
  tools: {
    shell: 'bash|shell',
    read: 'read',
    write: 'edit|write|multiedit|patch|apply_patch',
    fetch: 'webfetch',
  },
  read: readSettings,
};

interface Entry {
  readonly permission: string;
  readonly pattern: string;
  readonly action: PlacedValue;
  readonly position: PlacedValue['position'];
}

function readSettings(source: ImportSource): ImportDraft {
  const settings = readPlacedJson(source);
  const into = new ImportDraft();
  const entries = [
    ...toolEntries(childOf(settings, 'tools')),
    ...mapEntries(childOf(settings, 'permission'), into),
  ];
  for (const { entries: parts, position } of childOf(settings, 'permissions')?.items ?? []) {
    const part = (key: string) => parts.find((entry) => entry.key === key)?.item;
    const [action, resource, effect] = [part('action'), part('resource'), part('effect')];
    if (action === undefined || effect === undefined)
      into.find('lost', position, 'a rule without "action" and "effect"');
    else
      entries.push({
        permission: String(action.value),
        pattern: String(resource?.value ?? '*'),
        action: effect,
        position,
      });
  }
  for (const key of ['agent', 'mode'])
    for (const { key: agent, item } of childOf(settings, key)?.entries ?? [])
      for (const inner of ['permission', 'permissions', 'tools']) {
        const found = item.entries.find((entry) => entry.key === inner);
        if (found !== undefined)
          into.find(
            'lost',
            found.position,
            `"${inner}" of ${key} "${agent}": rules of one agent are not imported`,
            `write policies with context: {agent: ${agent}}`,
          );
      }
  for (const entry of spread(entries)) takeEntry(entry, into);
  into.rules.reverse();
  return into;
}

/** `tools: {bash: false}` of older versions. */
function toolEntries(tools: PlacedValue | undefined): Entry[] {
  return (tools?.entries ?? []).map(({ key, position, item }) => ({
    permission: ['write', 'patch', 'multiedit'].includes(key) ? 'edit' : key,
    pattern: '*',
    action: { ...item, value: item.value === false ? 'deny' : 'allow' },
    position,
  }));
}

function mapEntries(permission: PlacedValue | undefined, into: ImportDraft): Entry[] {
  if (permission === undefined) return [];
  if (typeof permission.value === 'string')
    return [{ permission: '*', pattern: '*', action: permission, position: permission.position }];
  findRepeated(permission, into);
  if (permission.type !== 'object') into.find('lost', permission.position, '"permission": it is no object');
  return permission.entries.flatMap(({ key, position, item }) => {
    if (item.entries.length === 0) return [{ permission: key, pattern: '*', action: item, position }];
    findRepeated(item, into);
    return item.entries.map((entry) => ({
      permission: key,
      pattern: entry.key,
      action: entry.item,
      position: entry.position,
    }));
  });
}

/** A rule for all tools comes before the rules of each tool that is named, and is about the others. */
function spread(entries: readonly Entry[]): readonly (Entry & { readonly without?: readonly string[] })[] {
  const named = [...new Set(entries.map(({ permission }) => permission))].filter(
    (name) => !hasWildcard(name),
  );
  return entries.flatMap((entry) => {
    if (entry.permission !== '*') return [entry];
    const before = named.map((permission) => ({ ...entry, permission }));
    const shell = named.some(isShell) ? [] : [{ ...entry, permission: 'bash' }];
    const tools = named.flatMap((name) =>
      name === 'edit' ? EDITS : name === 'external_directory' ? [] : [name],
    );
    const without = [...new Set(['bash', 'shell', ...tools])];
    return [
      { ...entry, without },
      ...shell,
      ...before.filter(({ permission }) => !UNSAID.has(permission) && permission !== 'external_directory'),
    ];
  });
}

const EDITS = ['edit', 'write', 'multiedit', 'patch', 'apply_patch'];
const UNSAID: ReadonlyMap<string, string> = new Map([
  ['doom_loop', 'no hook is asked about loops'],
  ['todowrite', 'plans touch nothing'],
  ['todoread', 'plans touch nothing'],
]);

function isShell(permission: string): boolean {
  return permission === 'bash' || permission === 'shell';
}

function takeEntry(
  { permission, pattern, action, position, without }: Entry & { readonly without?: readonly string[] },
  into: ImportDraft,
): void {
  const { value } = action;
  const decision = DECISIONS.find((each) => each === value);
  const text = `${permission} ${JSON.stringify(pattern)}`;
  if (decision !== undefined) into.take(decision, text, position, subjectOf(permission, pattern, without));
  else {
    const why = `${JSON.stringify(value)} is none of allow, ask and deny`;
    into.find('lost', position, `${String(value)} ${text}: ${why}`);
  }
}

/** The argument that a pattern of a tool is held against. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  task: 'subagent_type',
  skill: 'name',
  glob: 'pattern',
  grep: 'pattern',
  list: 'path',
  websearch: 'query',
  codesearch: 'query',
};

function subjectOf(
  permission: string,
  pattern: string,
  without?: readonly string[],
): ImportedSubject | string {
  const isAny = /^\*+$/.test(pattern);
  const unreported = UNSAID.get(permission);
  if (unreported !== undefined) return unreported;
  if (isShell(permission)) return { kind: 'command', pattern: patternOf(pattern) };
  if (permission === 'webfetch') return { kind: 'url', url: pattern };
  if (permission === 'external_directory')
    return isAny
      ? { kind: 'outside', except: [] }
      : { kind: 'path', use: 'both', ...pathsOf(pattern), except: [], isOutside: true };
  if (permission === 'read' || permission === 'edit' || permission === 'write') {
    const use = permission === 'read' ? 'read' : 'write';
    if (!isAny) return { kind: 'path', use, ...pathsOf(pattern), except: [] };
    return { kind: 'tool', names: use === 'read' ? ['read'] : EDITS };
  }
  if (isAny) return { kind: 'tool', names: [permission], ...(without === undefined ? {} : { without }) };
  const argument = own(ARGUMENTS, permission);
  if (argument === undefined) return `nothing is known about a pattern of ${permission}`;
  return argumentSubject([permission], argument, pattern);
}

/** `*` is any text there, folders too. */
function pathsOf(pattern: string): { refused: string[]; approved: string[] } {
  const glob = pattern.replace(/^\$HOME(?=\/|$)/, '~').replace(/^\.\//, '');
  const globs = glob.includes('/') ? acrossFolders(glob) : [glob];
  const isAnchored = /^[/~*]/.test(glob);
  return {
    refused: globs,
    approved: globs.map((each) => (isAnchored || each.startsWith('**/') ? each : `./${each}`)),
  };
}

function acrossFolders(glob: string): string[] {
  const end = glob.lastIndexOf('/') + 1;
  const [folder, name] = [glob.slice(0, end), glob.slice(end)];
  if (/^\*+$/.test(name)) return [`${folder}**`];
  if (!name.includes('*')) return [glob];
  const inside = name.endsWith('*') ? [`${folder}${name}/**`] : [];
  return folder.endsWith('**/') ? [glob, ...inside] : [glob, `${folder}**/${name}`, ...inside];
}
