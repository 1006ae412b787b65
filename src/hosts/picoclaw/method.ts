import { type JsonObject, ownObject, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event, EventKind, EventText, Subject, ToolCall } from '../../model/event.ts';
import type { FieldTypes } from './field-types.ts';
import type { Generation } from './generation.ts';

/** A request of PicoClaw that waits for a verdict. */
export interface Method {
  readonly kind: EventKind;
  /** What is wrong with the parameters as a clause without a final period, undefined if nothing is. */
  readonly problem: (params: JsonObject) => string | undefined;
  readonly subject: (params: JsonObject) => Subject;
  readonly texts: (subject: Subject) => readonly EventText[];
  readonly tool: (subject: Subject, params: JsonObject) => ToolCall | undefined;
  readonly model: (params: JsonObject) => string | undefined;
  /** The decision as the `result` of the answer, in JSON text. Whatever it cannot express prevents the effect. */
  readonly answer: (event: Event, decision: Decision, generation: Generation) => string;
  /** The `result` that prevents the effect, in JSON text. Never fails, whatever the parameters are. */
  readonly refuse: (params: JsonObject | undefined, reason: string) => string;
}

/** What every request carries beside its own fields. */
export const COMMON_FIELDS = { meta: 'object', context: 'object' } as const satisfies FieldTypes;

export function noTexts(): readonly EventText[] {
  return [];
}

export function noTool(): undefined {
  return undefined;
}

export function noModel(): undefined {
  return undefined;
}

/** The conversation of a request, undefined where PicoClaw leaves it empty. */
export function sessionOf(params: JsonObject): string | undefined {
  return named(params, 'SessionKey', 'session_key');
}

/** The turn of a request. */
export function turnOf(params: JsonObject): string | undefined {
  return named(params, 'TurnID', 'turn_id');
}

function named(params: JsonObject, inMeta: string, inScope: string): string | undefined {
  const meta = ownObject(params, 'meta') ?? ownObject(params, 'Meta');
  if (meta !== undefined) return ownString(meta, inMeta) || undefined;
  const scope = ownObject(params, 'scope');
  return scope === undefined ? undefined : ownString(scope, inScope) || undefined;
}
