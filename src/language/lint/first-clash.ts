import type { Json, JsonObject } from '../../lib/json.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import type { Finding } from './lint-rule.ts';

/** The message about a key that cannot hold beside those before it. */
type Wording = Pick<Finding, 'message' | 'hint'>;

const EXCEPT: Wording = {
  message: 'Cannot match: "except" leaves out everything that the other keys allow',
  hint: 'narrow "except"',
};

/**
 * The first key of a test that cannot hold together with those before it; exceptions are looked at last.
 *
 * @param isMet tells if anything may meet these keys
 * @param words the messages for some keys; there are others for the rest
 */
export function firstClash(
  test: JsonObject,
  path: YamlPath,
  isMet: (keys: JsonObject) => boolean,
  words: Readonly<Record<string, Wording>> = {},
): readonly Finding[] {
  if (isMet(test)) return [];
  const { except, ...others } = test;
  const entries: (readonly [string, Json])[] = Object.entries(others);
  if (except !== undefined) entries.push(['except', except]);
  const last = entries.findIndex((_, index) => !isMet(Object.fromEntries(entries.slice(0, index + 1))));
  const key = entries[last]?.[0];
  if (key === undefined) return [];
  const before = entries.slice(0, last).map(([name]) => `"${name}"`);
  const said = key === 'except' ? EXCEPT : words[key];
  return [
    {
      path: [...path, key],
      message: `Cannot match "${key}" together with ${before.join(', ')}: nothing meets both`,
      hint: 'leave out one of them; alternatives are the items of a list',
      ...said,
    },
  ];
}
