import type { Json } from '../../../lib/json.ts';
import type { CallNeeds } from '../../../model/policy.ts';
import { TRAITS } from '../call/traits.ts';
import { valueTestLiterals } from '../types/value-test.ts';
import { urlAlternatives } from './place.ts';

/** What a call needs for one of its addresses to pass a test. */
export function urlNeeds(spec: Json): readonly CallNeeds[] {
  return urlAlternatives(spec).flatMap(({ path = null, foreign_token: foreign }): readonly CallNeeds[] => {
    const urls = valueTestLiterals(path)?.anyOf.map((text) => text.toLowerCase());
    if (urls !== undefined) return [{ traits: [TRAITS.network | TRAITS.argument], urls }];
    if (foreign !== true) return [{ traits: [TRAITS.network | TRAITS.argument] }];
    return [{ traits: [TRAITS.argument] }, { traits: [TRAITS.network, TRAITS.sends_token] }];
  });
}
