import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

/** A matching key at any place, inside `any`, `all` and `not` too. */
export interface WhenPart {
  readonly key: string;
  readonly spec: Json;
  /** Leads from the policy to it. */
  readonly path: readonly (string | number)[];
  /** The keys that it is among. */
  readonly siblings: JsonObject;
  /** True inside of a `not`. */
  readonly negated: boolean;
}

/** Every matching key of a policy, those that hold others included. */
export function whenParts(when: JsonObject): readonly WhenPart[] {
  return partsBelow(when, [], false);
}

function partsBelow(when: Json, path: WhenPart['path'], negated: boolean): readonly WhenPart[] {
  if (!isJsonObject(when)) return [];
  return Object.entries(when).flatMap(([key, spec]): readonly WhenPart[] => {
    const here = [...path, key];
    const part = { key, spec, path: here, siblings: when, negated };
    if (key === 'not') return [part, ...partsBelow(spec, here, !negated)];
    if ((key !== 'any' && key !== 'all') || !Array.isArray(spec)) return [part];
    return [part, ...spec.flatMap((branch: Json, index) => partsBelow(branch, [...here, index], negated))];
  });
}
