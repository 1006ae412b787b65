import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { hostOf } from '../dialect/host-of.ts';
import { NOTIFIES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { codeIn, JAVASCRIPT } from '../implied/code-text.ts';
import type { ImpliedCall } from '../implied/implied-call.ts';
import { namesEvent } from '../recognise.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';

/**
 * Events of goose (documentation/docs/guides/context-engineering/hooks.md in block/goose). Those about files, commands and
 * prompts cannot refuse anything, so they are left out.
 */
const EVENTS = {
  SessionStart: 'session_start',
  PreToolUse: 'before_tool',
  PostToolUse: 'after_tool',
  PostToolUseFailure: 'tool_failure',
  Stop: 'after_turn',
  SessionEnd: 'session_end',
} as const;

function said(fields: JsonObject, from: string, to: string): JsonObject {
  const value = own(fields, from);
  return value === undefined ? {} : { [to]: value };
}

/** goose: facts by its documents and its source. */
export const goose = hostOf({
  name: 'goose',
  title: 'goose',
  facts: 'its documents',
  events: EVENTS,
  /** goose carries these out by its documents and its source. */
  everywhere: { beside: [] },
  supports: {
    session_start: NOTIFIES,
    before_tool: { can: ['deny'], note: 'Nobody can be asked and nothing rewritten: both are a deny' },
    after_tool: { note: 'Only notified, without the result: deny the call' },
    tool_failure: { note: 'Only notified, without the error' },
    after_turn: { can: ['retry_feedback'], note: 'After a few times in a row it ends all the same' },
    session_end: NOTIFIES,
  },
  /** The tools of goose's own extensions; those of other extensions are called by extension and tool, like any other. */
  tools: {
    developer__shell: { classes: ['shell'], shell: 'system' },
    developer__write: { classes: ['write'] },
    developer__edit: { classes: ['edit'], aliases: { old_text: 'before', new_text: 'after' } },
    developer__tree: { classes: ['list'] },
    developer__read_image: { classes: ['read'], aliases: { path: 'source' } },
    developer__image_processor: { classes: ['read'] },
    developer__text_editor: {
      classes: ['edit', 'write'],
      aliases: { content: 'file_text', old_text: 'old_str', new_text: 'new_str' },
      cases: { by: 'command', of: { view: { classes: ['read'], aliases: {} } } },
    },
    // Tools that the code calls are not shown to a hook.
    code_execution__execute_code: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'code') },
    code_execution__execute_typescript: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'code') },
    // Scripts for the screen: of a shell, or for it.
    computercontroller__automation_script: { classes: ['shell'], implied: scriptIn },
    'computercontroller__computer_control*': { classes: ['shell'], implied: codeIn('', 'script') },
    computercontroller__web_scrape: { classes: ['fetch'], aliases: { path: 'save_as' } },
    platform__manage_schedule: { classes: ['schedule'] },
    ...toolsOf('install', 'platform__manage_extensions extensionmanager__manage_extensions'),
    ...toolsOf('agent', 'dynamic_task__* subagent__* delegate summon__delegate'),
    ...inertTools(`
    code_execution__read_module code_execution__search_modules developer__list_windows
    developer__screen_capture extensionmanager__search_available_extensions load skills__loadSkill
    summon__load todo__todo_read todo__todo_write
  `),
  },
  /** By its documents a failure has an event of its own; whether that of a command has, they do not say. */
  results: {
    by: 'id',
    marks: [{ of: 'shell', at: ['event'], is: 'PostToolUse', means: 'unknown' }],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which plugins run, and which calls goose allows on its own. */
  guards: {
    paths: [
      '~/.agents/plugins/**',
      '**/.agents/plugins/**',
      '~/.config/goose/{config.yaml,settings.json,permission.yaml}',
      '**/.config/goose/settings{,.local}.json',
      '~/AppData/Roaming/Block/goose/config/{config.yaml,settings.json,permission.yaml}',
    ],
    notes: ['~/.agents/plugins/**/*.md', '**/.agents/plugins/**/*.md'],
    // Recipes name the servers that they start.
    servers: ['**/.goose/recipes/**/*.{yaml,yml,json}', '~/.config/goose/recipes/**/*.{yaml,yml,json}'],
    instructions: ['**/.agents/{agents,skills,commands,plugins}/**/*.md'],
    escapes: {
      programs: ['goose'],
      // A command that is started as a server.
      flags: ['--with-extension='],
      subcommands: verbsOf('plugin', 'install i add uninstall remove update enable disable'),
      elsewhere: ['GOOSE_PATH_ROOT', 'XDG_CONFIG_HOME'],
    },
  },
  read: (message) => ({
    ...message,
    ...said(message, 'event', 'hook_event_name'),
    ...said(message, 'working_dir', 'cwd'),
    ...said(message, 'tool_call_id', 'tool_use_id'),
  }),
  write: ({ hook_event_name = '', cwd = '', prompt: _told, tool_response: _unsent, ...fields }) => ({
    event: hook_event_name,
    matcher_context: ownString(fields, 'tool_name') ?? '',
    working_dir: cwd,
    ...fields,
  }),
  recognise: (message) =>
    namesEvent(message, EVENTS, 'event') &&
    !Object.hasOwn(message, 'hook_event_name') &&
    !Object.hasOwn(message, 'cwd') &&
    ['matcher_context', 'working_dir', 'session_id'].some((field) => Object.hasOwn(message, field)),
  answers: {
    deny: ({ kind }, reason) => (kind === 'before_tool' ? { decision: 'block', reason } : undefined),
    // With `on_failure: block` all that is no decision is a refusal.
    pass: ({ kind }) => (kind === 'before_tool' ? { decision: 'allow' } : {}),
    retry: ({ kind }, reason) => (kind === 'after_turn' ? { decision: 'block', reason } : undefined),
  },
  hook: { beside: { timeout: 60, on_failure: 'block' } },
  installation: async () => (await import('./installation.ts')).installation,
});

/** These run the languages of `automation_script`; any other is read as a shell's. */
const RUNNERS: Readonly<Record<string, string>> = {
  ruby: 'ruby -e',
  python: 'python3 -c',
  powershell: 'pwsh -Command',
};

/** A script in the language that is beside it. */
function scriptIn(args: JsonObject): ImpliedCall | undefined {
  const language = (ownString(args, 'language') ?? '').toLowerCase();
  const runner = Object.hasOwn(RUNNERS, language) ? RUNNERS[language] : undefined;
  return codeIn(runner ?? '', 'script')(args);
}
