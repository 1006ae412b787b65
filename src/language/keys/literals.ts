import type { Literals } from '../../model/policy.ts';

/** How well a set of literals rules events out: the length of its shortest one. */
function selectivity(literals: Literals): number {
  return Math.min(...literals.anyOf.map((literal) => literal.length));
}

/** Of two sets that are both required, the one that rules more out. */
export function moreSelective(a: Literals | undefined, b: Literals | undefined): Literals | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return selectivity(b) > selectivity(a) ? b : a;
}

/** The set for an alternative of several: one of all of them is required, if each has some in the same place. */
export function unionOf(sets: readonly (Literals | undefined)[]): Literals | undefined {
  const [first] = sets;
  if (first === undefined) return undefined;
  const anyOf: string[] = [];
  for (const set of sets) {
    if (set === undefined || set.scope !== first.scope || set.fold !== first.fold) return undefined;
    anyOf.push(...set.anyOf);
  }
  return { scope: first.scope, anyOf, fold: first.fold };
}
