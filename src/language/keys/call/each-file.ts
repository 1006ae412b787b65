import type { Facts } from '../../../model/facts.ts';
import { changedFacts } from './changed-facts.ts';
import { callPaths } from './paths.ts';

/** The call once for each file in its arguments: a patch is approved only if it would be for each of them. */
export function eachFile(facts: Facts): readonly Facts[] {
  const files = new Set(callPaths(facts).paths.flatMap(({ file }) => file ?? []));
  if (files.size < 2) return [facts];
  const { surroundings } = facts;
  return [...files].map((file) => changedFacts(facts, { surroundings, file }));
}
