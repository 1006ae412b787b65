import { CALL_REWRITES, NOTIFIES, RESULT_REWRITES, type SupportRow, supportsOf } from '../dialect/support.ts';
import type { Host, UncoveredLoss } from '../host.ts';
import type { JcliKind } from './events.ts';

const ALL_PROMPTS: UncoveredLoss = {
  cannot: 'see every prompt',
  state: 'those typed while a tool runs, and the texts of @command: come with the next request only',
  seenOn: 'before_llm',
  hint: 'judge it on before_llm as well',
};
const ALL_RESULTS: UncoveredLoss = {
  cannot: 'see every result',
  state:
    'the output of commands in the background comes with the next request, where no hook has seen it yet',
  seenOn: undefined,
  hint: 'forbid commands in the background, see policy docs jcli',
};
const NO_ANSWER: UncoveredLoss = {
  cannot: 'see the answer',
  state: 'the event never comes since 12.10.28, and before that only where no hook on stop is installed',
  seenOn: 'after_turn',
  hint: 'judge it on after_turn, or limit the policy with "hosts"',
  always: true,
};

/** The common part of all generations. */
const ROWS = {
  session_start: { model: 'never', note: 'Only notified' },
  before_prompt: {
    can: ['modify', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['replace', 'redact'],
    misses: ALL_PROMPTS,
    note: 'In the terminal interface only. A refused prompt is dropped with a fixed text, without the reason',
  },
  prompt_sent: { note: 'Only notified, in the terminal interface' },
  before_llm: {
    can: ['modify', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['add_messages', 'system_prompt', 'messages', 'replace', 'redact'],
    beside: ['add_context'],
    model: 'sent',
    note: 'Every refusal ends the turn without the reason. Rewritten messages lose their images; replace and redact skip the arguments of earlier calls',
  },
  after_llm: {
    can: ['modify', 'retry_feedback', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['replace', 'redact'],
    beside: ['message'],
    model: 'sent',
    misses: NO_ANSWER,
    note: 'At the end of a turn, not after each answer; since 12.10.28 never, and before that only without a hook on stop',
  },
  before_tool: {
    can: ['modify', 'deny'],
    rewrites: CALL_REWRITES,
    note: 'In the terminal interface, for the main agent only. The reason travels through tool_failure or after_tool',
  },
  after_tool: {
    can: ['modify', 'deny'],
    rewrites: RESULT_REWRITES,
    misses: ALL_RESULTS,
    note: 'For every result, errors and refusals too, without the arguments',
  },
  tool_failure: {
    can: ['modify', 'deny'],
    rewrites: RESULT_REWRITES,
    note: 'For calls that a hook or a permission rule kept from running, not for errors of a tool',
  },
  after_turn: {
    can: ['retry_feedback', 'abort_turn', 'hard_abort'],
    model: 'sent',
    note: 'Only if the answer is streamed',
  },
  before_compact: {
    can: ['deny'],
    beside: ['add_context'],
    model: 'sent',
    note: 'add_context in pre_auto_compact only',
  },
  after_compact: { can: ['modify'], rewrites: ['messages'] },
  session_end: NOTIFIES,
} as const satisfies Readonly<Partial<Record<JcliKind, SupportRow>>>;

/** Generations C to E: fourteen events, refusals by `action`. */
const BY_ACTION = supportsOf({ beside: [], context: ['cwd', 'session', 'host'], model: 'remembered' }, ROWS);

/** Generations A and B: eight events, refusals by `abort`, no session. */
const BY_ABORT = supportsOf(
  { beside: [], context: ['cwd', 'host'], model: 'never' },
  {
    session_start: {},
    before_prompt: ROWS.before_prompt,
    prompt_sent: ROWS.prompt_sent,
    before_llm: ROWS.before_llm,
    after_llm: {
      can: ['modify', 'deny'],
      rewrites: ['replace', 'redact'],
      note: 'A refused answer is replaced by the reason',
    },
    before_tool: { ...ROWS.before_tool, note: 'The model does not read the reason' },
    after_tool: ROWS.after_tool,
    session_end: {},
  },
);

/** The actions that jcli carries out, by event. */
export function supportsIn(version: string | undefined): ReturnType<Host['supports']> {
  return version === 'A' || version === 'B' ? BY_ABORT : BY_ACTION;
}
