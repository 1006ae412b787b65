import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { namesIn, patternCovers } from '../name-pattern.ts';
import { asList } from './alternatives.ts';
import { commandImplies } from './command-implies.ts';
import { pathImplies } from './path-implies.ts';
import { urlImplies } from './url-implies.ts';
import { type PlainMeaning, valueImplies } from './value-implies.ts';

/** Keys that must all hold, taken out of every `all`. */
export type Conjuncts = readonly (readonly [key: string, spec: Json])[];

/** Lists made before: alternatives are looked at again for each other policy. */
const known = new WeakMap<JsonObject, Conjuncts>();

/** The keys of a policy as a list. */
export function conjunctsOf(when: Json): Conjuncts {
  if (!isJsonObject(when)) return [];
  const before = known.get(when);
  if (before !== undefined) return before;
  const conjuncts = listConjuncts(when);
  known.set(when, conjuncts);
  return conjuncts;
}

function listConjuncts(when: JsonObject): Conjuncts {
  return Object.entries(when).flatMap(([key, spec]) =>
    key === 'all' && Array.isArray(spec) ? spec.flatMap(conjunctsOf) : [[key, spec] as const],
  );
}

/**
 * True if the wide keys say at least as much as the narrow ones about every event: yes where those say yes, and not no
 * where those cannot tell. Sound and far from complete: what is not understood implies nothing but itself.
 *
 * @param lenient whether the wide keys may also be untold where the narrow ones say yes
 */
export function whenImplies(narrow: Conjuncts, wide: Conjuncts, lenient: boolean): boolean {
  return wide.every(([key, spec]) => conjunctImplied(narrow, key, spec, lenient, MAX_SPLITS));
}

/** How many `any` of one policy are looked into at once; the work grows with their product. */
const MAX_SPLITS = 2;

function conjunctImplied(
  narrow: Conjuncts,
  key: string,
  spec: Json,
  lenient: boolean,
  splits: number,
): boolean {
  if (narrow.some(([other, own]) => other === key && keyImplies(key, own, spec, lenient))) return true;
  if (key === 'any' && Array.isArray(spec)) {
    if (spec.some((branch: Json) => whenImplies(narrow, conjunctsOf(branch), lenient))) return true;
  }
  if (splits === 0) return false;
  // Each alternative, together with what stands beside it, implies it.
  return narrow.some(([other, branches], index) => {
    if (other !== 'any' || !Array.isArray(branches)) return false;
    const beside = narrow.toSpliced(index, 1);
    return branches.every((branch: Json) =>
      conjunctImplied([...conjunctsOf(branch), ...beside], key, spec, lenient, splits - 1),
    );
  });
}

/** Keys that imply only themselves. A key that remembers calls would not even do that, so all of them are listed. */
const COMPARED_WHOLE = new Set(['any', 'arguments_match', 'arguments_violate', 'suspicious_text']);

function keyImplies(key: string, narrow: Json, wide: Json, lenient: boolean): boolean {
  switch (key) {
    case 'hosts':
    case 'tool':
      return asList(narrow).every((name) => asList(wide).includes(name));
    case 'tool_matcher':
      return namesIn(String(narrow)).every((name) =>
        namesIn(String(wide)).some((pattern) => patternCovers(pattern, name)),
      );
    case 'model_prefix':
      return asList(narrow).every((start) =>
        asList(wide).some((other) => String(start).startsWith(String(other))),
      );
    case 'context':
      return entriesImply(narrow, wide, 'equals', lenient);
    case 'event':
    case 'arguments':
      return entriesImply(narrow, wide, 'regex', lenient);
    case 'content':
      return contentImplies(narrow, wide, lenient);
    case 'command':
      return commandImplies(narrow, wide);
    case 'path':
      return pathImplies(narrow, wide);
    case 'url':
      return urlImplies(narrow, wide);
    case 'not':
      return whenImplies(conjunctsOf(wide), conjunctsOf(narrow), false);
    default:
      return COMPARED_WHOLE.has(key) && deepEqual(narrow, wide);
  }
}

/** A test for existence has an answer where the others have none, so only the same test implies it. */
function entriesImply(narrow: Json, wide: Json, plain: PlainMeaning, lenient: boolean): boolean {
  if (!isJsonObject(narrow) || !isJsonObject(wide)) return false;
  return Object.keys(wide).every((path) => {
    const test = wide[path] ?? null;
    const same = own(narrow, path);
    if (same === undefined) return false;
    if (deepEqual(same, test)) return true;
    if (asksForExistence(same) || asksForExistence(test)) return false;
    return valueImplies(same, test, plain, lenient);
  });
}

function asksForExistence(test: Json): boolean {
  return isJsonObject(test) && Object.hasOwn(test, 'exists');
}

function contentImplies(narrow: Json, wide: Json, lenient: boolean): boolean {
  const from = contentOf(narrow);
  const to = contentOf(wide);
  return (
    own(from, 'scope') === own(to, 'scope') &&
    own(from, 'role') === own(to, 'role') &&
    valueImplies(own(from, 'test') ?? null, own(to, 'test') ?? null, 'regex', lenient)
  );
}

function contentOf(spec: Json): JsonObject {
  return isJsonObject(spec) ? { scope: 'new', ...spec } : { scope: 'new', test: spec };
}
