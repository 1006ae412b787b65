import { EMPTY_WORD } from '../reading/word.ts';
import type { Variable } from '../shell/scope/scope.ts';
import type { Value } from './state.ts';

/** A variable with a value: a list has its items as elements. */
export function variableFor(value: Value, exported = false): Variable {
  const [only] = value;
  if (only !== undefined && value.length === 1) return { values: [only], elements: undefined, exported };
  return { values: value.length === 0 ? [EMPTY_WORD] : value, elements: value, exported };
}
