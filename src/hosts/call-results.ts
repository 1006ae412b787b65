import { isJsonObject, type Json, own } from '../lib/json.ts';
import { parseInner } from '../lib/json-size.ts';
import type { Event, ToolClass } from '../model/event.ts';
import type { ResultStatus } from '../model/history.ts';

/** The form of a host's events after a call. */
export interface CallResults {
  /** The tie of a result to its call: the host's own id of it, its arguments, or only its tool; `nothing` if none comes. */
  readonly by: 'id' | 'arguments' | 'tool' | 'nothing';
  /** True if one call at a time is under way in a turn. */
  readonly oneByOne?: boolean;
  /** The first mark that a result has decides how the call ended. */
  readonly marks?: readonly ResultMark[];
  /** How a call ended whose result has no mark: by `after_tool`, and by `tool_failure`; by default unknown. */
  readonly unmarked?: readonly [afterTool: CallStatus, toolFailure: CallStatus];
}

/** `not_run`: the host tells of the end of a call that it has not run. */
export type CallStatus = ResultStatus | 'not_run';

/** A sign of how a call ended. */
export interface ResultMark {
  /** Only of tools of this class; of all unless given. */
  readonly of?: ToolClass;
  /** Places in the host's message, as in `tool_response.interrupted`; text of JSON is read on the way. */
  readonly at: readonly string[];
  /** The value there: this one, a text like this, or anything but null and false. */
  readonly is?: Json | RegExp;
  readonly means: CallStatus;
}

/** How a call ended by the event after it. */
export function statusOf(
  { marks = [], unmarked = ['unknown', 'unknown'] }: CallResults,
  event: Event,
): CallStatus {
  const classes = event.tool?.classes ?? [];
  const mark = marks.find(
    ({ of, at, is }) =>
      (of === undefined || classes.includes(of)) && at.some((path) => isMarked(valueAt(event.raw, path), is)),
  );
  return mark?.means ?? unmarked[event.kind === 'tool_failure' ? 1 : 0];
}

function isMarked(value: Json | undefined, is: ResultMark['is']): boolean {
  if (is === undefined) return value !== undefined && value !== null && value !== false && value !== '';
  if (is instanceof RegExp) return typeof value === 'string' && is.test(value);
  return value === is;
}

function valueAt(message: Json, path: string): Json | undefined {
  let value: Json | undefined = message;
  for (const key of path.split('.')) {
    const inside: Json | undefined = typeof value === 'string' ? parseInner(value) : value;
    value = Array.isArray(inside) ? inside[Number(key)] : isJsonObject(inside) ? own(inside, key) : undefined;
  }
  return value;
}
