import { isJsonObject, type Json } from '../../lib/json.ts';
import type { AnalysisTable } from './key-analysis.ts';
import type { Conjuncts } from './when-implies.ts';

/** Words of which keys share one with all keys that imply them; undefined if unknown. Saves comparing all pairs of policies. */
export function requiredTokens(wide: Conjuncts, table: AnalysisTable): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  for (const [key, spec] of wide) {
    const tokens = table.get(key)?.tokens(spec);
    // Classes of tools are few, so they tell little apart.
    if (tokens !== undefined && (best === undefined || key !== 'tool')) best = tokens;
    if (best !== undefined && key !== 'tool') return best;
  }
  return best;
}

/** Every word that keys can share with the keys that they imply, alternatives included. */
export function givenTokens(narrow: Conjuncts, table: AnalysisTable): readonly string[] {
  return narrow.flatMap(([key, spec]) => {
    if ((key === 'any' || key === 'all') && Array.isArray(spec)) {
      return spec.flatMap((branch: Json) =>
        isJsonObject(branch) ? givenTokens(Object.entries(branch), table) : [],
      );
    }
    const analysis = table.get(key);
    return analysis?.givenTokens?.(spec) ?? analysis?.tokens(spec) ?? [];
  });
}
