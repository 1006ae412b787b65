import type { Action } from '../../model/action.ts';
import type { ContextKey } from '../../model/event.ts';
import type { Beside, Support } from '../host.ts';
import type { GeminiKind } from './events.ts';

const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host'];
const SPOKEN: readonly Beside[] = ['message', 'suppress_output'];
const READ: readonly Beside[] = [...SPOKEN, 'add_context'];
const STOPS: readonly Action[] = ['abort_turn', 'hard_abort'];

function support(parts: Partial<Support> & Pick<Support, 'actions' | 'model'>): Support {
  return { rewrites: [], beside: SPOKEN, context: CONTEXT, ...parts };
}

const TOLD = { actions: ['continue'], model: 'remembered' } as const;

/** What Gemini CLI 0.61 carries out, by event. */
export const SUPPORTS: Readonly<Record<GeminiKind, Support>> = {
  session_start: support({ actions: ['continue'], model: 'never', beside: READ }),
  before_prompt: support({
    actions: ['continue', 'deny', ...STOPS],
    model: 'remembered',
    beside: READ,
    note: 'A prompt cannot be rewritten, only denied',
  }),
  before_llm: support({
    actions: ['continue', 'modify', 'respond', 'deny', ...STOPS],
    rewrites: ['model', 'options', 'add_messages', 'replace', 'redact'],
    model: 'sent',
    note: 'Texts only: no tool calls, results or system prompt. A later hook that says "allow" undoes a deny',
  }),
  tool_choice: support({
    actions: ['continue', 'modify', 'deny'],
    rewrites: ['mode', 'allow_tools'],
    beside: [],
    model: 'sent',
    note: 'The only refusal is mode NONE. allow_tools makes the model call one of them, and the names of all hooks are united',
  }),
  after_llm: support({
    actions: ['continue', 'modify', 'deny', ...STOPS],
    rewrites: ['replace', 'redact'],
    model: 'sent',
    chunked: true,
    note: 'The answer comes in chunks without tool calls: a text may be cut in two, a replaced chunk loses its calls, the history keeps the original',
  }),
  before_tool: support({
    actions: ['continue', 'modify', 'ask', 'deny', ...STOPS],
    rewrites: ['set', 'remove', 'program', 'subcommand', 'flags', 'replace'],
    model: 'remembered',
    note: 'Not called in ACP mode. ask overrides a deny of the own policy engine, and without a terminal it ends the run',
  }),
  after_tool: support({
    actions: ['continue', 'deny', ...STOPS],
    beside: READ,
    model: 'remembered',
    note: 'A result cannot be rewritten: the model gets the rewritten text as the reason of a deny',
  }),
  after_turn: support({ actions: ['continue', 'retry_feedback', ...STOPS], model: 'remembered' }),
  before_compact: support({ ...TOLD, note: 'Only notified' }),
  notification: support({ ...TOLD, note: 'Only notified, when a permission prompt is about to show' }),
  session_end: support({ ...TOLD, note: 'Only notified' }),
};
