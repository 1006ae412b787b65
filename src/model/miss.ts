import type { Json } from '../lib/json.ts';
import type { Truth } from './truth.ts';

/** Why a test of a policy did not hold: the part, the value that it wanted and the values that it saw. */
export interface Miss {
  /** Keys and indexes that lead from the test to the part. */
  readonly path: readonly (string | number)[];
  /** The value that the part wants. */
  readonly wanted: Json;
  /** True if the part excludes its value. */
  readonly excludes?: true;
  /** The values of the call there; empty if there are none. */
  readonly seen: readonly string[];
  /** No or unknown. */
  readonly truth: Exclude<Truth, true>;
  /** How many parts before it and around it did not say no. */
  readonly held: number;
}

/** Receives every miss. A test that holds in the end may have reported some. */
export type OnMiss = (miss: Miss) => void;
