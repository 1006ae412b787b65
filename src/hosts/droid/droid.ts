import { ownString } from '../../lib/json.ts';
import { IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES, eventsWithout, NOTIFIES, READ } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import { codeIn } from '../implied/code-text.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { inertTools } from '../tool-rows.ts';

/** Events of Factory Droid (https://docs.factory.ai/reference/hooks-reference) with their kinds here. */
const EVENTS = eventsWithout('PermissionRequest', 'PostToolUseFailure', 'SubagentStart', 'PostCompact');

const FILE = { path: 'file_path' };

const STOPS = ['deny', 'abort_turn', 'hard_abort'] as const;

const { deny, retry, beside } = IN_ENVELOPE;
function stopped(reason: string) {
  return { continue: false, stopReason: reason };
}

const MODES = /^(?:off|spec|auto-\w+)$/;

/** Factory Droid: facts as of 0.215.0, measured on it. */
export const droid = hostOf({
  name: 'droid',
  title: 'Factory Droid',
  facts: 'measured on 0.215.0',
  events: EVENTS,
  /** Factory Droid 0.215.0 carries these out. */
  supports: {
    session_start: { beside: READ },
    before_prompt: {
      can: [...STOPS],
      beside: READ,
      note: 'A prompt cannot be rewritten, only denied. droid exec asks no hook about it',
    },
    before_tool: {
      can: ['modify', ...STOPS],
      rewrites: CALL_REWRITES,
      note: 'Where permissions are skipped, ask would run the call, so it is a deny',
    },
    after_tool: {
      can: ['abort_turn', 'hard_abort'],
      beside: READ,
      note: 'A result can be kept from the model only by ending the run',
    },
    after_turn: { can: ['retry_feedback', 'abort_turn', 'hard_abort'], note: 'Without the last words' },
    before_compact: NOTIFIES,
    notification: NOTIFIES,
    session_end: NOTIFIES,
  },
  /** The tools of Factory Droid 0.215. */
  tools: {
    Execute: { classes: ['shell'], shell: 'system' },
    Read: { classes: ['read'], aliases: FILE },
    Create: { classes: ['write'], aliases: FILE },
    Edit: { classes: ['edit'], aliases: { ...FILE, old_text: 'old_str', new_text: 'new_str' } },
    ApplyPatch: { classes: ['edit'], aliases: { patch: 'input' } },
    LS: { classes: ['list'], aliases: { path: 'directory_path' } },
    Grep: {
      classes: ['search'],
      aliases: { query: 'pattern' },
      globs: ['glob_pattern'],
      reads: { globs: ['list of globs'] },
    },
    Glob: { classes: ['search', 'list'], aliases: { path: 'folder' }, globs: ['patterns'] },
    FetchUrl: { classes: ['fetch'] },
    WebSearch: { classes: ['web_search'] },
    Task: { classes: ['agent'] },
    // A text that a shell runs, in either of these.
    Script: { classes: ['shell'], implied: codeIn('', 'script', 'code') },
    AskUser: { classes: ['message'] },
    ...inertTools('ExitSpecMode Skill TaskOutput TaskStop TodoWrite ToolSearch'),
    'mcp__*': { classes: ['mcp'] },
  },
  /** Of a command that fails there is no event, and the last line of any other is Droid's own; there are no ids: measured on 0.215. */
  results: {
    by: 'arguments',
    marks: [
      { of: 'shell', at: ['tool_response'], is: /\[Process exited with code 0\]\s*$/, means: 'succeeded' },
      { of: 'shell', at: ['tool_response'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'unknown'],
  },
  /** These files decide which hooks run, and which calls Factory Droid allows on its own. */
  guards: {
    paths: [
      '~/.factory/{hooks,settings}*.json',
      '**/.factory/{hooks.json,settings.json,settings.local.json,hooks/**,plugins/**}',
    ],
    notes: ['**/.factory/plugins/**/*.md'],
    instructions: ['**/.factory/{droids,skills,commands,plugins}/**/*.md'],
    servers: ['**/.factory/mcp.json'],
    escapes: {
      programs: ['droid'],
      flags: ['--settings='],
      subcommands: {
        ...verbsOf('plugin', 'install i add uninstall remove update enable disable'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
      elsewhere: ['FACTORY_HOME_OVERRIDE'],
    },
  },
  write: (fields) => ({ transcript_path: '', permission_mode: 'off', ...fields }),
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    (MODES.test(ownString(message, 'permission_mode') ?? '') ||
      fieldContains(message, 'transcript_path', '/.factory/')),
  answers: {
    // A result that is denied is read all the same.
    deny: (on, reason) => (on.kind === 'after_tool' ? stopped(reason) : deny(on, reason)),
    retry,
    beside,
    stop: (on, reason) => ({ ...stopped(reason), ...(on.kind === 'after_tool' ? {} : deny(on, reason)) }),
    rewrite: ({ native }, { arguments: updatedInput = {} }) => ({
      hookSpecificOutput: { hookEventName: native, updatedInput },
    }),
  },
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
