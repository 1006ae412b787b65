import type { Answer } from '../../../language/calls/answer-call.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';

/** Something that is not as expected, as people read it. */
export interface Difference {
  readonly key: string;
  /** The step of the case that it is about, from 1. */
  readonly step?: { readonly number: number; readonly call: string };
  readonly expected: string;
  readonly actual: string;
}

/** One thing expected of an answer. Undefined if it is as expected. */
export type Check = (answer: Answer) => Omit<Difference, 'key'> | undefined;

export interface NamedCheck {
  readonly key: string;
  readonly check: Check;
}

/** The meaning of a value, or the reason why it cannot be used. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SpecProblem };

/** One key of `expect`. A plain const object; `expect-keys.ts` is the only list of them. */
export interface ExpectKey {
  readonly key: string;
  readonly schema: JsonObject;
  /** True if only a run through a host has it. */
  readonly needsHost?: true;
  /** Of a value that the schema allows. */
  readonly read: (value: Json) => Read<Check>;
}
