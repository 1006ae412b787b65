import type { JsonObject } from '../../lib/json.ts';
import { displayWidth } from './display-width.ts';
import { printable } from './printable.ts';

/**
 * An object as lines of YAML that do to a terminal only what they show: each key on a line of its own where its value fits,
 * else below itself. Nothing is left out.
 */
export function yamlLines(object: JsonObject, columns: number): readonly string[] {
  const { CORE_SCHEMA, dump } = require('js-yaml') as typeof import('js-yaml');
  return Object.entries(object).flatMap(([key, value]) => {
    const linesOf = (flowLevel: number) =>
      dump({ [key]: value }, { schema: CORE_SCHEMA, flowLevel, lineWidth: -1, noRefs: true })
        .trimEnd()
        .split('\n')
        .map(printable);
    const [line = '', ...others] = linesOf(1);
    return others.length === 0 && displayWidth(line) <= columns ? [line] : linesOf(-1);
  });
}
