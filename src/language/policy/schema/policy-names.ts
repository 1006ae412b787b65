import { type Json, own } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import type { YamlPath } from '../yaml/yaml.ts';

/** Lists of which each item has a name: the kind of one item, and the key that has its name. */
const NAMED: Readonly<Record<string, readonly [kind: string, key: string]>> = {
  policies: ['policy', 'id'],
  tools: ['tool', 'name'],
  cases: ['case', 'name'],
  exceptions: ['exception', 'policy'],
};

/** Mappings of which each key is a name: the kind of one value. */
const KEYED: Readonly<Record<string, string>> = {
  programs: 'program',
  facts: 'fact',
  judges: 'judge',
  parameters: 'parameter',
};

/** The owner of a path in a file, in the author's words: `policy "no-force-push"`. */
export function ownerName(root: Json, path: YamlPath): string {
  const [section, index] = path;
  const named = own(NAMED, String(section));
  if (named !== undefined && typeof index === 'number') {
    const [kind, key] = named;
    const name = atPath(root, [section ?? '', index, key]);
    return typeof name === 'string' && name !== '' ? `${kind} "${name}"` : `${kind} ${index + 1}`;
  }
  const kind = own(KEYED, String(section));
  return kind !== undefined && typeof index === 'string' ? `${kind} "${index}"` : 'the file';
}
