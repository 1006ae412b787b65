import { child } from '../../lib/child.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { AnalysisTable } from './key-analysis.ts';

/** Keys that must all hold, taken out of every `all`. */
export type Conjuncts = readonly (readonly [key: string, spec: Json])[];

/** Lists made before: alternatives are looked at again for each other policy. */
const known = new WeakMap<JsonObject, Conjuncts>();

export function conjunctsOf(when: Json): Conjuncts {
  return isJsonObject(when) ? child(known, when, () => listConjuncts(when)) : [];
}

function listConjuncts(when: JsonObject): Conjuncts {
  return Object.entries(when).flatMap(([key, spec]) =>
    key === 'all' && Array.isArray(spec) ? spec.flatMap(conjunctsOf) : [[key, spec] as const],
  );
}

/**
 * True if the wide keys say at least as much as the narrow ones about every event: yes where those say yes, and not no where
 * those are unknown. Sound and far from complete: keys that are not understood imply nothing but themselves.
 *
 * @param lenient true if the wide keys may also be unknown where the narrow ones say yes
 */
export function whenImplies(
  narrow: Conjuncts,
  wide: Conjuncts,
  lenient: boolean,
  table: AnalysisTable,
): boolean {
  return wide.every((each) => conjunctImplied(narrow, each, { lenient, table, splits: MAX_SPLITS }));
}

/** How many `any` of one policy are looked into at once; the work grows with their product. */
const MAX_SPLITS = 2;

interface Comparison {
  readonly lenient: boolean;
  readonly table: AnalysisTable;
  readonly splits: number;
}

function conjunctImplied(narrow: Conjuncts, wide: Conjuncts[number], comparison: Comparison): boolean {
  const [key, spec] = wide;
  const { lenient, table, splits } = comparison;
  const implies = table.get(key)?.implies;
  if (narrow.some(([other, own]) => other === key && implies?.(own, spec, lenient) === true)) return true;
  if (key === 'any' && Array.isArray(spec)) {
    if (spec.some((branch: Json) => whenImplies(narrow, conjunctsOf(branch), lenient, table))) return true;
  }
  if (splits === 0) return false;
  // Each alternative, together with the keys beside it, implies it.
  return narrow.some(([other, branches], index) => {
    if (other !== 'any' || !Array.isArray(branches)) return false;
    const beside = narrow.toSpliced(index, 1);
    return branches.every((branch: Json) =>
      conjunctImplied([...conjunctsOf(branch), ...beside], wide, { ...comparison, splits: splits - 1 }),
    );
  });
}
