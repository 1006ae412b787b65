import { type Json, own } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import type { YamlPath } from '../yaml/yaml.ts';

/** Sections of a file: the kind of one entry, and the key that has its name; in mappings, the entry's own key is the name. */
const SECTIONS: Readonly<Record<string, readonly [kind: string, key?: string]>> = {
  policies: ['policy', 'id'],
  tools: ['tool', 'name'],
  cases: ['case', 'name'],
  exceptions: ['exception', 'policy'],
  programs: ['program'],
  facts: ['fact'],
  judges: ['judge'],
  parameters: ['parameter'],
};

/** The owner of a path in a file, in the author's words: `policy "no-force-push"`. */
export function ownerName(root: Json, [section = '', entry]: YamlPath): string {
  const [kind, key] = own(SECTIONS, String(section)) ?? [];
  const isIn = typeof entry === (key === undefined ? 'string' : 'number');
  if (kind === undefined || entry === undefined || !isIn) return 'the file';
  if (key === undefined) return `${kind} "${entry}"`;
  const name = atPath(root, [section, entry, key]);
  return typeof name === 'string' && name !== '' ? `${kind} "${name}"` : `${kind} ${Number(entry) + 1}`;
}
