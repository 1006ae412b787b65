import { asObject, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { refuseByBody, refuseByBodyAndExitCode } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES } from '../dialect/support.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';
import { foldedNames } from './folded-names.ts';

/** The event of Crush (https://github.com/charmbracelet/crush/tree/main/docs/hooks) with its kind here. */
const EVENTS = { PreToolUse: 'before_tool' } as const;

const FILE = { path: 'file_path' };
const SERVERS = 'mcp_';

/** Crush: facts of its source of August 2026, measured on it. */
export const crush = hostOf({
  name: 'crush',
  title: 'Crush',
  facts: 'measured on its source of 2026-08-21',
  events: EVENTS,
  /** Crush carries these out. */
  supports: {
    before_tool: {
      can: ['approve', 'modify', 'deny', 'abort_turn', 'hard_abort'],
      beside: ['add_context'],
      context: ['cwd', 'session', 'host'],
      rewrites: CALL_REWRITES,
      note: 'Nobody can be asked, so ask is a deny. What subagents do is not shown: deny the tools agent and agentic_fetch',
    },
  },
  tools: {
    bash: { classes: ['shell'], aliases: { cwd: 'working_dir' } },
    view: { classes: ['read'], aliases: FILE },
    write: { classes: ['write'], aliases: FILE },
    edit: { classes: ['edit'], aliases: { ...FILE, old_text: 'old_string', new_text: 'new_string' } },
    multiedit: {
      classes: ['edit'],
      aliases: FILE,
      lists: { edits: { old_text: 'old_string', new_text: 'new_string' } },
    },
    lsp_replace_symbol: { classes: ['edit'], aliases: { ...FILE, new_text: 'replacement' } },
    lsp_rename: { classes: ['edit'] },
    ls: { classes: ['list'] },
    glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
    grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['include'] },
    ...toolsOf('read', 'lsp_definition lsp_references lsp_call_hierarchy'),
    lsp_symbols: { classes: ['read'], aliases: FILE },
    lsp_diagnostics: { classes: ['read'], aliases: FILE },
    fetch: { classes: ['fetch'] },
    download: { classes: ['fetch', 'write'], aliases: FILE },
    agentic_fetch: { classes: ['agent', 'fetch'] },
    sourcegraph: { classes: ['web_search'] },
    agent: { classes: ['agent'] },
    ...toolsOf('mcp', 'list_mcp_resources read_mcp_resource'),
    ...inertTools('crush_info crush_logs job_kill job_output lsp_restart todos'),
    [`${SERVERS}*`]: { classes: ['mcp'] },
  },
  results: { by: 'nothing' },
  /** These files decide which hooks run, and which calls Crush allows on its own. */
  guards: {
    paths: [
      '~/.config/crush/{crush.json,crushrc}',
      '~/.local/share/crush/crush.json',
      '**/{.,}crush.json',
      '**/{.,}crushrc',
      '/etc/crush/**',
    ],
    moved: { $CRUSH_GLOBAL_CONFIG: '~/.config/crush', '$XDG_CONFIG_HOME/crush': '~/.config/crush' },
    escapes: { programs: ['crush'], unasked: { flags: ['-y'] }, elsewhere: ['CRUSH_GLOBAL_DATA'] },
  },
  recognise: (message) =>
    ownString(message, 'event') === 'PreToolUse' &&
    Object.hasOwn(message, 'cwd') &&
    !Object.hasOwn(message, 'matcher_context'),
  read({ event = null, ...message }) {
    const args = ownObject(message, 'tool_input');
    const isOwn = ownString(message, 'tool_name')?.startsWith(SERVERS) === false;
    const read = args !== undefined && isOwn ? foldedNames(args) : args;
    return { ...message, hook_event_name: event, tool_input: read ?? null };
  },
  write: ({ hook_event_name = '', ...fields }) => ({ event: hook_event_name, ...fields }),
  answers: {
    deny: (_on, reason) => ({ decision: 'deny', reason }),
    stop: (_on, reason) => ({ decision: 'deny', halt: true, reason }),
    approve: () => ({ decision: 'allow' }),
    // It lays these over the model's own arguments.
    rewrite({ subject }, changed) {
      const args = own(changed, 'arguments') ?? {};
      const gone = Object.keys(ownObject(subject, 'arguments') ?? {}).map((name) => [name, null] as const);
      return { updated_input: { ...Object.fromEntries(gone), ...asObject(args) } };
    },
    beside: (_on, { contexts }): JsonObject =>
      contexts.length === 0 ? {} : { context: contexts.join('\n') },
  },
  // Beside exit code 2 the words are not read, and the turn goes on.
  exitStyle: (body, reason, kind) =>
    own(body, 'halt') === true && kind !== undefined
      ? refuseByBody(body)
      : refuseByBodyAndExitCode(body, reason),
  hook: { untyped: true },
  installation: {
    programs: ['crush'],
    release: { newest: '0.96' },
    folder: '~/.config/crush',
    places: { user: '~/.config/crush/crush.json', project: 'crush.json', system: '/etc/crush/crush.json' },
    layers: ['~/.config/crush/crush.json', 'crush.json', '.crush.json', '/etc/crush/crush.json'],
    bare: true,
    allTools: ['.*'],
    usualTimeoutS: 30,
  },
  sessions: async () => (await import('./sessions.ts')).sessions,
});
