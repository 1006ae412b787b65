import { isJsonObject, own } from '../../../lib/json.ts';
import type { ValueType } from '../key-analysis.ts';
import { keys } from '../shape.ts';
import { SCALAR_TEST } from './scalar-test.ts';

const TEST = SCALAR_TEST.regex;

/** The operands of a command. */
export const OPERANDS: ValueType = {
  shape: keys(() => ({
    first: { shape: TEST.shape },
    rest: { shape: TEST.shape },
    every: { shape: TEST.shape },
    any: { shape: TEST.shape },
  })),
  implies: (narrow, wide) =>
    isJsonObject(narrow) &&
    isJsonObject(wide) &&
    Object.keys(wide).every((key) => {
      const same = own(narrow, key);
      if (same === undefined) return false;
      if (key === 'min') return Number(same) >= Number(wide[key]);
      if (key === 'max') return Number(same) <= Number(wide[key]);
      return TEST.implies(same, wide[key] ?? null, false);
    }),
};
