import type { ActionSpec } from './action-spec.ts';
import { STOPPABLE_EVENTS } from './event-groups.ts';
import { reasonParts, refusalText } from './reason.ts';
import { REASON_PARAM } from './reason-params.ts';
import { checkTemplateKeys } from './template-params.ts';

export const abortTurn = {
  action: 'abort_turn',
  summary: 'End the turn',
  events: STOPPABLE_EVENTS,
  params: { reason: REASON_PARAM },
  required: [],
  check: (params) => checkTemplateKeys(params, ['reason']),
  decide: (params, { ruleId, render }) => ({ reason: refusalText(ruleId, reasonParts(params), render) }),
} satisfies ActionSpec;
