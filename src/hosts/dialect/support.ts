import type { ContextKey, EventKind } from '../../model/event.ts';
import type { Beside, Support } from '../host.ts';

/** What hosts of this dialect send with every event. */
const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host', 'permission_mode', 'agent', 'subagent'];

/** Where the model reads what goes beside an answer. */
export const READ: readonly Beside[] = ['message', 'add_context'];

/** What a host does on one event, where it is like others of its kind. */
export function support(parts: Partial<Support> & Pick<Support, 'actions'>): Support {
  return { rewrites: [], beside: ['message'], context: CONTEXT, model: 'never', ...parts };
}

/** An event that is told and nothing more. */
export const TOLD: Support = support({ actions: ['continue'], note: 'Only notified' });

/** The events of the family and what they are here. */
const EVENTS = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'before_prompt',
  PreToolUse: 'before_tool',
  PermissionRequest: 'approve_tool',
  PostToolUse: 'after_tool',
  PostToolUseFailure: 'tool_failure',
  Stop: 'after_turn',
  SubagentStart: 'session_start',
  SubagentStop: 'after_turn',
  PreCompact: 'before_compact',
  PostCompact: 'after_compact',
  Notification: 'notification',
  SessionEnd: 'session_end',
} as const satisfies Readonly<Record<string, EventKind>>;

/** All events of the family but these. */
export function eventsWithout(
  ...names: readonly (keyof typeof EVENTS)[]
): Readonly<Record<string, EventKind>> {
  return Object.fromEntries(
    Object.entries(EVENTS).filter(([event]) => !(names as readonly string[]).includes(event)),
  );
}
