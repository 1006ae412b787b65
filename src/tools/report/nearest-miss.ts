import { missText } from '../../language/keys/miss-text.ts';
import type { Json } from '../../lib/json.ts';
import { type Action, prevents } from '../../model/action.ts';
import type { Considered } from './explanation.ts';
import { printableCut } from './printable.ts';

const MAX_CHARS = 160;

/**
 * Of a call that passes, the policy of people here that came nearest to matching, and why it did not, for whoever wonders;
 * undefined if there is none that can be said in words.
 *
 * @param others those that did not match, nearest first
 */
export function nearestMiss(others: readonly Considered[], action: Action): string | undefined {
  const [nearest] = others;
  if (nearest === undefined || prevents(action)) return undefined;
  const { rule, miss } = nearest.trace;
  if (rule.layer === 'builtin' || miss === undefined || !isPlain(miss.wanted)) return undefined;
  return printableCut(`${rule.id}: ${missText(miss)}`, MAX_CHARS);
}

function isPlain(wanted: Json): boolean {
  return (
    typeof wanted !== 'object' || (Array.isArray(wanted) && wanted.every((each) => typeof each === 'string'))
  );
}
