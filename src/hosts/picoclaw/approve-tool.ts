import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import { TOOL_CALL } from './message-types.ts';
import { type Method, noModel, noTexts } from './method.ts';
import { callSubject } from './tool-call.ts';
import { toolOf } from './tools.ts';
import { capReason } from './wire.ts';

const APPROVED = '{"approved":true}';

/** A call in its final form, after all hooks: what is approved here runs as it is. */
export const approveTool = {
  kind: 'approve_tool',
  type: TOOL_CALL,
  needs: 'tool',
  subject: callSubject,
  texts: noTexts,
  tool: toolOf,
  model: noModel,
  answer,
  refuse: (_params, reason) => refused(reason),
} as const satisfies Method;

function answer(_event: Event, decision: Decision): string {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return APPROVED;
    case 'modify':
    case 'respond':
    case 'deny':
    case 'ask':
    case 'retry_feedback':
    case 'abort_turn':
    case 'hard_abort':
      return refused(decision.reason);
    default: {
      const never: never = decision.action;
      return never;
    }
  }
}

function refused(reason: string | undefined): string {
  return JSON.stringify({ approved: false, reason: capReason(reason ?? 'Refused by policy') });
}
