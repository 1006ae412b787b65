import { ownString } from '../../lib/json.ts';
import { readMessage } from '../copilot/messages.ts';
import { COPILOT_TOOLS } from '../copilot/tools.ts';
import type { AnsweredEvent } from '../dialect/answers.ts';
import { eventOutput, IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { eventsWithout, NOTIFIES, READ } from '../dialect/support.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { withReads } from '../tool-rows.ts';
import { VSCODE_READS, VSCODE_TOOLS } from './tools.ts';

/** Events of agents in VS Code (https://code.visualstudio.com/docs/agents/reference/hooks-reference) with their kinds here. */
const EVENTS = eventsWithout(
  'PermissionRequest',
  'PostToolUseFailure',
  'PostCompact',
  'Notification',
  'SessionEnd',
);

const STOPS = ['deny', 'abort_turn', 'hard_abort'] as const;

function stopped(reason: string) {
  return { continue: false, stopReason: reason };
}

/** Of a prompt and a result only the end of the session is documented to keep anything back. */
function deny(on: AnsweredEvent, reason: string) {
  const words = IN_ENVELOPE.deny(on, reason);
  return words === undefined || on.kind === 'before_tool' ? words : { ...stopped(reason), ...words };
}

/** Agents in VS Code: facts by its documents of July and October 2026. */
export const vscode = hostOf({
  name: 'vscode',
  title: 'VS Code',
  facts: 'its documents',
  events: EVENTS,
  /** VS Code carries these out by its documents. */
  supports: {
    session_start: { beside: READ, note: 'Of subagents too' },
    before_prompt: {
      can: [...STOPS],
      note: 'A prompt cannot be rewritten, only denied, which ends the session',
    },
    before_tool: {
      can: ['approve', 'ask', ...STOPS],
      beside: READ,
      note: 'It runs the call as it was where a rewrite is not what the tool takes, so a rewrite is a refusal',
    },
    after_tool: {
      can: [...STOPS],
      beside: READ,
      note: 'A result can be kept from the model only by ending the session',
    },
    after_turn: {
      can: ['retry_feedback', 'abort_turn', 'hard_abort'],
      note: 'Without the last words. Of subagents too',
    },
    before_compact: NOTIFIES,
  },
  tools: withReads({ ...VSCODE_TOOLS, ...COPILOT_TOOLS, 'mcp_*': { classes: ['mcp'] } }, VSCODE_READS),
  /** Its documents do not say how a call has ended. */
  results: { by: 'id' },
  /** These files decide which hooks run, and which calls VS Code allows on its own. */
  guards: {
    paths: [
      '~/.copilot/hooks/**',
      '**/.github/hooks/**',
      '**/.claude/settings*.json',
      '~/.config/Code{, - Insiders}/User/settings.json',
      '~/{Library/Application Support,AppData/Roaming}/Code{, - Insiders}/User/settings.json',
    ],
    instructions: ['**/.github/{agents,skills,prompts,chatmodes}/**/*.md'],
    servers: [
      '**/.vscode/{mcp,settings}.json',
      '~/{.config,Library/Application Support,AppData/Roaming}/Code{, - Insiders}/User/{,profiles/*/}mcp.json',
    ],
  },
  read: readMessage,
  write: ({ session_id: sessionId = 'session', hook_event_name: hookEventName = '', ...fields }) => ({
    timestamp: '2026-01-01T00:00:00.000Z',
    sessionId,
    hookEventName,
    ...fields,
  }),
  recognise: (message) =>
    namesEvent(message, EVENTS, 'hookEventName') ||
    (namesEvent(message, EVENTS) &&
      Object.hasOwn(message, 'timestamp') &&
      !Object.hasOwn(message, 'permission_mode') &&
      !fieldContains(message, 'transcript_path', '/.copilot/') &&
      // Copilot CLI names no id of a call, and no transcript with a prompt.
      (ownString(message, 'tool_use_id') !== undefined ||
        (ownString(message, 'prompt') !== undefined && Object.hasOwn(message, 'transcript_path')))),
  answers: {
    deny,
    ask: IN_ENVELOPE.ask,
    approve: IN_ENVELOPE.approve,
    stop: (on, reason) => ({ ...stopped(reason), ...deny(on, reason) }),
    // One page has it in the envelope, the other beside it.
    retry: (on, feedback) => {
      if (on.kind !== 'after_turn') return undefined;
      const words = { decision: 'block', reason: feedback };
      return { ...words, ...eventOutput(on, words) };
    },
    beside: IN_ENVELOPE.beside,
  },
  installation: async () => (await import('./installation.ts')).installation,
});
