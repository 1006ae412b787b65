import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { FactOutcome } from '../../../model/history.ts';

/** The keys that name a fact. */
export type FactAsk = 'seen' | 'not_seen' | 'count' | 'since' | 'from';

/** A place in the matching keys of a policy that names a fact. */
export interface FactPlace {
  readonly ask: FactAsk;
  /** Leads from the matching keys to the fact. */
  readonly path: readonly (string | number)[];
  readonly spec: JsonObject;
}

/** The outcome that each key means if its fact names none. */
export const DEFAULT_OUTCOMES: Readonly<Record<FactAsk, FactOutcome>> = {
  seen: 'passed',
  not_seen: 'done',
  count: 'passed',
  since: 'passed',
  from: 'done',
};

/** The keys that name facts, with the paths in their specs where they do. */
const PLACES: Readonly<Record<string, Readonly<Partial<Record<FactAsk, readonly string[]>>>>> = {
  history: { seen: ['seen'], not_seen: ['not_seen'], count: ['count', 'of'], since: ['since'] },
  carries: { from: ['from'] },
};

/** The keys that ask for earlier calls. */
export const FACT_ASKS: readonly string[] = Object.keys(PLACES);

/** Matching keys with something else instead of each fact that they name. */
export function withFacts(
  when: JsonObject,
  change: (fact: Json, place: FactPlace) => Json,
  at: FactPlace['path'] = [],
): JsonObject {
  if (!mayNameFacts(when)) return when;
  return Object.fromEntries(
    Object.entries(when).map(([key, spec]): [string, Json] => {
      const here = [...at, key];
      const places = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined;
      if (places !== undefined && isJsonObject(spec)) return [key, changed(spec, places, here, change)];
      if (key === 'not' && isJsonObject(spec)) return [key, withFacts(spec, change, here)];
      if ((key !== 'any' && key !== 'all') || !Array.isArray(spec)) return [key, spec];
      const branch = (each: Json, index: number) =>
        isJsonObject(each) ? withFacts(each, change, [...here, index]) : each;
      return [key, spec.map(branch)];
    }),
  );
}

function changed(
  spec: JsonObject,
  places: NonNullable<(typeof PLACES)[string]>,
  at: FactPlace['path'],
  change: (fact: Json, place: FactPlace) => Json,
): JsonObject {
  let made = spec;
  for (const [ask, path] of Object.entries(places) as [FactAsk, readonly string[]][]) {
    const [key = '', below] = path;
    const value = own(made, key);
    if (value === undefined) continue;
    const place = { ask, path: [...at, ...path], spec };
    if (below === undefined) made = { ...made, [key]: change(value, place) };
    else if (isJsonObject(value) && Object.hasOwn(value, below))
      made = { ...made, [key]: { ...value, [below]: change(own(value, below) ?? null, place) } };
  }
  return made;
}

/** Nearly no policy does. */
function mayNameFacts(when: JsonObject): boolean {
  return (
    FACT_ASKS.some((key) => Object.hasOwn(when, key)) ||
    ['any', 'all', 'not'].some((key) => Object.hasOwn(when, key))
  );
}
