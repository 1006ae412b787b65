import { own } from '../../lib/json.ts';
import { IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, RESULT_REWRITES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import type { Support } from '../host.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools } from '../tool-rows.ts';

/** The hooks of OpenCode's plugins (https://opencode.ai/docs/plugins) that ours sends on, with their kinds here. */
const EVENTS = {
  'plugin.load': 'session_start',
  'chat.message': 'before_prompt',
  'tool.execute.before': 'before_tool',
  'tool.execute.after': 'after_tool',
} as const;

const FILE = { path: 'filePath' };

const SENT = {
  beside: [],
  context: ['cwd', 'session', 'host', 'agent', 'subagent'],
  model: 'sent',
} as const satisfies Partial<Support>;

/** OpenCode, asked by a plugin of ours: facts as of 1.18.33, measured on it. */
export const opencode = hostOf({
  name: 'opencode',
  title: 'OpenCode',
  facts: 'measured on 1.18.33',
  events: EVENTS,
  /** OpenCode 1.18.33 carries these out with our plugin in it. */
  everywhere: SENT,
  supports: {
    session_start: { context: ['cwd', 'host'], model: 'never' },
    before_prompt: {
      can: ['deny'],
      note: 'A denied prompt is not sent, and the person reads of a server error. The prompts of subagents count, too',
    },
    before_tool: {
      can: ['modify', 'deny'],
      rewrites: CALL_REWRITES,
      note: 'The tools of subagents too. OpenCode asks for permission after this event, for the rewritten call',
    },
    after_tool: {
      can: ['modify', 'deny'],
      rewrites: RESULT_REWRITES,
      note: 'A denied result is replaced by the reason. The person may still be shown what the tool said. Of a tool that fails there is no such event',
    },
  },
  /** The tools of OpenCode 1.18. Those of servers are called `server_tool`, so only their arguments show their effects. */
  tools: {
    bash: { classes: ['shell'], aliases: { cwd: 'workdir' } },
    // The same in 2.x, where files are at `path`.
    shell: { classes: ['shell'], aliases: { cwd: 'workdir' } },
    read: { classes: ['read'], aliases: FILE },
    write: { classes: ['write'], aliases: FILE },
    edit: { classes: ['edit'], aliases: { ...FILE, old_text: 'oldString', new_text: 'newString' } },
    multiedit: {
      classes: ['edit'],
      aliases: FILE,
      lists: { edits: { old_text: 'oldString', new_text: 'newString' } },
    },
    apply_patch: { classes: ['edit'], aliases: { patch: 'patchText' } },
    patch: { classes: ['edit'], aliases: { patch: 'patchText' } },
    list: { classes: ['list'] },
    grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['include'] },
    glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
    webfetch: { classes: ['fetch'] },
    websearch: { classes: ['web_search'] },
    task: { classes: ['agent'] },
    question: { classes: ['message'] },
    lsp: { classes: ['read'], aliases: FILE },
    codesearch: { classes: ['web_search'] },
    ...inertTools('invalid plan_enter plan_exit skill todoread todowrite'),
  },
  /** Our plugin sends the exit code on. Of a tool that fails there is no event: measured on 1.18.33. */
  results: {
    by: 'id',
    marks: [
      { of: 'shell', at: ['exit_code'], is: 0, means: 'succeeded' },
      { of: 'shell', at: ['exit_code'], means: 'failed' },
      { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'unknown'],
  },
  /** The plugins, the settings that switch them off, and the calls that OpenCode allows on its own. */
  guards: {
    paths: [
      '~/.config/opencode/{opencode.json*,config.json,{plugin,tool}{,s}/**}',
      '**/.opencode/{opencode.json*,{plugin,tool}{,s}/**}',
      '**/opencode.json{,c}',
    ],
    moved: { '$XDG_CONFIG_HOME/opencode': '~/.config/opencode' },
    escapes: {
      programs: ['opencode', 'opencode-ai'],
      flags: ['--pure'],
      subcommands: {
        // Whatever word follows is a package that is installed.
        plugin: true,
        plug: true,
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
      off: ['OPENCODE_PURE', 'OPENCODE_DISABLE_PROJECT_CONFIG'],
      elsewhere: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_TEST_HOME'],
    },
  },
  recognise: (message) => namesEvent(message, EVENTS),
  answers: {
    deny: IN_ENVELOPE.deny,
    rewrite: ({ kind }, subject) =>
      kind === 'before_tool'
        ? { updatedInput: own(subject, 'arguments') ?? {} }
        : { updatedToolOutput: own(subject, 'result') ?? null },
  },
  hook: { untyped: true },
  installation: async () => (await import('./installation.ts')).installationFor,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
