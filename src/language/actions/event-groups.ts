import { type EventKind, TOOL_EVENTS } from '../../model/event.ts';

/** A call that has not run yet. */
export const CALL_EVENTS = ['before_tool', 'approve_tool'] as const satisfies readonly EventKind[];

/** A call that has come to an end. */
export const RESULT_EVENTS = ['after_tool', 'tool_failure'] as const satisfies readonly EventKind[];

/** On these events a turn can still be stopped without harm. */
export const STOPPABLE_EVENTS = [
  'before_prompt',
  'before_llm',
  'after_llm',
  ...TOOL_EVENTS,
  'after_turn',
] as const satisfies readonly EventKind[];

/** True for events of a call that has not run yet. */
export function isCall(kind: EventKind): boolean {
  return kind === 'before_tool' || kind === 'approve_tool';
}
