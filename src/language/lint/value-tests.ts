import type { Json, JsonObject } from '../../lib/json.ts';
import { WHEN } from '../keys/analyses.ts';
import { partsIn } from '../keys/shape.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';

/** A test on one value, wherever a policy has one. */
export interface ValueTestPlace {
  /** What is tested, as the author names it: `argument "command"`. */
  readonly subject: string;
  /** The last part of the name: `command`. */
  readonly name: string;
  readonly test: Json;
  /** What a plain text means there. */
  readonly plain: 'regex' | 'equals';
  readonly path: YamlPath;
  /** True if several values can be there, of which each may pass another part of the test. */
  readonly several: boolean;
}

/** What the keys that hold tests by name are about. */
const SUBJECTS: ReadonlyMap<unknown, string> = new Map([
  ['arguments', 'argument'],
  ['event', 'event'],
  ['context', 'context'],
  ['args', 'args'],
  ['environment', 'environment'],
  ['values', 'flag'],
]);

/** The tests on values in the matching keys of a policy. */
export function valueTestsIn(when: JsonObject): readonly ValueTestPlace[] {
  return partsIn(when, WHEN).flatMap(({ value: test, shape, path }): readonly ValueTestPlace[] => {
    if (shape.type !== 'either' || shape.plain === undefined) return [];
    const { plain } = shape;
    const [holder, name = ''] = path.filter((step) => typeof step === 'string').slice(-2);
    const kind = SUBJECTS.get(holder);
    if (kind !== undefined) {
      const parts = name.split('.');
      const last = parts.at(-1) ?? name;
      return [{ subject: `${kind} "${name}"`, name: last, test, plain, path, several: parts.includes('*') }];
    }
    // Hosts are compared in a way of their own.
    if (name === 'host') return [];
    return name === 'path'
      ? [{ subject: 'url "path"', name, test, plain, path, several: false }]
      : [{ subject: '"content"', name: 'text', test, plain, path, several: true }];
  });
}
