import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';

/** True if a URL that passes the narrow test passes the wide one for certain. Hosts are compared as texts. */
export function urlImplies(narrow: Json, wide: Json): boolean {
  if (deepEqual(narrow, wide)) return true;
  const from = isJsonObject(narrow) ? narrow : { host: narrow };
  const to = isJsonObject(wide) ? wide : { host: wide };
  return Object.entries(to).every(([key, spec]) => {
    const same = own(from, key);
    if (same === undefined) return false;
    if (deepEqual(same, spec)) return true;
    const isList = key === 'host' || key === 'scheme' || key === 'port';
    return isList && asList(same).every((value) => asList(spec).includes(value));
  });
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}
