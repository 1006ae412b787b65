import type { JsonObject } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import { overlay } from '../overlay.ts';
import type { AnsweredEvent, Answers } from './answers.ts';

/** An answer in the envelope of an event. */
export function eventOutput({ native }: AnsweredEvent, output: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: native, ...output } };
}

/** The answers that hosts of this dialect have in common; a host leaves out or replaces those that it has otherwise. */
export const IN_ENVELOPE = {
  deny(on, reason) {
    switch (on.kind) {
      case 'before_tool':
        return eventOutput(on, { permissionDecision: 'deny', permissionDecisionReason: reason });
      case 'approve_tool':
        return eventOutput(on, { decision: { behavior: 'deny', message: reason } });
      case 'after_tool':
      case 'before_prompt':
        return { decision: 'block', reason };
      default:
        return undefined;
    }
  },
  ask: (on, reason) =>
    on.kind === 'before_tool'
      ? eventOutput(on, { permissionDecision: 'ask', permissionDecisionReason: reason })
      : sayNothing(on),
  approve: (on, reason) =>
    on.kind === 'before_tool'
      ? eventOutput(on, { permissionDecision: 'allow', permissionDecisionReason: reason })
      : approveRequest(on),
  retry: (on, feedback) => (on.kind === 'after_turn' ? { decision: 'block', reason: feedback } : undefined),
  beside: (on, { messages, contexts }: Pick<Decision, 'messages' | 'contexts'>) =>
    overlay(
      messages.length === 0 ? {} : { systemMessage: messages.join('\n') },
      contexts.length === 0 ? {} : eventOutput(on, { additionalContext: contexts.join('\n') }),
    ),
} as const satisfies Answers;

/** The answer if a person is about to be asked anyway. */
export function sayNothing({ kind }: AnsweredEvent): JsonObject | undefined {
  return kind === 'approve_tool' ? {} : undefined;
}

/** Agrees in a person's place to the question that comes. */
export function approveRequest(on: AnsweredEvent): JsonObject | undefined {
  return on.kind === 'approve_tool' ? eventOutput(on, { decision: { behavior: 'allow' } }) : undefined;
}
