import type { ActionSpec } from './action-spec.ts';
import { STOPPABLE_EVENTS } from './event-groups.ts';
import { reasonParts, refusalText } from './reason.ts';
import { REASON_PARAM } from './reason-params.ts';
import { checkTemplateKeys } from './template-params.ts';

const ABORT = {
  events: STOPPABLE_EVENTS,
  params: { reason: REASON_PARAM },
  required: [],
  check: (params) => checkTemplateKeys(params, ['reason']),
  decide: (params, { ruleId, render }) => ({ reason: refusalText(ruleId, reasonParts(params), render) }),
} satisfies Omit<ActionSpec, 'action' | 'summary'>;

export const abortTurn = { action: 'abort_turn', summary: 'End the turn', ...ABORT } satisfies ActionSpec;
export const hardAbort = {
  action: 'hard_abort',
  summary: 'End the whole run',
  ...ABORT,
} satisfies ActionSpec;
