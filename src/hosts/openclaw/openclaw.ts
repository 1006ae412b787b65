import { quotedWord, runnerText } from '../../lib/command-argument.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, NOTIFIES } from '../dialect/support.ts';
import { alwaysChanging, verbsOf } from '../guards.ts';
import type { HostTool } from '../host.ts';
import { codeIn, JAVASCRIPT } from '../implied/code-text.ts';
import { type ImpliedBy, type ImpliedCall, shellCall } from '../implied/implied-call.ts';
import { typedIn } from '../implied/typed-text.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/** The hooks of OpenClaw's plugins (https://docs.openclaw.ai/plugins/hooks/reference) that ours sends on, with their kinds here. */
const EVENTS = {
  'gateway.load': 'session_start',
  before_tool_call: 'before_tool',
  after_tool_call: 'after_tool',
} as const;

/** `normalizeFileReferencePrefix`, then `fileURLToPath` */
const READS = { path: ['without @', 'path of a URI'] } as const satisfies HostTool['reads'];

/** Calls of the gateway that change plugins and settings, answer questions, and run tools. */
const CHANGING_METHODS = String.raw`^(plugins\.(setEnabled|install|uninstall|reload|refresh)|config\.(set|patch|apply)|(openclaw|wizard)\.(chat|setup|start|next)|(exec\.|plugin\.|openclaw\.)?approvals?\.(.*\.)?(resolve|set)|tools\.invoke)`;

/** OpenClaw, asked by a plugin of ours in its gateway: facts as of 2026.9.6, measured on it. */
export const openclaw = hostOf({
  name: 'openclaw',
  title: 'OpenClaw',
  facts: 'measured on 2026.9.6',
  events: EVENTS,
  /** OpenClaw 2026.9.6 carries these out with our plugin in it. */
  everywhere: { beside: [], context: ['cwd', 'session', 'host', 'agent', 'subagent'] },
  supports: {
    session_start: { context: ['cwd', 'host'] },
    before_tool: {
      can: ['ask', 'modify', 'deny'],
      rewrites: CALL_REWRITES,
      note: 'The tools of subagents too. A question that nobody answers is a refusal',
    },
    after_tool: NOTIFIES,
  },
  /** The tools of OpenClaw 2026.9. Those of servers and plugins have names of their own, so only their arguments show their effects. */
  tools: {
    exec: { classes: ['shell'], shell: 'system', aliases: { cwd: 'workdir' } },
    node_exec: { classes: ['shell'], shell: 'system', aliases: { cwd: 'workdir' } },
    process: { classes: ['shell'], implied: typedIn('data', 'literal', 'text', 'keys') },
    code_mode_exec: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'code', 'command') },
    read: { classes: ['read'], reads: READS },
    write: { classes: ['write'], reads: READS },
    edit: {
      classes: ['edit'],
      lists: { edits: { old_text: 'oldText', new_text: 'newText' } },
      reads: READS,
    },
    apply_patch: { classes: ['edit'], aliases: { patch: 'input' } },
    ls: { classes: ['list'], reads: READS },
    web_fetch: { classes: ['fetch'] },
    web_search: { classes: ['web_search'] },
    browser: { classes: ['fetch'] },
    ...toolsOf('message', 'message ask_user conversations_send conversations_turn'),
    ...toolsOf('agent', 'sessions_spawn sessions_send'),
    // Its tools are a system agent's, and no plugin is asked about them.
    openclaw: { classes: ['agent'], implied: cliOf('setup --message', 'message') },
    automations: { classes: ['schedule'], implied: scripts },
    plugins: {
      classes: ['install'],
      cases: {
        by: 'action',
        of: { list: { classes: ['other'] }, inspect: { classes: ['other'] }, search: { classes: ['other'] } },
      },
      implied: cliOf('plugins', 'action', 'pluginId', 'packageName'),
    },
    skill_workshop: { classes: ['install'] },
    gateway: { classes: ['other'], implied: cliOf('gateway call', 'action') },
    // The tool behind it is shown, too.
    tool_call: { classes: ['other'] },
    ...toolsOf(
      'other',
      `canvas dashboard github_identity_status mobile_ui nodes node_inference portal secrets sessions
       terminal transcripts tts`,
    ),
    ...inertTools(`
    agents_list agents_wait conversations_list create_goal get_goal progress_card session_status
    sessions_history sessions_list sessions_search sessions_yield subagents theme tool_describe
    tool_search update_goal
  `),
  },
  /** Our plugin sends the status and the exit code on: measured on 2026.9.6. */
  results: {
    by: 'id',
    marks: [
      { at: ['status'], is: 'blocked', means: 'not_run' },
      { at: ['status'], is: 'error', means: 'failed' },
      { of: 'shell', at: ['exit_code'], is: 0, means: 'succeeded' },
      { of: 'shell', at: ['exit_code'], means: 'failed' },
      { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'unknown'],
  },
  /** The plugin, the settings that switch it off, and runs without plugins. */
  guards: {
    paths: ['~/.openclaw/{openclaw.json*,extensions/**,exec-approvals.json}', '**/.openclaw/extensions/**'],
    moved: { $OPENCLAW_STATE_DIR: '~/.openclaw', '$OPENCLAW_HOME/.openclaw': '~/.openclaw' },
    escapes: {
      programs: ['openclaw'],
      flags: ['--local', '--dev', '--profile=', '--yes'],
      subcommands: {
        'agent exec': true,
        // The first two are `tui --local`; the rest sets it up anew, or hands it to an agent that does.
        ...alwaysChanging('chat terminal setup onboard configure reset uninstall'),
        ...verbsOf('plugins', 'install uninstall enable disable update reload link'),
        ...verbsOf('hooks', 'install update enable disable'),
        ...verbsOf('config', 'set unset patch'),
        ...verbsOf('mcp', 'add set unset remove configure'),
        ...verbsOf('approvals', 'resolve set allowlist'),
        ...verbsOf('exec-approvals', 'resolve set allowlist'),
        ...verbsOf('exec-policy', 'preset set'),
        'gateway call': [{ args: { any: CHANGING_METHODS } }],
      },
      elsewhere: ['OPENCLAW_CONFIG_PATH', 'OPENCLAW_PROFILE'],
    },
  },
  recognise: (message) => namesEvent(message, EVENTS),
  answers: {
    deny: IN_ENVELOPE.deny,
    ask: (on, reason) => (on.kind === 'before_tool' ? IN_ENVELOPE.ask(on, reason) : undefined),
    rewrite: ({ kind }, subject) =>
      kind === 'before_tool' ? { updatedInput: own(subject, 'arguments') ?? {} } : undefined,
  },
  hook: { untyped: true },
  installation: async () => (await import('./installation.ts')).installationFor,
});

/** For tools that do the same as the program: its command line, with the values of these arguments. */
function cliOf(subcommand: string, ...names: readonly string[]): ImpliedBy {
  return (args) => {
    const words = names.map((name) => (ownString(args, name) ?? '').trim()).filter((word) => word !== '');
    return shellCall(['openclaw', subcommand, ...words.map(quotedWord)].join(' '));
  };
}

/** An automation's scripts, of its payload and of its trigger, run as code that calls the agent's tools. */
function scripts(args: JsonObject): ImpliedCall | undefined {
  return shellCall(
    scriptsIn(args)
      .map((code) => runnerText(JAVASCRIPT, code))
      .join('\n'),
  );
}

function scriptsIn(value: JsonObject | readonly Json[]): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return key.trim() === 'script' ? [inner] : [];
    return isJsonObject(inner) || Array.isArray(inner) ? scriptsIn(inner) : [];
  });
}
