import type { YamlPath } from './yaml.ts';

/** A key of the language that later versions will have. */
interface Announced {
  readonly key: string;
  readonly in: 'file' | 'policy';
  /** What it will do. */
  readonly meaning: string;
}

/** The only list of what is to come. What is built goes from here into the schema. */
const ANNOUNCED: readonly Announced[] = [
  { key: 'parameters', in: 'file', meaning: 'values that those who extend the file set' },
  { key: 'applies_to', in: 'file', meaning: 'repositories, hosts and people that the file is for' },
  { key: 'managed', in: 'file', meaning: 'policies that an organisation hands out' },
  { key: 'limit', in: 'policy', meaning: 'a number of calls in a time' },
  { key: 'seen', in: 'policy', meaning: 'what has happened before in the session' },
  { key: 'not_seen', in: 'policy', meaning: 'what has not happened before in the session' },
  { key: 'marks', in: 'policy', meaning: 'remembering that something has happened' },
  { key: 'carries', in: 'policy', meaning: 'data that goes from one call into another' },
];

/** What a key will mean in a later version; undefined if nothing is announced. */
export function announcedMeaning(place: YamlPath, key: string): string | undefined {
  const where = place.length === 0 ? 'file' : 'policy';
  return ANNOUNCED.find(
    (each) =>
      each.key === key &&
      // The defaults of a file are those of its policies.
      each.in === where &&
      (where === 'file' || place[0] === 'policies' || place[0] === 'defaults'),
  )?.meaning;
}
