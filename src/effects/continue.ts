import { EVENT_KINDS } from '../model/event.ts';
import type { Effect } from './effect.ts';

export const continueEffect = {
  action: 'continue',
  summary: "No opinion: the host's own checks decide",
  events: EVENT_KINDS,
  params: {},
  required: [],
  decide: () => ({}),
} satisfies Effect;
