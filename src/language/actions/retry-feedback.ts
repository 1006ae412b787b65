import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { TEXT } from '../../lib/schema-parts.ts';
import type { ActionSpec } from './action-spec.ts';
import { STOPPABLE_EVENTS } from './event-groups.ts';
import { refusalText } from './reason.ts';
import { checkTemplateKeys } from './template-params.ts';
import { capText, visibleLines } from './visible-text.ts';

/** The actions for an event whose retries are used up, weakest first. */
const ON_EXHAUSTED = ['continue', 'deny', 'abort_turn', 'hard_abort'] as const;
export type OnExhausted = (typeof ON_EXHAUSTED)[number];

const DEFAULT_MAX_RETRIES = 3;
const MAX_FEEDBACK_BYTES = 16_384;

/** How often to retry and what to do then. */
export interface RetryLimit {
  /** From 1 to 100. */
  readonly maxRetries: number;
  readonly onExhausted: OnExhausted;
}

/** The limit among the parameters, with its defaults. The engine counts. */
export function retryLimit(params: JsonObject): RetryLimit {
  const maxRetries = own(params, 'max_retries');
  const onExhausted = own(params, 'on_exhausted');
  return {
    maxRetries: typeof maxRetries === 'number' ? maxRetries : DEFAULT_MAX_RETRIES,
    onExhausted: ON_EXHAUSTED.find((action) => action === onExhausted) ?? 'deny',
  };
}

export const retryFeedback = {
  action: 'retry_feedback',
  summary: 'Send the model back to work with feedback, a limited number of times',
  events: STOPPABLE_EVENTS,
  params: {
    feedback: { description: 'What the model reads; a template', ...TEXT },
    max_retries: {
      description: 'How often in one turn, from 1 to 100; 3 by default',
      type: 'integer',
      minimum: 1,
      maximum: 100,
    },
    on_exhausted: {
      description: 'What to do when the retries are used up; deny by default',
      enum: ON_EXHAUSTED,
    },
  },
  required: ['feedback'],
  check: (params) => checkTemplateKeys(params, ['feedback']),
  decide: (params, { ruleId, render }) => {
    const feedback = ownString(params, 'feedback') ?? '';
    return {
      feedback: capText(visibleLines(render(feedback)), MAX_FEEDBACK_BYTES),
      reason: refusalText(ruleId, { reason: feedback }, render),
    };
  },
} satisfies ActionSpec;
