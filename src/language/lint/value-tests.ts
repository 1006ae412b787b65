import type { Json, JsonObject } from '../../lib/json.ts';
import { WHEN } from '../keys/analyses.ts';
import { partsIn, type TestOnValue } from '../keys/shape.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';

export interface ValueTestPlace {
  /** The tested value, as the author names it: `argument "command"`. */
  readonly subject: string;
  /** The last part of the name: `command`. */
  readonly name: string;
  readonly test: Json;
  readonly plain: TestOnValue['plain'];
  readonly path: YamlPath;
  /** True if several values can be there, of which each may pass another part of the test. */
  readonly several: boolean;
}

/** The tests on values in the matching keys of a policy. */
export function valueTestsIn(when: JsonObject): readonly ValueTestPlace[] {
  return partsIn(when, WHEN).flatMap(({ value: test, shape, path }): readonly ValueTestPlace[] => {
    if (shape.type !== 'either' || shape.test === undefined) return [];
    const { plain, of, named } = shape.test;
    if (!named) return [{ subject: `"${of}"`, name: of, test, plain, path, several: true }];
    const name = path.findLast((step) => typeof step === 'string') ?? '';
    const parts = name.split('.');
    const last = parts.at(-1) ?? name;
    return [{ subject: `${of} "${name}"`, name: last, test, plain, path, several: parts.includes('*') }];
  });
}
