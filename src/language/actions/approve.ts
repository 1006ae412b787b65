import type { ActionSpec } from './action-spec.ts';
import { CALL_EVENTS } from './event-groups.ts';

export const approve = {
  action: 'approve',
  summary: 'Approve the call if the agent asks hooks for approval; otherwise like continue',
  events: CALL_EVENTS,
  params: {},
  required: [],
  decide: () => ({}),
} satisfies ActionSpec;
