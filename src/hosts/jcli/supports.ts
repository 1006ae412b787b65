import type { ContextKey } from '../../model/event.ts';
import type { Missed, Support } from '../host.ts';
import type { JcliKind } from './events.ts';

type Supports = Readonly<Partial<Record<JcliKind, Support>>>;

const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host'];
const OLD_CONTEXT: readonly ContextKey[] = ['cwd', 'host'];
const TEXT_EDITS = ['redact', 'replace', 'truncate'] as const;

function support(parts: Partial<Support> & Pick<Support, 'model'>): Support {
  return { actions: ['continue'], rewrites: [], beside: [], context: CONTEXT, ...parts };
}

const ALL_PROMPTS: Missed = {
  cannot: 'see every prompt',
  state: 'those typed while a tool runs, and the texts of @command: come with the next request only',
  seenOn: 'before_llm',
  hint: 'judge it on before_llm as well',
};
const ALL_RESULTS: Missed = {
  cannot: 'see every result',
  state:
    'the output of commands in the background comes with the next request, where no hook has seen it yet',
  seenOn: undefined,
  hint: 'forbid commands in the background, see policy docs jcli',
};
const NO_ANSWER: Missed = {
  cannot: 'see the answer',
  state: 'the event never comes since 12.10.28, and before that only where no hook on stop is installed',
  seenOn: 'after_turn',
  hint: 'judge it on after_turn, or limit the policy with "hosts"',
  always: true,
};

/** Generations C to E: fourteen events, refusals by `action`. */
const BY_ACTION = {
  session_start: support({ model: 'never', note: 'Only notified' }),
  before_prompt: support({
    actions: ['continue', 'modify', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['replace', 'redact'],
    model: 'remembered',
    misses: ALL_PROMPTS,
    note: 'In the terminal interface only. A refused prompt is dropped with a fixed text, without the reason',
  }),
  prompt_sent: support({ model: 'remembered', note: 'Only notified, in the terminal interface' }),
  before_llm: support({
    actions: ['continue', 'modify', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['add_messages', 'system_prompt', 'messages', 'replace', 'redact'],
    beside: ['add_context'],
    model: 'sent',
    note: 'Every refusal ends the turn without the reason. Rewritten messages lose their images; replace and redact skip the arguments of earlier calls',
  }),
  after_llm: support({
    actions: ['continue', 'modify', 'retry_feedback', 'deny', 'abort_turn', 'hard_abort'],
    rewrites: ['replace', 'redact'],
    beside: ['message'],
    model: 'sent',
    misses: NO_ANSWER,
    note: 'At the end of a turn, not after each answer; since 12.10.28 never, and before that only without a hook on stop',
  }),
  before_tool: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: ['set', 'remove', 'program', 'subcommand', 'flags', 'replace'],
    model: 'remembered',
    note: 'In the terminal interface, for the main agent only. The reason travels through tool_failure or after_tool',
  }),
  after_tool: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: TEXT_EDITS,
    model: 'remembered',
    misses: ALL_RESULTS,
    note: 'For every result, errors and refusals too, without the arguments',
  }),
  tool_failure: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: TEXT_EDITS,
    model: 'remembered',
    note: 'For calls that a hook or a permission rule kept from running, not for errors of a tool',
  }),
  after_turn: support({
    actions: ['continue', 'retry_feedback', 'abort_turn', 'hard_abort'],
    model: 'sent',
    note: 'Only if the answer is streamed',
  }),
  before_compact: support({
    actions: ['continue', 'deny'],
    beside: ['add_context'],
    model: 'sent',
    note: 'add_context in pre_auto_compact only',
  }),
  after_compact: support({
    actions: ['continue', 'modify'],
    rewrites: ['messages'],
    model: 'remembered',
  }),
  session_end: support({ model: 'remembered', note: 'Only notified' }),
} satisfies Supports;

/** Generations A and B: eight events, refusals by `abort`, no session. */
const BY_ABORT = {
  session_start: support({ model: 'never', context: OLD_CONTEXT }),
  before_prompt: { ...BY_ACTION.before_prompt, model: 'never', context: OLD_CONTEXT },
  prompt_sent: { ...BY_ACTION.prompt_sent, model: 'never', context: OLD_CONTEXT },
  before_llm: { ...BY_ACTION.before_llm, context: OLD_CONTEXT },
  after_llm: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: ['replace', 'redact'],
    model: 'never',
    context: OLD_CONTEXT,
    note: 'A refused answer is replaced by the reason',
  }),
  before_tool: {
    ...BY_ACTION.before_tool,
    model: 'never',
    context: OLD_CONTEXT,
    note: 'The model does not read the reason',
  },
  after_tool: { ...BY_ACTION.after_tool, model: 'never', context: OLD_CONTEXT },
  session_end: support({ model: 'never', context: OLD_CONTEXT }),
} satisfies Supports;

/** What jcli carries out, by event. */
export function supportsOf(version: string | undefined): Supports {
  return version === 'A' || version === 'B' ? BY_ABORT : BY_ACTION;
}
