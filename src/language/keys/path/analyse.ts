import { asList, isJsonObject, type Json, own } from '../../../lib/json.ts';
import { possibleUses } from '../call/paths.ts';
import type { OwnAnalysis } from '../key-analysis.ts';
import type { Predicate } from '../matcher.ts';
import { alternativesIn, tokensOfAll } from '../types/alternatives.ts';
import { PATHS, placeTokens } from '../types/paths.ts';

export const path: OwnAnalysis = {
  ...PATHS,
  unknownCause: 'a path cannot be read in full',
  tokens: (spec) => tokensOfAll(alternativesIn(spec), placeTokens),
  outline: knownUse,
};

/** Of a path only its use is known, where the tool says it. */
function knownUse(spec: Json): Predicate {
  const uses = isJsonObject(spec) ? own(spec, 'uses') : undefined;
  const wanted = uses === undefined ? undefined : asList(uses);
  return ({ event }) => {
    if (event.tool === undefined) return false;
    const possible = possibleUses(event.tool);
    if (wanted === undefined || possible === undefined) return 'unknown';
    return possible.some((use) => wanted.includes(use)) ? 'unknown' : false;
  };
}
