import { own } from '../../lib/json.ts';
import { approveRequest, IN_ENVELOPE, sayNothing } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, eventsWithout, NOTIFIES, READ } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { codeIn, JAVASCRIPT } from '../implied/code-text.ts';
import { typedIn } from '../implied/typed-text.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/** The events of Codex CLI (https://developers.openai.com/codex/hooks) with their kinds here. */
const EVENTS = eventsWithout('PostToolUseFailure', 'Notification');

/** Codex CLI: facts as of 0.171.0, measured on it. */
export const codex = hostOf({
  name: 'codex',
  title: 'Codex CLI',
  facts: 'measured on 0.171.0',
  events: EVENTS,
  /** Codex CLI 0.171 carries these out. One key too many, and it throws an answer away and runs the call. */
  everywhere: { model: 'sent' },
  supports: {
    session_start: { beside: READ, note: 'Of subagents too' },
    before_prompt: { can: ['deny'], beside: READ, note: 'A prompt cannot be rewritten, only denied' },
    before_tool: {
      can: ['modify', 'deny'],
      rewrites: CALL_REWRITES,
      beside: READ,
      repeatsRefused: true,
      note: 'Of the shell and of apply_patch only, a call can be rewritten, else it is refused. A refusal shows the model the command again. What is typed into a shell that runs already (write_stdin) and web searches are not shown',
    },
    approve_tool: {
      can: ['approve', 'ask', 'deny'],
      refusesUnasked: true,
      note: 'When Codex CLI is about to ask a person; the call is judged again. policy install asks for it only where a policy approves, or is for approve_tool alone',
    },
    after_tool: {
      can: ['deny'],
      beside: READ,
      note: 'A denied result is replaced by the reason. It cannot be rewritten: the model gets the rewritten text as the reason',
    },
    after_turn: { can: ['retry_feedback', 'abort_turn', 'hard_abort'], note: 'Of subagents too' },
    before_compact: NOTIFIES,
    after_compact: NOTIFIES,
    session_end: { ...NOTIFIES, model: 'remembered' },
  },
  /** Every shell of Codex CLI is called Bash in hooks, whatever the model calls it. */
  tools: {
    Bash: { classes: ['shell'], shell: 'system' },
    // The name that the model knows it by, should a version show that.
    exec_command: { classes: ['shell'], shell: 'system', aliases: { command: 'cmd', cwd: 'workdir' } },
    // Text for a shell that runs already, and code that calls tools. Versions up to 0.171 show neither.
    write_stdin: { classes: ['shell'], shell: 'system', implied: typedIn('chars', 'input') },
    exec: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'input', 'code') },
    js_repl: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'input', 'code') },
    apply_patch: { classes: ['edit'], aliases: { patch: 'command' } },
    view_image: { classes: ['read'] },
    web_search: { classes: ['web_search'] },
    spawn_agent: { classes: ['agent'] },
    spawn_agents_on_csv: { classes: ['agent', 'read'], aliases: { path: 'csv_path' } },
    ...toolsOf('agent', 'followup_task send_input resume_agent'),
    ...toolsOf('message', 'send_message send_message_to_user_async request_user_input*'),
    ...toolsOf('mcp', 'list_mcp_resource* read_mcp_resource'),
    ...inertTools(`
    clock__curr_time clock__sleep close_agent create_goal get_goal interrupt_agent js_repl_reset
    list_agents sleep tool_search tool_suggest update_goal update_plan wait wait_agent
  `),
    'mcp__*': { classes: ['mcp'] },
  },
  /** The result of a command is its output, whatever its exit code was: measured on 0.171. */
  results: { by: 'id' },
  /** These files decide which hooks run and are trusted, and which calls Codex CLI allows on its own. */
  guards: {
    paths: [
      '~/.codex/{hooks.json,config.toml,*.config.toml,requirements.toml,hooks/**,rules/**,plugins/**}',
      '**/.codex/{hooks.json,config.toml,*.config.toml,hooks/**,rules/**,plugins/**}',
      '/etc/codex/**',
      '**/ProgramData/OpenAI/Codex/**',
    ],
    notes: ['~/.codex/plugins/**/*.md', '**/.codex/plugins/**/*.md'],
    instructions: [
      '~/.codex/{agents/**/*.toml,plugins/**/*.md}',
      '**/.codex/{agents/**/*.toml,plugins/**/*.md}',
    ],
    moved: { $CODEX_HOME: '~/.codex' },
    escapes: {
      programs: ['codex'],
      // Without the user's configuration, Codex CLI knows no hook that a person has trusted.
      // A profile may switch hooks off.
      flags: ['--dangerously-bypass-hook-trust', '--ignore-user-config', '-p=', '--profile='],
      values: {
        '--config': String.raw`^\s*"?features"?\s*(\.\s*"?(codex_|plugin_)?hooks"?\s*=\s*"?(false|0)|=)|^\s*"?(hooks|profiles?|notify|mcp_servers)"?\s*[.=]`,
        '--disable': '^(codex_|plugin_)?hooks$',
      },
      subcommands: {
        'features disable': [{ args: { any: '^(codex_|plugin_)?hooks$' } }],
        ...verbsOf('plugin', 'install i add uninstall remove update enable disable'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
    },
  },
  write: (fields) => ({ turn_id: 'turn', ...fields }),
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    (Object.hasOwn(message, 'turn_id') || fieldContains(message, 'transcript_path', '/.codex/')),
  answers: {
    ...IN_ENVELOPE,
    stop: (on, reason) =>
      on.kind === 'after_turn' ? { continue: false, stopReason: reason } : IN_ENVELOPE.deny(on, reason),
    ask: sayNothing,
    approve: approveRequest,
    // Without the permission the host throws the rewrite away and runs the call as it was.
    rewrite: ({ native, subject: before }, { arguments: updatedInput = {} }) =>
      ['Bash', 'apply_patch'].includes(String(own(before, 'tool')))
        ? { hookSpecificOutput: { hookEventName: native, permissionDecision: 'allow', updatedInput } }
        : undefined,
  },
  installation: async () => (await import('./installation.ts')).installationFor,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
