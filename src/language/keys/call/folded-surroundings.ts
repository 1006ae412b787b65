import type { Surroundings } from '../../../model/surroundings.ts';

const made = new WeakMap<Surroundings, Surroundings>();

/** The same machine with its paths read as folded: one for each, because caches use it as their key. */
export function foldedSurroundings(surroundings: Surroundings): Surroundings {
  const known = made.get(surroundings);
  if (known !== undefined) return known;
  const folded: Surroundings = { ...surroundings, readsFolded: true };
  made.set(surroundings, folded);
  return folded;
}
