import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { alternativesImply, asList } from './alternatives.ts';

/** Keys whose lists can be compared as texts. */
const LISTS = new Set(['host', 'scheme', 'port']);

/** True if a URL that passes the narrow test passes the wide one for certain. */
export function urlImplies(narrow: Json, wide: Json): boolean {
  return alternativesImply(narrow, wide, (from, to) => {
    const whole = isJsonObject(from) ? from : { host: from };
    const wanted = isJsonObject(to) ? to : { host: to };
    return Object.entries(wanted).every(([key, spec]) => {
      const same = own(whole, key);
      if (same === undefined) return false;
      if (deepEqual(same, spec)) return true;
      return LISTS.has(key) && asList(same).every((value) => asList(spec).includes(value));
    });
  });
}
