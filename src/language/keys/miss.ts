import type { Json } from '../../lib/json.ts';
import type { Miss, OnMiss } from '../../model/miss.ts';
import type { Truth } from '../../model/truth.ts';

export interface AskedPart {
  /** The place of the part in the test; empty if it is the whole test. */
  readonly path: Miss['path'];
  readonly wanted: Json;
  readonly excludes?: true;
  /** The texts that the call has there. */
  readonly seen: () => readonly string[];
}

/** Asks a part of a test, and says why it does not hold: by its nearest part, if it has any. Lazy. */
export function askPart(
  part: () => AskedPart,
  held: number,
  missed: OnMiss | undefined,
  ask: (missed?: OnMiss) => Truth,
): Truth {
  if (missed === undefined) return ask();
  const misses: Miss[] = [];
  const truth = ask((miss) => misses.push(miss));
  if (truth === true) return true;
  const { path, seen, ...said } = part();
  const nearest = nearestOf(misses, truth);
  missed(
    nearest === undefined
      ? { ...said, path, seen: seen(), truth, held }
      : { ...nearest, path: [...path, ...nearest.path], truth, held: held + nearest.held },
  );
  return truth;
}

/** The miss with the most that held before it; of those that decided, if there are some. */
function nearestOf(misses: readonly Miss[], truth: Truth): Miss | undefined {
  const decided = misses.filter((miss) => miss.truth === truth);
  const [first, ...others] = decided.length > 0 ? decided : misses;
  if (first === undefined) return undefined;
  return others.reduce((best, miss) => (miss.held > best.held ? miss : best), first);
}
