import type { Word } from '../../reading/word.ts';
import type { Scope, Variable } from './scope.ts';

/** A function while it is read. */
export interface FunctionCall {
  readonly name: string;
  /** The layer with its arguments. */
  readonly scope: Scope;
  /** The substitutions around it. */
  readonly substitutions: number;
  /** What it starts from: known of a call within the function itself. */
  readonly start: FunctionState | undefined;
  /** True if it is called again within itself, from where it started. */
  repeats: boolean;
}

/** All that decides what a function does. Two calls from one state do the same, so that one of them says it all. */
export interface FunctionState {
  readonly args: readonly Word[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** The functions that are defined, told apart by identity. */
  readonly functions: readonly object[];
  /** All else, as a text: the working directory, the input, files, aliases. */
  readonly rest: string;
}
