import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, GLOB, keys, type Shape, WHOLE } from '../shape.ts';
import { alternativesImply } from './alternatives.ts';

const WHICH_PATHS = choice({
  type: 'either',
  text: GLOB,
  mapping: keys(() => ({ match: { shape: choice(GLOB) }, set: { shape: choice(WHOLE) } })),
});

const VARIABLES: Shape = { type: 'choice', item: WHOLE, takesBack: '!' };

const SET_VARIABLES = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    any: { shape: VARIABLES },
    except: { shape: VARIABLES, negative: true },
    unless: { shape: VARIABLES, negative: true },
    from: { shape: WHICH_PATHS, negative: true },
  })),
});

const WRITTEN_FIELDS = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    any: { shape: choice(WHOLE), fixed: true },
    unseen: { shape: WHOLE },
    from: { shape: WHICH_PATHS, negative: true },
  })),
});

const SHAPE: Shape = choice({
  type: 'either',
  text: GLOB,
  mapping: keys(() => ({
    match: { shape: choice(GLOB) },
    set: { shape: choice(WHOLE) },
    uses: { shape: choice(WHOLE) },
    sets: { shape: SET_VARIABLES },
    fields: { shape: WRITTEN_FIELDS },
    unknown: { shape: WHOLE, fixed: true },
    except: { shape: WHICH_PATHS, negative: true },
    unless: { shape: WHICH_PATHS, negative: true },
  })),
});

/** Keys whose lists can be compared; any other key must be the same on both sides. */
const COMPARED = new Set(['match', 'set', 'uses', 'except']);

/** True if a path that passes the narrow test passes the wide one for certain. Globs are compared as texts. */
function pathImplies(narrow: Json, wide: Json): boolean {
  return alternativesImply(narrow, wide, (from, to) => {
    const whole = isJsonObject(from) ? from : { match: from };
    const wanted = isJsonObject(to) ? to : { match: to };
    return (
      restIsEqual(whole, wanted) &&
      placesCovered(whole, wanted) &&
      usesCovered(own(whole, 'uses'), own(wanted, 'uses')) &&
      placesIn(own(wanted, 'except') ?? []).every((each) =>
        placesIn(own(whole, 'except') ?? []).includes(each),
      )
    );
  });
}

function restIsEqual(from: JsonObject, to: JsonObject): boolean {
  const others = [...Object.keys(from), ...Object.keys(to)].filter((key) => !COMPARED.has(key));
  return others.every((key) => deepEqual(own(from, key) ?? null, own(to, key) ?? null));
}

function placesCovered(from: JsonObject, to: JsonObject): boolean {
  const wanted = placesIn(to);
  if (wanted.length === 0) return true;
  const given = placesIn(from);
  return given.length > 0 && given.every((place) => wanted.includes(place));
}

/** `match` and `set` together are one list. */
function placesIn(test: Json): readonly string[] {
  if (!isJsonObject(test)) return asList(test).map((glob) => `match ${glob}`);
  return ['match', 'set'].flatMap((key) => {
    const value = own(test, key);
    return value === undefined ? [] : asList(value).map((place) => `${key} ${place}`);
  });
}

function usesCovered(narrow: Json | undefined, wide: Json | undefined): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && asList(narrow).every((use) => asList(wide).includes(use));
}

export const PATHS: ValueType = { shape: SHAPE, implies: pathImplies };

/** `match` and `set` of each alternative, one of which another test must name to imply it. */
export function placeTokens(test: Json): readonly string[] | undefined {
  const tokens = placesIn(isJsonObject(test) ? test : { match: test });
  return tokens.length === 0 ? undefined : tokens;
}
