import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { refuseByBody } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { verbsOf } from '../guards.ts';
import { typedIn } from '../implied/typed-text.ts';
import { argumentsOf } from '../sessions.ts';

/** The event of Antigravity that is asked for. No message names its event, and those after a call look the same. */
const EVENTS = { PreToolUse: 'before_tool' } as const;

const TARGET = { path: 'TargetFile' };

/** A message in the fields of the dialect. */
function read(message: JsonObject): JsonObject {
  const call = ownObject(message, 'toolCall');
  // Before and after the model's turn, and at the end.
  const other = ['invocationNum', 'terminationReason'].find((key) => Object.hasOwn(message, key));
  if (call === undefined) return { hook_event_name: other ?? null };
  const name = ownString(call, 'name');
  const args = ownObject(call, 'args') ?? {};
  const [server, tool] = ['ServerName', 'ToolName'].map((key) => ownString(args, key));
  const isServer = name === 'mcp_tool' && server !== undefined && tool !== undefined;
  const [root] = [own(message, 'workspacePaths') ?? []].flat();
  return {
    hook_event_name: 'PreToolUse',
    session_id: own(message, 'conversationId') ?? null,
    cwd: typeof root === 'string' ? root : null,
    tool_name: isServer ? `mcp__${server}__${tool}` : (name ?? null),
    tool_input: isServer ? argumentsOf(own(args, 'Arguments')) : (own(call, 'args') ?? null),
  };
}

/** Antigravity: facts by the documents in its program. */
export const antigravity = hostOf({
  name: 'antigravity',
  title: 'Antigravity',
  facts: 'its documents',
  events: EVENTS,
  /** Antigravity carries these out by its documents. */
  supports: {
    before_tool: {
      can: ['approve', 'ask', 'deny'],
      beside: [],
      context: ['cwd', 'session', 'host'],
      note: 'A call about which nothing is decided is asked about, unless a person has allowed it always. A rewrite is a deny',
    },
  },
  /** The steps of Antigravity that do something, by the documents in its program; they do not name all arguments. */
  tools: {
    run_command: { classes: ['shell'], shell: 'system', aliases: { command: 'CommandLine', cwd: 'Cwd' } },
    shell_exec: { classes: ['shell'], shell: 'system', anyNames: true },
    send_command_input: { classes: ['shell'], implied: typedIn('Input') },
    view_file: { classes: ['read'], aliases: { path: 'AbsolutePath' }, anyNames: true },
    view_file_outline: { classes: ['read'], aliases: { path: 'AbsolutePath' }, anyNames: true },
    view_code_item: { classes: ['read'], anyNames: true },
    read_notebook: { classes: ['read'], aliases: { path: 'NotebookPath' }, anyNames: true },
    code_action: { classes: ['edit', 'write'], aliases: TARGET, anyNames: true },
    write_to_file: { classes: ['write'], aliases: { ...TARGET, content: 'CodeContent' }, anyNames: true },
    replace_file_content: {
      classes: ['edit'],
      aliases: { ...TARGET, old_text: 'TargetContent', new_text: 'ReplacementContent' },
      anyNames: true,
    },
    write_blob: { classes: ['write'], anyNames: true },
    edit_notebook: { classes: ['edit'], aliases: { path: 'NotebookPath' }, anyNames: true },
    execute_notebook: { classes: ['shell'], anyNames: true },
    move: { classes: ['write'], anyNames: true },
    delete_directory: { classes: ['write'], aliases: { path: 'DirectoryPath' }, anyNames: true },
    list_directory: { classes: ['list'], aliases: { path: 'DirectoryPath' }, anyNames: true },
    list_dir: { classes: ['list'], aliases: { path: 'DirectoryPath' }, anyNames: true },
    grep_search: { classes: ['search'], aliases: { path: 'SearchPath', query: 'Query' }, anyNames: true },
    find: { classes: ['search', 'list'], anyNames: true },
    read_url_content: { classes: ['fetch'], aliases: { url: 'Url' } },
    open_browser_url: { classes: ['fetch'], aliases: { url: 'Url' } },
    search_web: { classes: ['web_search'] },
    invoke_subagent: { classes: ['agent'] },
    'mcp__*': { classes: ['mcp'] },
  },
  results: { by: 'nothing' },
  /** These files decide which hooks run. */
  guards: {
    paths: ['~/.gemini/config/{hooks.json,mcp_config.json,plugins/**}', '**/.agents/{hooks.json,plugins/**}'],
    notes: ['~/.gemini/config/plugins/**/*.md', '**/.agents/plugins/**/*.md'],
    escapes: {
      programs: ['agy', 'antigravity'],
      subcommands: verbsOf('plugin', 'install uninstall remove update enable disable'),
    },
  },
  recognise: (message) => isJsonObject(message['toolCall']) && Object.hasOwn(message, 'conversationId'),
  read,
  write: (fields) => ({
    ...(own(fields, 'hook_event_name') === 'PreToolUse'
      ? { toolCall: { name: own(fields, 'tool_name') ?? '', args: own(fields, 'tool_input') ?? {} } }
      : { invocationNum: 1 }),
    conversationId: own(fields, 'session_id') ?? 'conversation',
    workspacePaths: [own(fields, 'cwd') ?? '/workspace'],
  }),
  answers: {
    pass: () => ({ decision: 'ask' }),
    deny: (_, reason) => ({ decision: 'deny', reason }),
    // A person who has said "always allow" is asked as well.
    ask: (_, reason) => ({ decision: 'force_ask', reason }),
    approve: (_, reason) => ({ decision: 'allow', reason }),
  },
  exitStyle: refuseByBody,
  // A failed hook gives this answer; Antigravity's documents do not say how it reads an exit code.
  hook: {
    heard: 'words',
    failed: String.raw`{\"decision\":\"deny\",\"reason\":\"the policy hook has failed\"}`,
  },
  installation: async () => (await import('./installation.ts')).installation,
});
