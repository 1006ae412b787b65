import { type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event, EventKind, EventText, Subject, ToolCall } from '../../model/event.ts';
import { type FieldType, findMisfit, misfitText } from './field-types.ts';
import type { Generation } from './generation.ts';
import { ending } from './wire.ts';

/** A request of PicoClaw that waits for a verdict. Answers are the `result` of JSON-RPC, as JSON text. */
export interface Method {
  readonly kind: EventKind;
  /** The type of its parameters, and of the value that an answer gives in their place. */
  readonly type: FieldType;
  /** The field without which there is nothing to judge. */
  readonly needs?: string;
  readonly subject: (params: JsonObject) => Subject;
  readonly texts?: (subject: Subject) => readonly EventText[];
  readonly tool?: (subject: Subject, params: JsonObject) => ToolCall | undefined;
  readonly model?: (params: JsonObject) => string | undefined;
  /** Goes on with a subject: that of the event, or the one that a rewrite made. A change that it cannot express prevents the effect. */
  readonly proceed: (
    event: Event,
    decision: Decision,
    subject: Subject | undefined,
    generation: Generation,
  ) => string;
  /** Answers instead of a tool; by default refuses. */
  readonly respond?: (event: Event, decision: Decision) => string;
  /** Prevents the effect. Never fails, whatever the parameters are. */
  readonly refuse: (params: JsonObject | undefined, reason: string | undefined) => string;
  /** True if it can end the turn or the run as well. */
  readonly ends?: true;
}

/** The answer that carries out a decision. Whatever a method cannot express prevents the effect. */
export function answerOf(method: Method, event: Event, decision: Decision, generation: Generation): string {
  const { action, reason } = decision;
  switch (action) {
    case 'continue':
    case 'approve':
      return method.proceed(event, decision, event.subject, generation);
    case 'modify':
      return method.proceed(event, decision, decision.subject, generation);
    case 'respond':
      return method.respond?.(event, decision) ?? method.refuse(event.raw, reason);
    case 'abort_turn':
    case 'hard_abort':
      return method.ends === true ? ending(action, reason) : method.refuse(event.raw, reason);
    case 'deny':
    case 'ask':
    case 'retry_feedback':
      return method.refuse(event.raw, reason);
    default:
      return action satisfies never;
  }
}

/** How deep a request is checked before it is judged: as deep as judging relies on the types of fields. */
const READ_LEVELS = 2;

/** The fault of a request's parameters as a clause without a final period, undefined if there is none. */
export function problemOf({ type, needs }: Method, params: JsonObject): string | undefined {
  if (needs !== undefined && (own(params, needs) ?? null) === null) return `"${needs}" is missing`;
  const misfit = findMisfit(params, type, READ_LEVELS);
  return misfit === undefined ? undefined : misfitText(misfit);
}

/** The conversation of a request, undefined where PicoClaw leaves it empty. */
export function sessionOf(params: JsonObject): string | undefined {
  return named(params, 'SessionKey', 'session_key');
}

export function turnOf(params: JsonObject): string | undefined {
  return named(params, 'TurnID', 'turn_id');
}

function named(params: JsonObject, inMeta: string, inScope: string): string | undefined {
  const meta = ownObject(params, 'meta') ?? ownObject(params, 'Meta');
  if (meta !== undefined) return ownString(meta, inMeta) || undefined;
  const scope = ownObject(params, 'scope');
  return scope === undefined ? undefined : ownString(scope, inScope) || undefined;
}
