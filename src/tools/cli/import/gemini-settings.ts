import { own } from '../../../lib/json.ts';
import { hasWildcard, patternOf } from './command-pattern.ts';
import {
  ImportDraft,
  type Imported,
  type ImportedDecision,
  type ImportedRule,
  type ImportedSubject,
  type ImportSource,
} from './imported.ts';
import { childOf, type PlacedValue, readPlacedJson, takeList } from './places.ts';

/** Names of classes, which settings take for tools. */
const CLASSES: Readonly<Record<string, string>> = {
  ShellTool: 'run_shell_command',
  ReadFileTool: 'read_file',
  WriteFileTool: 'write_file',
  EditTool: 'replace',
  LSTool: 'list_directory',
  GrepTool: 'grep_search',
  GlobTool: 'glob',
  WebFetchTool: 'web_fetch',
  WebSearchTool: 'google_web_search',
  ReadManyFilesTool: 'read_many_files',
  MemoryTool: 'save_memory',
};

/** Lists of settings.json by where they are, older places last. A refusal beats the rest there. */
const LISTS: readonly (readonly [ImportedDecision, 'tool' | 'server', readonly string[]])[] = [
  ['deny', 'tool', ['tools', 'exclude']],
  ['deny', 'tool', ['excludeTools']],
  ['deny', 'server', ['mcp', 'excluded']],
  ['deny', 'server', ['excludeMCPServers']],
  ['allow', 'tool', ['tools', 'allowed']],
  ['allow', 'tool', ['allowedTools']],
];

export function readGeminiSettings(source: ImportSource): Imported {
  const settings = readPlacedJson(source);
  const into = new ImportDraft();
  const at = (path: readonly string[]) =>
    path.reduce<PlacedValue | undefined>((placed, key) => childOf(placed, key), settings);
  const lost = (path: readonly string[], why: string) => {
    const found = at(path);
    if (found !== undefined) into.find('lost', found.position, `"${path.join('.')}": ${why}`);
  };
  for (const path of [['tools', 'core'], ['coreTools']]) addCore(at(path), into);
  for (const path of [['mcp', 'allowed'], ['allowMCPServers']]) {
    const list = at(path);
    if (list?.type !== 'array') continue;
    const names = list.items.map(({ value }) => String(value));
    const without = names.map((name) => `mcp_${name}_*`);
    const text = `every server but ${names.join(', ')}`;
    into.take('deny', text, list.position, { kind: 'tool', names: ['mcp_*'], without });
  }
  for (const path of [
    ['tools', 'core'],
    ['mcp', 'allowed'],
  ])
    if (at(path)?.type !== 'array') lost(path, 'it is no list');
  for (const [decision, what, path] of LISTS)
    takeList(into, decision, path.join('.'), at(path), (entry) => entrySubject(entry, what));
  for (const { key, item } of childOf(settings, 'mcpServers')?.entries ?? []) addServer(key, item, into);
  for (const path of [
    ['tools', 'autoAccept'],
    ['tools', 'sandbox'],
    ['security'],
    ['general', 'defaultApprovalMode'],
  ])
    lost(path, 'it is no rule about calls');
  // Refusals first, since they decide.
  const refuses = ({ decision }: ImportedRule) => decision !== 'allow';
  return {
    rules: [...into.rules.filter(refuses), ...into.rules.filter((rule) => !refuses(rule))],
    findings: into.findings,
  };
}

/** Only listed tools are there; servers have lists of their own. */
function addCore(list: PlacedValue | undefined, into: ImportDraft): void {
  if (list?.type !== 'array') return;
  const entries = list.items.map(({ value }) => String(value));
  const subjects = entries
    .map((entry) => entrySubject(entry, 'tool'))
    .filter((each) => typeof each !== 'string');
  const commands = subjects.filter(({ kind }) => kind === 'command');
  const names = subjects.flatMap((subject) => (subject.kind === 'tool' ? subject.names : []));
  const text = 'what "core" does not list';
  const isOpen = entries.some((entry) => nameOf(entry) === 'run_shell_command' && !entry.includes('('));
  if (!isOpen)
    into.rules.push({
      decision: 'deny',
      text: `commands, ${text}`,
      position: list.position,
      subject: { kind: 'command', pattern: patternOf('*') },
      except: commands,
    });
  into.take('deny', `tools, ${text}`, list.position, {
    kind: 'tool',
    names: ['*'],
    without: ['run_shell_command', 'mcp_*', ...names],
  });
}

function addServer(server: string, item: PlacedValue, into: ImportDraft): void {
  const toolOf = (tool: string) => `mcp_${server}_${tool}`;
  for (const { value, position } of childOf(item, 'excludeTools')?.items ?? [])
    into.take('deny', `${String(value)} of server ${server}`, position, {
      kind: 'tool',
      names: [toolOf(String(value))],
    });
  const included = childOf(item, 'includeTools');
  if (included !== undefined)
    into.take('deny', `tools of server ${server} that "includeTools" does not list`, included.position, {
      kind: 'tool',
      names: [toolOf('*')],
      without: included.items.map(({ value }) => toolOf(String(value))),
    });
  const trust = childOf(item, 'trust');
  if (trust?.value === true)
    into.take('allow', `server ${server}, which is trusted`, trust.position, {
      kind: 'tool',
      names: [toolOf('*')],
    });
}

function nameOf(entry: string): string {
  const name = entry.replace(/\(.*$/s, '').trim();
  return own(CLASSES, name) ?? name;
}

function entrySubject(entry: string, what: 'tool' | 'server'): ImportedSubject | string {
  if (what === 'server') return { kind: 'tool', names: [`mcp_${entry}_*`] };
  const name = nameOf(entry);
  const [, within] = /\((.*)\)$/s.exec(entry.trim()) ?? [];
  if (name === 'run_shell_command')
    return { kind: 'command', pattern: within === undefined ? patternOf('*') : patternOf(within, true) };
  if (within !== undefined) return `${name} takes no pattern in brackets`;
  if (name === '' || (hasWildcard(name) && !name.startsWith('mcp_') && name !== '*'))
    return 'it is no name of a tool';
  return { kind: 'tool', names: [name.replace(/^([\w-]+)__/, 'mcp_$1_')] };
}
