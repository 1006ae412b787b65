import type { EventKind } from '../../model/event.ts';

/** The events that are about one tool call. */
export const TOOL_EVENTS: readonly EventKind[] = [
  'before_tool',
  'approve_tool',
  'after_tool',
  'tool_failure',
];
