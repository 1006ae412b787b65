import { own, ownObject, ownString } from '../../lib/json.ts';
import type { ArgumentReadings } from '../../model/event.ts';
import { refuseByBody, refuseByBodyAndExitCode } from '../dialect/answers.ts';
import { approveRequest, IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { eventsWithout, NOTIFIES, READ } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { codeIn, JAVASCRIPT } from '../implied/code-text.ts';
import { notebookCell } from '../implied/notebook-commands.ts';
import { worktreeEnd } from '../implied/worktree-end.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf, withReads } from '../tool-rows.ts';

/** Events of Qwen Code (https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks) with their kinds here. */
const EVENTS = eventsWithout('PostCompact');

const FILE = { path: 'file_path' };

/** `unescapePath(path.trim())` */
const READS: ArgumentReadings = { path: ['trimmed', 'without escapes'], globs: ['trimmed'] };

/** Qwen Code: facts as of 0.24.4, measured on it. */
export const qwen = hostOf({
  name: 'qwen',
  title: 'Qwen Code',
  facts: 'measured on 0.24.4',
  events: EVENTS,
  /** Qwen Code 0.24.4 carries these out. */
  supports: {
    session_start: { beside: READ },
    before_prompt: { can: ['deny'], beside: READ, note: 'A prompt cannot be rewritten, only denied' },
    before_tool: {
      can: ['ask', 'deny'],
      beside: READ,
      refusesUnasked: true,
      note: 'It says that it takes rewrites and runs the call as it was, so a rewrite is a refusal',
    },
    approve_tool: {
      can: ['approve', 'ask', 'deny'],
      refusesUnasked: true,
      note: 'When Qwen Code is about to ask a person; the call is judged again. policy install asks for it only where a policy approves, or is for approve_tool alone',
    },
    after_tool: {
      can: ['deny'],
      beside: READ,
      note: 'It cannot be rewritten: the model gets the rewritten text as the reason',
    },
    tool_failure: { beside: READ, note: 'Only notified' },
    after_turn: { can: ['retry_feedback'], note: 'Of subagents too' },
    before_compact: NOTIFIES,
    notification: NOTIFIES,
    session_end: NOTIFIES,
  },
  /** The tools of Qwen Code 0.24 by their runtime ids. */
  tools: withReads(
    {
      run_shell_command: { classes: ['shell'], shell: 'system', aliases: { cwd: 'directory' } },
      monitor: { classes: ['shell'], shell: 'system', background: true },
      read_file: { classes: ['read'], aliases: FILE },
      read_many_files: { classes: ['read'], globs: ['paths', 'include'] },
      write_file: { classes: ['write'], aliases: FILE },
      edit: { classes: ['edit'], aliases: { ...FILE, old_text: 'old_string', new_text: 'new_string' } },
      list_directory: { classes: ['list'] },
      grep_search: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['glob'] },
      glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
      web_fetch: { classes: ['fetch'] },
      web_search: { classes: ['web_search'] },
      ...toolsOf('agent', 'agent task'),
      ask_user_question: { classes: ['message'] },
      save_memory: { classes: ['memory'], aliases: { content: 'fact' } },
      exec: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'source', 'input') },
      notebook_edit: {
        classes: ['edit'],
        aliases: { path: 'notebook_path', new_text: 'new_source' },
        implied: notebookCell('new_source'),
      },
      lsp: { classes: ['read'], aliases: { path: 'filePath' } },
      zoom_image: { classes: ['read'], aliases: FILE },
      display_image: { classes: ['read'], aliases: FILE },
      artifact: { classes: ['message', 'read'], aliases: FILE },
      record_artifact: { classes: ['read'], aliases: FILE },
      send_message: { classes: ['message'] },
      workflow: {
        classes: ['agent', 'read'],
        aliases: { path: 'scriptPath' },
        implied: codeIn(JAVASCRIPT, 'script'),
      },
      ...toolsOf('agent', 'create_sub_session team_create'),
      ...toolsOf('schedule', 'cron_create loop_wakeup'),
      read_mcp_resource: { classes: ['mcp'] },
      enter_worktree: { classes: ['other'] },
      exit_worktree: { classes: ['other'], inert: true, implied: worktreeEnd },
      ...toolsOf('other', 'image_gen omni_*'),
      // The screen.
      'computer_use__*': { classes: ['other'] },
      // The tool behind it is shown, and not this one.
      tool_call: { classes: ['other'] },
      ...inertTools(`
    cron_delete cron_list enter_plan_mode exit_plan_mode get_goal list_agents propose_goal
    record_source report_findings request_shutdown skill structured_output task_create task_list
    task_stop task_update team_delete team_plan_approval todo_write tool_search update_goal
  `),
      'mcp__*': { classes: ['mcp'] },
    },
    READS,
  ),
  /** `PostToolUse` comes for a call that has succeeded or goes on, `PostToolUseFailure` for one that has failed: measured on 0.24.4. */
  results: {
    by: 'id',
    marks: [
      { at: ['tool_input.is_background', 'is_interrupt'], means: 'unknown' },
      { of: 'shell', at: ['tool_response.llmContent'], is: /^(?:Command|Directory): /, means: 'succeeded' },
      { of: 'shell', at: ['tool_response'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which hooks run, and which calls Qwen Code allows on its own. */
  guards: {
    paths: [
      '~/.qwen/{settings.json,trustedFolders.json,.env,extensions/**}',
      '**/.qwen/{settings.json,.env,extensions/**}',
      '/etc/qwen-code/**',
      '/Library/Application Support/QwenCode/**',
      '**/ProgramData/qwen-code/**',
    ],
    notes: ['~/.qwen/extensions/**/*.md', '**/.qwen/extensions/**/*.md'],
    instructions: ['**/.qwen/{agents,skills,commands,extensions}/**/*.md'],
    escapes: {
      programs: ['qwen', 'qwen-code'],
      flags: ['--bare', '--safe-mode', '--settings=', '--setting-sources=', '--config-dir=', '--mcp-config='],
      subcommands: {
        ...verbsOf('extensions', 'install i add uninstall remove update enable disable link'),
        ...verbsOf('hooks', 'enable disable migrate install uninstall add remove'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
      elsewhere: ['QWEN_HOME', 'QWEN_CONFIG_DIR', 'QWEN_CODE_SYSTEM_*', 'QWEN_CODE_TRUSTED_*'],
    },
  },
  write: (fields) => ({ timestamp: '2026-01-01T00:00:00.000Z', permission_mode: 'default', ...fields }),
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    Object.hasOwn(message, 'timestamp') &&
    !Object.hasOwn(message, 'hookEventName') &&
    Object.hasOwn(message, 'permission_mode'),
  read: (message) => {
    const result = ownObject(message, 'tool_response');
    // Its sessions know a call by this id.
    const id = ownString(message, 'tool_call_id');
    return {
      ...message,
      ...(id === undefined ? {} : { tool_use_id: id }),
      ...(result === undefined ? {} : { tool_response: own(result, 'llmContent') ?? result }),
    };
  },
  answers: {
    ...IN_ENVELOPE,
    // Only a stop keeps a result back, and it stops no more than that.
    deny: (on, reason) =>
      on.kind === 'after_tool' ? { continue: false, stopReason: reason } : IN_ENVELOPE.deny(on, reason),
    stop: (on, reason) => ({ continue: false, stopReason: reason, ...IN_ENVELOPE.deny(on, reason) }),
    approve: approveRequest,
  },
  // Beside exit code 2 it reads no words, and of a result only words count.
  exitStyle: (body, reason, kind) =>
    kind === undefined || kind === 'after_tool' ? refuseByBody(body) : refuseByBodyAndExitCode(body, reason),
  // In milliseconds, unlike its kin; newer versions take seconds, and so large a number for milliseconds still.
  hook: { beside: { timeout: 60_000 } },
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
