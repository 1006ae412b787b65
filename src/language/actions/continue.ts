import { EVENT_KINDS } from '../../model/event.ts';
import type { ActionSpec } from './action-spec.ts';

export const continueAction = {
  action: 'continue',
  summary: "No opinion: the agent's own checks decide",
  events: EVENT_KINDS,
  params: {},
  required: [],
  decide: () => ({}),
} satisfies ActionSpec;
