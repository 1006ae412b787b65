import type { ActionSpec } from './action-spec.ts';
import { CALL_EVENTS } from './event-groups.ts';
import { approvalText, reasonParts } from './reason.ts';
import { INSTEAD_PARAM, REASON_PARAM } from './reason-params.ts';
import { checkTemplateKeys } from './template-params.ts';

export const ask = {
  action: 'ask',
  summary: 'Ask a person if one is present and the agent can ask; otherwise deny with the reason',
  events: CALL_EVENTS,
  params: { reason: REASON_PARAM, instead: INSTEAD_PARAM },
  required: [],
  check: (params) => checkTemplateKeys(params, ['reason', 'instead']),
  decide: (params, { ruleId, render }) => ({ reason: approvalText(ruleId, reasonParts(params), render) }),
} satisfies ActionSpec;
