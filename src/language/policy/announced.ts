import type { YamlPath } from './yaml.ts';

/** The keys of policies that later versions will have, with what they will do. What is built goes from here into the schema. */
const ANNOUNCED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    limit: 'a number of calls in a time',
    seen: 'what has happened before in the session',
    not_seen: 'what has not happened before in the session',
    marks: 'remembering that something has happened',
    carries: 'data that goes from one call into another',
  }),
);

/** What a key will mean in a later version; undefined if nothing is announced. */
export function announcedMeaning([section]: YamlPath, key: string): string | undefined {
  // The defaults of a file are those of its policies.
  return section === 'policies' || section === 'defaults' ? ANNOUNCED.get(key) : undefined;
}
