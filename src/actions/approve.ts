import type { ActionSpec } from './action-spec.ts';
import { CALL_EVENTS } from './event-groups.ts';

export const approve = {
  action: 'approve',
  summary: 'Say yes where the host asks a hook for approval; elsewhere like continue',
  events: CALL_EVENTS,
  params: {},
  required: [],
  decide: () => ({}),
} satisfies ActionSpec;
