import type { Facts } from '../../../model/facts.ts';
import { mayBeFolded } from '../path/forms.ts';
import { changedFacts } from './changed-facts.ts';
import { foldedSurroundings } from './folded-surroundings.ts';
import { oncePerEvent } from './once-per-event.ts';
import { callPaths } from './paths.ts';

/**
 * The call with paths as its volumes fold them; undefined if none does. A refusal holds for either reading, a permission for
 * both.
 */
export const foldedReading: (facts: Facts) => Facts | undefined = oncePerEvent((facts) => {
  const { surroundings } = facts;
  if (surroundings.foldsNames === undefined || surroundings.readsFolded) return undefined;
  if (!callPaths(facts).paths.some((used) => mayBeFolded(used, surroundings))) return undefined;
  return changedFacts(facts, { surroundings: foldedSurroundings(surroundings) });
});
