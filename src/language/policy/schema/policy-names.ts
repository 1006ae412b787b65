import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import type { YamlPath } from '../yaml/yaml.ts';

/** What a path in a policy file belongs to, in the author's words: `policy "no-force-push"`. */
export function ownerName(root: Json, path: YamlPath): string {
  const [section, index] = path;
  if ((section === 'policies' || section === 'tools') && typeof index === 'number') {
    const list = isJsonObject(root) ? own(root, section) : undefined;
    const item = Array.isArray(list) ? list[index] : undefined;
    const key = section === 'policies' ? 'id' : 'name';
    const name = isJsonObject(item) ? own(item, key) : undefined;
    const kind = section === 'policies' ? 'policy' : 'tool';
    return typeof name === 'string' && name !== '' ? `${kind} "${name}"` : `${kind} ${index + 1}`;
  }
  if (section === 'programs' && typeof index === 'string') return `program "${index}"`;
  return 'the file';
}

/** The value at a path, or undefined. */
export function valueAt(root: Json, path: YamlPath): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) ? own(value, step) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
