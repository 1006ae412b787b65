import type { Action } from '../../model/action.ts';
import type { ContextKey, EventKind } from '../../model/event.ts';
import type { AnswerExtra, Support } from '../host.ts';

/** Hosts of this dialect send these with every event. */
const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host', 'permission_mode', 'agent', 'subagent'];

/** Texts that the model reads in addition to an answer. */
export const READ: readonly AnswerExtra[] = ['message', 'add_context'];

/** The abilities of a host on an event that differ from others of its kind. */
export interface SupportRow extends Partial<Omit<Support, 'actions' | 'natives'>> {
  /** Actions in addition to `continue`; by default none. */
  readonly can?: readonly Action[];
  readonly natives?: Readonly<Record<string, SupportRow>>;
}

/** An event that only notifies the hook. */
export const NOTIFIES: SupportRow = { note: 'Only notified' };

/** Forms of `rewrite` that change a call, and those that change a result. */
export const CALL_REWRITES = ['set', 'remove', 'program', 'subcommand', 'flags', 'replace'] as const;
export const RESULT_REWRITES = ['replace', 'redact', 'truncate'] as const;

/**
 * The abilities of a host on its events.
 *
 * @param everywhere the abilities that its rows have in common
 */
export function supportsOf(
  everywhere: SupportRow | undefined,
  rows: Readonly<Partial<Record<EventKind, SupportRow>>>,
): Readonly<Partial<Record<EventKind, Support>>> {
  const supportOf = ({ can = [], natives, ...parts }: SupportRow): Support => ({
    actions: ['continue', ...can],
    rewrites: [],
    beside: ['message'],
    context: CONTEXT,
    model: 'never',
    ...parts,
    ...(natives === undefined ? {} : { natives: supportsIn(natives) }),
  });
  const supportsIn = (each: Readonly<Record<string, SupportRow>>) =>
    Object.fromEntries(
      Object.entries(each).map(([name, row]) => [name, supportOf({ ...everywhere, ...row })]),
    );
  return supportsIn(rows);
}

/** The events of the family with their kinds here. */
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
