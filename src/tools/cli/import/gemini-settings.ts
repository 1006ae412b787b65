import { hasWildcard, patternOf } from './command-pattern.ts';
import type { Decision, Imported, ImportedRule, ImportFinding, ImportSource, Subject } from './imported.ts';
import { childOf, type Placed, readPlacedJson } from './places.ts';

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
const LISTS: readonly (readonly [Decision, 'tool' | 'server', readonly string[]])[] = [
  ['deny', 'tool', ['tools', 'exclude']],
  ['deny', 'tool', ['excludeTools']],
  ['deny', 'server', ['mcp', 'excluded']],
  ['deny', 'server', ['excludeMCPServers']],
  ['allow', 'tool', ['tools', 'allowed']],
  ['allow', 'tool', ['allowedTools']],
];

export function readGeminiSettings(source: ImportSource): Imported {
  const settings = readPlacedJson(source);
  const rules: ImportedRule[] = [];
  const findings: ImportFinding[] = [];
  const at = (path: readonly string[]) =>
    path.reduce<Placed | undefined>((placed, key) => childOf(placed, key), settings);
  for (const path of [['tools', 'core'], ['coreTools']]) addCore(at(path), rules);
  for (const path of [['mcp', 'allowed'], ['allowMCPServers']]) {
    const list = at(path);
    if (list?.type !== 'array') continue;
    const without = list.items.map(({ value }) => `mcp_${String(value)}_*`);
    rules.push({
      decision: 'deny',
      text: `every server but ${list.items.map(({ value }) => String(value)).join(', ')}`,
      position: list.position,
      subject: { kind: 'tool', names: ['mcp_*'], without },
    });
  }
  for (const [, , path] of [
    ...LISTS,
    ['deny', 'tool', ['tools', 'core']] as const,
    ['deny', 'server', ['mcp', 'allowed']] as const,
  ]) {
    const list = at(path);
    if (list !== undefined && list.type !== 'array')
      findings.push({ kind: 'lost', position: list.position, message: `"${path.join('.')}": it is no list` });
  }
  for (const [decision, what, path] of LISTS)
    for (const { value, position } of at(path)?.items ?? []) {
      const subject = typeof value === 'string' ? entrySubject(value, what) : 'an entry is a string';
      if (typeof subject === 'string')
        findings.push({ kind: 'lost', position, message: `${decision} ${String(value)}: ${subject}` });
      else rules.push({ decision, text: String(value), position, subject });
    }
  for (const { key, item } of childOf(settings, 'mcpServers')?.entries ?? []) addServer(key, item, rules);
  for (const path of [
    ['tools', 'autoAccept'],
    ['tools', 'sandbox'],
    ['security'],
    ['general', 'defaultApprovalMode'],
  ]) {
    const other = at(path);
    if (other !== undefined)
      findings.push({
        kind: 'lost',
        position: other.position,
        message: `"${path.join('.')}": it is no rule about calls`,
      });
  }
  // Refusals first, since they decide.
  return { rules: [...rules.filter(refuses), ...rules.filter((rule) => !refuses(rule))], findings };
}

function refuses({ decision }: ImportedRule): boolean {
  return decision !== 'allow';
}

/** Only what is listed is there; servers have lists of their own. */
function addCore(list: Placed | undefined, rules: ImportedRule[]): void {
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
    rules.push({
      decision: 'deny',
      text: `commands, ${text}`,
      position: list.position,
      subject: { kind: 'command', pattern: patternOf('*') },
      except: commands,
    });
  rules.push({
    decision: 'deny',
    text: `tools, ${text}`,
    position: list.position,
    subject: { kind: 'tool', names: ['*'], without: ['run_shell_command', 'mcp_*', ...names] },
  });
}

function addServer(server: string, item: Placed, rules: ImportedRule[]): void {
  for (const { value, position } of childOf(item, 'excludeTools')?.items ?? [])
    rules.push({
      decision: 'deny',
      text: `${String(value)} of server ${server}`,
      position,
      subject: { kind: 'tool', names: [`mcp_${server}_${String(value)}`] },
    });
  const included = childOf(item, 'includeTools');
  if (included !== undefined)
    rules.push({
      decision: 'deny',
      text: `tools of server ${server} that "includeTools" does not list`,
      position: included.position,
      subject: {
        kind: 'tool',
        names: [`mcp_${server}_*`],
        without: included.items.map(({ value }) => `mcp_${server}_${String(value)}`),
      },
    });
  const trust = childOf(item, 'trust');
  if (trust?.value === true)
    rules.push({
      decision: 'allow',
      text: `server ${server}, which is trusted`,
      position: trust.position,
      subject: { kind: 'tool', names: [`mcp_${server}_*`] },
    });
}

function nameOf(entry: string): string {
  const name = entry.replace(/\(.*$/s, '').trim();
  return Object.hasOwn(CLASSES, name) ? (CLASSES[name] ?? name) : name;
}

function entrySubject(entry: string, what: 'tool' | 'server'): Subject | string {
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
