import type { Effect } from './effect.ts';
import { ALL_EVENTS } from './event-groups.ts';

export const continueEffect = {
  action: 'continue',
  summary: "No opinion: the host's own checks decide",
  events: ALL_EVENTS,
  params: {},
  required: [],
  decide: () => ({}),
} satisfies Effect;
