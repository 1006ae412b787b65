import { TOOL_EVENTS } from '../../model/event.ts';
import type { ActionSpec } from './action-spec.ts';
import { reasonParts, refusalText } from './reason.ts';
import { INSTEAD_PARAM, REASON_PARAM } from './reason-params.ts';
import { checkTemplateKeys } from './template-params.ts';

export const deny = {
  action: 'deny',
  summary: 'Prevent it: the call does not run, the text does not pass, and the model reads why',
  events: ['before_prompt', 'before_llm', 'tool_choice', 'after_llm', ...TOOL_EVENTS, 'before_compact'],
  params: { reason: REASON_PARAM, instead: INSTEAD_PARAM },
  required: [],
  check: (params) => checkTemplateKeys(params, ['reason', 'instead']),
  decide: (params, { ruleId, render }) => ({ reason: refusalText(ruleId, reasonParts(params), render) }),
} satisfies ActionSpec;
