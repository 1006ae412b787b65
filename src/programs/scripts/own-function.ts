import type { Value } from './values.ts';

/** A function that code defines. */
export interface OwnFunction {
  readonly parameters: readonly Parameter[];
  /** Its brackets, by their indices. */
  readonly open: number;
  readonly close: number;
  /** What it is called with, one after the other. */
  readonly calls: (readonly Value[])[];
}

export interface Parameter {
  readonly name: string;
  /** True if it takes all values that are left. */
  readonly isRest: boolean;
  /** Where the value starts that it has if none is given. */
  readonly fallback: number | undefined;
}
