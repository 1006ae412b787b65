import type { JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { cleanLine, type HookStart, isOfWindows, plainLine, startText } from '../clean-start.ts';
import { CALL_REWRITES, NOTIFIES, supportsOf } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import type { AnswerExtra, Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { compose } from './compose.ts';
import { decode } from './decode.ts';
import { encode, refuse } from './encode.ts';
import { EVENTS } from './events.ts';
import { TOOLS } from './tools.ts';

const SPOKEN: readonly AnswerExtra[] = ['message', 'suppress_output'];
const SPOKEN_AND_READ: readonly AnswerExtra[] = [...SPOKEN, 'add_context'];
const STOPS: readonly Action[] = ['abort_turn', 'hard_abort'];

/** Gemini CLI 0.61 carries these out, by event. */
const SUPPORTS = supportsOf(
  { beside: SPOKEN, context: ['cwd', 'session', 'host'], model: 'remembered' },
  {
    session_start: { model: 'never', beside: SPOKEN_AND_READ },
    before_prompt: {
      can: ['deny', ...STOPS],
      beside: SPOKEN_AND_READ,
      note: 'A prompt cannot be rewritten, only denied',
    },
    before_llm: {
      can: ['modify', 'respond', 'deny', ...STOPS],
      rewrites: ['model', 'options', 'add_messages', 'replace', 'redact'],
      model: 'sent',
      note: 'Texts only: no tool calls, results or system prompt. A later hook that says "allow" undoes a deny',
    },
    tool_choice: {
      can: ['modify', 'deny'],
      rewrites: ['mode', 'allow_tools'],
      beside: [],
      model: 'sent',
      note: 'The only refusal is mode NONE. allow_tools makes the model call one of them, and the names of all hooks are united',
    },
    after_llm: {
      can: ['modify', 'deny', ...STOPS],
      rewrites: ['replace', 'redact'],
      model: 'sent',
      chunked: true,
      note: 'The answer comes in chunks without tool calls: a text may be cut in two, a replaced chunk loses its calls, the history keeps the original',
    },
    before_tool: {
      can: ['modify', 'ask', 'deny', ...STOPS],
      rewrites: CALL_REWRITES,
      note: 'Not called in ACP mode. ask overrides a deny of the own policy engine, and without a terminal it ends the run',
    },
    after_tool: {
      can: ['deny', ...STOPS],
      beside: SPOKEN_AND_READ,
      note: 'A result cannot be rewritten: the model gets the rewritten text as the reason of a deny',
    },
    after_turn: { can: ['retry_feedback', ...STOPS] },
    before_compact: NOTIFIES,
    notification: { note: 'Only notified, when a permission prompt is about to show' },
    session_end: NOTIFIES,
  },
);

/** The output of the shell, and behind it Gemini's own lines: those about an exit code or a signal only if there is one. */
const PRINTED = ['tool_response.llmContent'] as const;

/** Its last line, and the mark around all of it that says to the model that others wrote it. */
const END = String.raw`\nProcess Group PGID: .*\s*(?:</untrusted_context>\s*)?$`;
const ended = (lines: string): RegExp => new RegExp(lines + END);

/** Gemini CLI: one JSON object on stdin, one on stdout, for each event a process. Facts as of 0.61. */
export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  facts: 'measured on 0.61',
  framing: 'document',
  timeoutS: () => 60,
  versions: [],
  events: EVENTS,
  supports: () => SUPPORTS,
  tools: TOOLS,
  /** The form of Gemini CLI's results, by the source of 0.61; there are no ids. Versions before wrote all lines always. */
  results: {
    by: 'arguments',
    marks: [
      { at: ['tool_response.error'], means: 'failed' },
      { at: ['tool_input.is_background'], means: 'unknown' },
      {
        of: 'shell',
        at: PRINTED,
        is: ended(String.raw`\nExit Code: 0\nSignal: \(none\)\nBackground PIDs: \(none\)`),
        means: 'succeeded',
      },
      {
        of: 'shell',
        at: PRINTED,
        is: ended(String.raw`\nExit Code: \d+(?:\n(?:Signal|Background PIDs): .*)*`),
        means: 'failed',
      },
      {
        of: 'shell',
        at: PRINTED,
        is: ended(String.raw`\n(?:Error|Exit Code|Signal|Background PIDs): .*`),
        means: 'unknown',
      },
      {
        of: 'shell',
        at: PRINTED,
        is: ended(String.raw`^(?:<untrusted_context>\n)?Output: [\s\S]*`),
        means: 'succeeded',
      },
      { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which hooks run, which are trusted, and which calls Gemini CLI allows on its own. */
  guards: {
    paths: [
      '~/.gemini/**',
      '**/.gemini/{settings.json,.env}',
      '**/.gemini/{hooks,extensions,policies}/**',
      '/etc/gemini-cli/**',
      '/Library/Application Support/GeminiCli/**',
      '**/ProgramData/gemini-cli/**',
    ],
    notes: ['~/.gemini/{tmp/**,GEMINI.md,{agents,skills,commands}{,/**}}', '**/.gemini/extensions/**/*.md'],
    instructions: ['**/.gemini/{agents,skills,extensions}/**/*.md'],
    moved: {
      $GEMINI_CLI_TRUSTED_FOLDERS_PATH: '~/.gemini/trustedFolders.json',
      '$GEMINI_CLI_HOME/.gemini': '~/.gemini',
      $GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/etc/gemini-cli/settings.json',
      $GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/etc/gemini-cli/system-defaults.json',
    },
    escapes: {
      programs: ['gemini', 'gemini-cli'],
      subcommands: {
        ...verbsOf('extensions', 'install i add uninstall remove update enable disable link'),
        ...verbsOf('hooks', 'enable disable migrate install uninstall add remove'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      },
      elsewhere: ['GEMINI_CLI_*'],
    },
  },
  // Other hosts have events of the same names, but for those that only this one has.
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    (/^(?:Before|After)/.test(String(message['hook_event_name'])) ||
      message['hook_event_name'] === 'PreCompress' ||
      fieldContains(message, 'transcript_path', '/.gemini/')),
  decode,
  encode,
  refuse,
  compose,
  hookConfiguration,
  installation: async (): Promise<Installation> =>
    (await import('./installation.ts')).installationFor(gemini),
  sessions: async () => (await import('./sessions.ts')).sessions,
} satisfies Host;

/** Exit code 2 refuses whatever was printed; silence would run the call. Gemini CLI fills in variables first, so HOME is the only one. */
function hookConfiguration(start: HookStart): JsonObject {
  const cases = [
    '{*deny*}) printf %s "$*"; exit 2;;',
    '{*}|null) printf %s "$*";;',
    '*) echo the policy hook has failed; exit 2;',
  ];
  const script = `set -- "$(${startText(start, 'gemini')})"; case "$*" in ${cases.join(' ')} esac`;
  return {
    type: 'command',
    command: isOfWindows(start) ? plainLine(start, 'gemini') : cleanLine(script, start.variables),
    // The shell that reads the line listens to these two.
    env: { BASH_ENV: '', SHELLOPTS: '' },
    timeout: 60_000,
  };
}
