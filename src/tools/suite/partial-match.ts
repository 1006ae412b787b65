import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';

/** Where a value is not as expected. */
export interface Mismatch {
  readonly path: readonly (string | number)[];
  readonly expected: Json;
  /** Undefined if there is nothing. */
  readonly actual: Json | undefined;
}

/**
 * The first place where a value lacks what is expected: objects have at least the expected keys, lists have as many
 * items and each fits, everything else is equal. Undefined if it fits.
 */
export function partialMismatch(expected: Json, actual: Json | undefined): Mismatch | undefined {
  if (actual !== undefined && isJsonObject(expected) && isJsonObject(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      const found = below(key, partialMismatch(value, own(actual, key)));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, value] of expected.entries()) {
      const found = below(index, partialMismatch(value, actual[index]));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return actual !== undefined && deepEqual(expected, actual) ? undefined : { path: [], expected, actual };
}

function below(step: string | number, mismatch: Mismatch | undefined): Mismatch | undefined {
  return mismatch === undefined ? undefined : { ...mismatch, path: [step, ...mismatch.path] };
}
