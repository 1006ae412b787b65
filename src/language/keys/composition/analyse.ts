import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList } from '../../../lib/json.ts';
import { ALWAYS_REPORTED, type AnalysisTable, type PartialAnalysis } from '../key-analysis.ts';
import { choice, keys, type Shape } from '../shape.ts';
import { tokensOfAll } from '../types/alternatives.ts';
import { conjunctsOf, whenImplies } from '../when-implies.ts';
import { requiredTokens } from '../when-tokens.ts';

/** `any`, `all` and `not`. They hold the same keys as a policy, so they are made with a way to look those up. */
export function composition(
  table: () => AnalysisTable,
): Readonly<Record<'any' | 'all' | 'not', PartialAnalysis>> {
  const when = whenShape(table);
  // The keys in the branches say for themselves which parts are unknown.
  const inside = { unknownCause: undefined, unreported: ALWAYS_REPORTED };
  return {
    any: {
      ...inside,
      shape: choice(when),
      // A spec that implies one of the branches also implies the list.
      implies: deepEqual,
      tokens: (spec) => tokensOfAll(asList(spec), (branch) => requiredTokens(conjunctsOf(branch), table())),
    },
    // Its keys are compared one by one.
    all: { ...inside, shape: { type: 'every', item: when }, implies: () => false },
    not: {
      ...inside,
      shape: when,
      implies: (narrow, wide) => whenImplies(conjunctsOf(wide), conjunctsOf(narrow), false, table()),
    },
  };
}

/** The shape of the matching keys of a policy. */
export function whenShape(table: () => AnalysisTable): Shape {
  return keys(() =>
    Object.fromEntries(
      [...table()].map(([key, { shape }]) => [key, { shape, ...(key === 'not' ? { negative: true } : {}) }]),
    ),
  );
}
