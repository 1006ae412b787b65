import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { type AnsweredEvent, refuseByBody } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, NOTIFIES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { notebookCell } from '../implied/notebook-commands.ts';
import { typedIn } from '../implied/typed-text.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';
import { readMessage, twinOf } from './messages.ts';

/**
 * Events of Cursor (https://cursor.com/docs/hooks). Some calls come a second time, without an id, and count once; `policy
 * install` asks for the first only, unless policies need the second.
 */
const EVENTS = {
  sessionStart: 'session_start',
  beforeSubmitPrompt: 'before_prompt',
  preToolUse: 'before_tool',
  beforeShellExecution: 'approve_tool',
  beforeMCPExecution: 'approve_tool',
  beforeReadFile: 'approve_tool',
  postToolUse: 'after_tool',
  postToolUseFailure: 'tool_failure',
  stop: 'after_turn',
  subagentStart: 'session_start',
  subagentStop: 'after_turn',
  preCompact: 'before_compact',
  sessionEnd: 'session_end',
} as const;

const FILE = { path: 'file_path' };
const TEXTS = { old_text: 'old_string', new_text: 'new_string' };

/** The model reads one of the two, and which one differs. */
function refused(reason: string): JsonObject {
  return { permission: 'deny', user_message: reason, agent_message: reason };
}

function deny({ kind }: AnsweredEvent, reason: string): JsonObject | undefined {
  if (kind === 'before_tool' || kind === 'approve_tool') return refused(reason);
  return kind === 'before_prompt' ? { continue: false, user_message: reason } : undefined;
}

/** It wants a permission like a call, though the call of the tool that starts a subagent has been asked about. */
const SUBAGENT = 'subagentStart';

/** With `failClosed` silence is a refusal, so a call that may pass gets an answer. */
function pass({ kind, native }: AnsweredEvent): JsonObject {
  if (kind === 'before_tool' || kind === 'approve_tool' || native === SUBAGENT)
    return { permission: 'allow' };
  return kind === 'before_prompt' ? { continue: true } : {};
}

const EXIT_CODE = ['tool_output.exitCode', 'tool_output.exit_code'] as const;

/** Cursor: facts by its documents. */
export const cursor = hostOf({
  name: 'cursor',
  title: 'Cursor',
  facts: 'its documents',
  events: EVENTS,
  /** Cursor carries these out by its documents. */
  everywhere: { beside: [], model: 'sent' },
  supports: {
    session_start: { beside: ['add_context'], note: 'Of subagents too, without context' },
    before_prompt: { can: ['deny'], note: 'A prompt cannot be rewritten, only denied' },
    before_tool: {
      can: ['modify', 'deny'],
      rewrites: CALL_REWRITES,
      note: 'Its schema takes ask and does not enforce it, so it is a deny',
    },
    approve_tool: {
      can: ['approve', 'deny'],
      note: 'The second event of commands, MCP tools and files read; the call is judged again. policy install asks for it only where a policy approves, or is for approve_tool alone',
    },
    after_tool: { beside: ['add_context'], note: 'A result cannot be kept from the model: deny the call' },
    tool_failure: { beside: ['add_context'], note: 'Only notified' },
    after_turn: {
      can: ['retry_feedback'],
      note: 'Without the last words, but of subagents too. After five times it ends all the same',
    },
    before_compact: NOTIFIES,
    session_end: NOTIFIES,
  },
  /** The tools of Cursor by the names that its hooks see. Its versions name the arguments of a tool differently. */
  tools: {
    Shell: { classes: ['shell'], shell: 'system' },
    Read: { classes: ['read'], aliases: FILE, anyNames: true },
    Write: { classes: ['write'], aliases: FILE, anyNames: true },
    Edit: { classes: ['edit'], aliases: { ...FILE, ...TEXTS }, anyNames: true },
    StrReplace: { classes: ['edit'], aliases: TEXTS, anyNames: true },
    EditNotebook: {
      classes: ['edit'],
      aliases: { path: 'target_notebook', ...TEXTS },
      anyNames: true,
      implied: notebookCell('new_string', 'new_source'),
    },
    Delete: { classes: ['write'], anyNames: true },
    Grep: {
      classes: ['search'],
      aliases: { query: 'pattern' },
      globs: ['glob'],
      reads: { globs: ['list of globs'] },
    },
    WebFetch: { classes: ['fetch'] },
    WebSearch: { classes: ['web_search'] },
    Task: { classes: ['agent'] },
    // Text for a shell that runs already.
    WriteShellStdin: {
      classes: ['shell'],
      shell: 'system',
      implied: typedIn('input', 'stdin', 'text', 'chars', 'data', 'content'),
    },
    Glob: { classes: ['search', 'list'], aliases: { query: 'pattern', path: 'target_directory' } },
    LS: { classes: ['list'], aliases: { path: 'target_directory' } },
    SemanticSearch: { classes: ['search'], globs: ['target_directories'] },
    ReadLints: { classes: ['read'], globs: ['paths'] },
    AskQuestion: { classes: ['message'] },
    ...toolsOf('mcp', 'CallMcpTool FetchMcpResource ListMcpResources'),
    GenerateImage: { classes: ['write'], aliases: { path: 'filename' }, anyNames: true },
    ComputerUse: { classes: ['other'] },
    ...inertTools('Await CreatePlan RecordScreen SwitchMode TodoWrite UpdateCurrentStep'),
    'MCP:*': { classes: ['mcp'] },
  },
  /** By its documents a failure has an event of its own, and the output of a command its exit code. */
  results: {
    by: 'id',
    marks: [
      { at: ['failure_type'], is: 'permission_denied', means: 'not_run' },
      { at: ['is_interrupt'], means: 'unknown' },
      { of: 'shell', at: EXIT_CODE, is: 0, means: 'succeeded' },
      { of: 'shell', at: EXIT_CODE, means: 'failed' },
      { of: 'shell', at: ['tool_output'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which hooks run, and which calls Cursor allows on its own. */
  guards: {
    paths: [
      '~/.cursor/{hooks.json,hooks/**,mcp.json,permissions.json,cli-config.json,plugins/**}',
      '**/.cursor/{hooks.json,hooks/**,mcp.json,permissions.json,cli.json,plugins/**}',
      '/etc/cursor/**',
      '/Library/Application Support/Cursor/**',
      '**/ProgramData/Cursor/**',
    ],
    notes: ['~/.cursor/plugins/**/*.md', '**/.cursor/plugins/**/*.md'],
    instructions: ['**/.cursor/{agents,skills,commands,plugins}/**/*.md'],
    escapes: {
      programs: ['cursor-agent'],
      subcommands: verbsOf('mcp', 'add enable disable remove'),
      elsewhere: ['CURSOR_CONFIG_DIR', 'XDG_CONFIG_HOME'],
    },
  },
  read: readMessage,
  write: ({ session_id = 'session', tool_response, ...fields }) => ({
    conversation_id: session_id,
    generation_id: 'generation',
    cursor_version: '3',
    workspace_roots: ['/workspace'],
    ...fields,
    ...(tool_response === undefined ? {} : { tool_output: tool_response }),
  }),
  twin: twinOf,
  recognise: (message) =>
    ownString(message, 'cursor_version') !== undefined ||
    (Object.hasOwn(message, 'conversation_id') && Object.hasOwn(message, 'generation_id')),
  answers: {
    deny,
    pass,
    retry: ({ kind }, feedback) => (kind === 'after_turn' ? { followup_message: feedback } : undefined),
    beside: ({ native }, { contexts }) =>
      contexts.length === 0 || native === SUBAGENT ? {} : { additional_context: contexts.join('\n') },
    rewrite: ({ kind }, subject) =>
      kind === 'before_tool'
        ? { permission: 'allow', updated_input: own(subject, 'arguments') ?? {} }
        : undefined,
  },
  // Beside exit code 2 the words themselves would be the reason.
  exitStyle: (body, reason, kind) =>
    refuseByBody(kind === undefined ? { ...refused(reason), continue: false } : body),
  hook: { beside: { timeout: 60, failClosed: true } },
  installation: async () => (await import('./installation.ts')).installation,
});
