import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, keys, type Shape, WHOLE } from '../shape.ts';
import { portRange, urlAlternatives } from '../url/place.ts';
import { SCALAR_TEST, testShape } from './scalar-test.ts';

const SHAPE: Shape = choice({
  type: 'either',
  text: WHOLE,
  mapping: keys(() => ({
    scheme: { shape: choice(WHOLE) },
    host: { shape: choice(SCALAR_TEST.equals.shape) },
    port: { shape: choice(WHOLE) },
    path: { shape: testShape('regex', { of: 'url', named: true }) },
    except: { shape: SHAPE, negative: true },
  })),
});

/** True if a URL that passes the narrow test passes the wide one for certain. */
export function urlImplies(narrow: Json, wide: Json): boolean {
  const options = hostAlternatives(wide);
  return hostAlternatives(narrow).every((from) =>
    options.some((to) => Object.keys(to).every((key) => keyImplied(from, key, to[key] ?? null))),
  );
}

/** The alternatives, each with one host at most. */
export function hostAlternatives(spec: Json): readonly JsonObject[] {
  return urlAlternatives(spec).flatMap((test) => {
    const host = own(test, 'host');
    return Array.isArray(host) ? host.map((each: Json) => ({ ...test, host: each })) : [test];
  });
}

function keyImplied(from: JsonObject, key: string, spec: Json): boolean {
  const same = own(from, key);
  if (same === undefined) return false;
  if (deepEqual(same, spec)) return true;
  switch (key) {
    case 'scheme':
      return asList(same).every((value) => asList(spec).includes(value));
    case 'port':
      return asList(same).every((narrow) => asList(spec).some((wide) => portsLieIn(narrow, wide)));
    case 'host':
      return isJsonObject(same) && !isJsonObject(spec)
        ? Object.values(same)
            .flat()
            .every((host: Json) => host === spec)
        : false;
    case 'except':
      return hostAlternatives(spec).every((each) => urlImplies(each, same));
    default:
      return false;
  }
}

function portsLieIn(narrow: Json, wide: Json): boolean {
  const [first = 0, last = 0] = portRange(narrow) ?? [];
  const [from = 0, to = 0] = portRange(wide) ?? [];
  return from <= first && last <= to;
}

export const URLS: ValueType = { shape: SHAPE, implies: urlImplies };

/** An exact host shares its name with the one that covers it. */
export function hostTokens(test: JsonObject): readonly string[] | undefined {
  const host = own(test, 'host');
  const names = isJsonObject(host) ? Object.values(host).flat() : host;
  return names === undefined ? undefined : asList(names).map((name) => `host ${name}`);
}
