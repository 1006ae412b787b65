import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type JsonObject, own } from '../../../lib/json.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, keys, WHOLE } from '../shape.ts';
import { asList } from './alternatives.ts';
import { SCALAR_TEST } from './scalar-test.ts';

/** The flags of a command. */
export const FLAGS: ValueType = {
  shape: keys(() => ({
    any: { shape: choice(WHOLE) },
    all: { shape: { type: 'every', item: WHOLE } },
    none: { shape: choice(WHOLE), negative: true },
    unless: { shape: choice(WHOLE), negative: true },
    values: { shape: keys(() => ({}), SCALAR_TEST.regex.shape) },
  })),
  implies: (narrow, wide) => isJsonObject(narrow) && isJsonObject(wide) && flagsImply(narrow, wide),
};

function flagsImply(narrow: JsonObject, wide: JsonObject): boolean {
  const any = flagsOf(narrow, 'any');
  const all = flagsOf(narrow, 'all');
  const none = flagsOf(narrow, 'none');
  const wantedAny = flagsOf(wide, 'any');
  const oneOfThem = any.length > 0 && any.every((flag) => wantedAny.includes(flag));
  const hasAny = wantedAny.length === 0 || oneOfThem || all.some((flag) => wantedAny.includes(flag));
  const hasAll = flagsOf(wide, 'all').every(
    (flag) => all.includes(flag) || (any.length === 1 && any[0] === flag),
  );
  const hasOthers = ['unless', 'values'].every((key) => {
    const wanted = own(wide, key);
    return wanted === undefined || deepEqual(wanted, own(narrow, key) ?? null);
  });
  return hasAny && hasAll && hasOthers && flagsOf(wide, 'none').every((flag) => none.includes(flag));
}

function flagsOf(test: JsonObject, key: string): readonly string[] {
  const value = own(test, key);
  return value === undefined ? [] : asList(value).map(String);
}
