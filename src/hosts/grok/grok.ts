import { type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { ArgumentReadings } from '../../model/event.ts';
import { type AnsweredEvent, refuseByBody, refuseByBodyAndExitCode } from '../dialect/answers.ts';
import { eventOutput, IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { refusedResult } from '../dialect/result-texts.ts';
import { CALL_REWRITES, eventsWithout, RESULT_REWRITES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import type { Support } from '../host.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';
import { inBytes, inText } from './result-bytes.ts';

/** Events of Grok Build (https://docs.x.ai/build/features/hooks) with their kinds here. */
const EVENTS = eventsWithout('PermissionRequest');

/** Quotes and white space around a path are taken off, but by `search_replace`. */
const READS: ArgumentReadings = { path: ['without quotes'] };
const FILE = { path: 'file_path' };

const NOTED = { beside: ['add_context'] } as const satisfies Partial<Support>;

/** A result is replaced by one of the same shape, else Grok Build keeps it. */
function replaced({ raw = {} }: AnsweredEvent, result: Json): JsonObject {
  return { updatedToolOutput: inBytes(own(raw, 'tool_response') ?? null, result) };
}

const MODE_WITHOUT_QUESTIONS = 'bypassPermissions';

/** Grok Build: facts as of 1.0.41, measured on it. */
export const grok = hostOf({
  name: 'grok',
  title: 'Grok Build',
  facts: 'measured on 1.0.41',
  events: EVENTS,
  /** Grok Build 1.0.41 carries these out. */
  everywhere: { beside: [] },
  supports: {
    session_start: { note: 'Only notified' },
    before_prompt: {
      can: ['deny'],
      note: 'What a person types can be denied; the prompt of a subagent is shown, but cannot be stopped',
    },
    before_tool: {
      can: ['modify', 'ask', 'deny'],
      ...NOTED,
      rewrites: CALL_REWRITES,
      refusesUnasked: true,
      note: 'With --always-approve nobody is asked, so ask is a refusal there. Calls with more than 256 KiB of arguments are refused, for they are shown in part',
    },
    after_tool: {
      can: ['modify', 'deny'],
      ...NOTED,
      rewrites: RESULT_REWRITES,
      note: 'The person may still be shown what the tool said. A result of more than 256 KiB is shown in part and cannot be kept from the model',
    },
    tool_failure: { ...NOTED, note: 'Only notified' },
    after_turn: { can: ['retry_feedback'], note: 'Of subagents too' },
    before_compact: { note: 'Only notified' },
    after_compact: { note: 'Only notified' },
    notification: { note: 'Only notified' },
    session_end: { note: 'Only notified' },
  },
  /** The tools of Grok Build 1.0. Those of servers are called `server__tool`. */
  tools: {
    run_terminal_command: { classes: ['shell'], shell: 'system' },
    monitor: { classes: ['shell'], shell: 'system', background: true },
    read_file: { classes: ['read'], aliases: { path: 'target_file' }, reads: READS },
    write: { classes: ['write'], aliases: FILE, reads: READS },
    search_replace: {
      classes: ['edit'],
      aliases: { ...FILE, old_text: 'old_string', new_text: 'new_string' },
      reads: READS,
    },
    list_dir: { classes: ['list'], aliases: { path: 'target_directory' }, reads: READS },
    grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['glob'], reads: READS },
    // In the place of these for some models; their arguments are found by their names.
    hashline_read: { classes: ['read'], reads: READS },
    hashline_edit: { classes: ['edit'], reads: READS },
    hashline_grep: { classes: ['search'], reads: READS },
    lsp: { classes: ['read'], reads: READS },
    web_fetch: { classes: ['fetch'] },
    web_search: { classes: ['web_search'] },
    spawn_subagent: { classes: ['agent'] },
    workflow: { classes: ['agent', 'other'] },
    scheduler_create: { classes: ['schedule'] },
    ...toolsOf('message', 'ask_user_question send_feedback'),
    // The tool of a server behind it is shown, and not this one.
    use_tool: { classes: ['mcp'] },
    ...toolsOf('other', 'image_edit image_gen image_to_video reference_to_video'),
    ...inertTools(`
    enter_plan_mode exit_plan_mode get_command_or_subagent_output get_terminal_command_output
    kill_command_or_subagent kill_terminal_command scheduler_delete scheduler_list search_tool skill
    todo_write update_goal
  `),
    'mcp__*': { classes: ['mcp'] },
  },
  /** The result of a command has its exit code: measured on 1.0.41. */
  results: {
    by: 'id',
    marks: [
      { of: 'shell', at: ['tool_response.signal'], means: 'unknown' },
      { of: 'shell', at: ['tool_response.exit_code'], is: 0, means: 'succeeded' },
      { of: 'shell', at: ['tool_response.exit_code'], means: 'failed' },
      { of: 'shell', at: ['tool_response'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which hooks run, and which calls Grok Build allows on its own. */
  guards: {
    paths: [
      '~/.grok/{{config,managed_config,requirements,trusted_folders,sandbox}.toml,{hooks-paths,disabled-hooks},{hooks,plugins}/**}',
      '**/.grok/{config.toml,{hooks,plugins}/**}',
      '/etc/grok/**',
    ],
    notes: ['~/.grok/plugins/**/*.md', '**/.grok/plugins/**/*.md'],
    instructions: ['**/.grok/{agents,skills,commands,plugins}/**/*.md'],
    moved: { $GROK_HOME: '~/.grok' },
    escapes: {
      programs: ['grok'],
      values: { '--agents': 'hooks|mcpServers' },
      subcommands: {
        ...verbsOf('plugin', 'install uninstall rm remove update enable disable'),
        ...verbsOf('mcp', 'add remove enable disable'),
      },
      unasked: { flags: ['--always-approve'], values: { '--permission-mode': 'bypassPermissions' } },
      elsewhere: ['GROK_CONFIG', 'GROK_CONFIG_PATH'],
    },
  },
  write: (fields) => ({
    hookEventName: snakeCase(ownString(fields, 'hook_event_name') ?? ''),
    timestamp: '2026-01-01T00:00:00.000Z',
    permission_mode: 'default',
    ...fields,
  }),
  recognise: (message) =>
    Object.keys(EVENTS).some(
      (event) => ownString(message, 'hookEventName') === snakeCase(event) && hasName(message, event),
    ),
  // It sends most fields under the names of the dialect as well as under its own.
  read(message) {
    const tool = ownString(message, 'tool_name');
    const agent = ownString(message, 'subagentType');
    const result = own(message, 'tool_response');
    return {
      ...message,
      prompt_id: own(message, 'promptId') ?? null,
      last_assistant_message: own(message, 'lastAssistantMessage') ?? null,
      ...(agent === undefined ? {} : { agent_type: agent, agent_id: own(message, 'session_id') ?? agent }),
      ...(tool === undefined ? {} : { tool_name: portableName(tool) }),
      ...(result === undefined ? {} : { tool_response: inText(result) }),
    };
  },
  answers: {
    deny: (on, reason) =>
      on.kind === 'after_tool'
        ? eventOutput(on, replaced(on, refusedResult(own(on.subject, 'result') ?? null, reason)))
        : IN_ENVELOPE.deny(on, reason),
    ask: (on, reason) =>
      on.context?.permission_mode === MODE_WITHOUT_QUESTIONS ? undefined : IN_ENVELOPE.ask(on, reason),
    retry: IN_ENVELOPE.retry,
    beside: (on, { contexts }) => IN_ENVELOPE.beside(on, { messages: [], contexts }),
    rewrite: (on, subject) =>
      eventOutput(
        on,
        on.kind === 'before_tool'
          ? { updatedInput: own(subject, 'arguments') ?? {} }
          : replaced(on, own(subject, 'result') ?? null),
      ),
  },
  // Beside exit code 2 the words that replace a result are not read.
  exitStyle: (body, reason, kind) =>
    kind === 'after_tool' ? refuseByBody(body) : refuseByBodyAndExitCode(body, reason),
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});

function hasName(message: JsonObject, event: string): boolean {
  const name = own(message, 'hook_event_name');
  return name === undefined || name === event;
}

function snakeCase(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
}

/** The name of a server's tool as in other hosts: no tool of its own has two underscores in its name. */
function portableName(tool: string): string {
  return /^(?!mcp__).+__/.test(tool) ? `mcp__${tool}` : tool;
}
