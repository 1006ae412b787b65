import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { YamlPath } from '../yaml/yaml.ts';

/** Lists of which each item has a name: what one of them is called, and the key that has its name. */
const NAMED: Readonly<Record<string, readonly [kind: string, key: string]>> = {
  policies: ['policy', 'id'],
  tools: ['tool', 'name'],
  cases: ['case', 'name'],
};

/** What a path in a file belongs to, in the author's words: `policy "no-force-push"`. */
export function ownerName(root: Json, path: YamlPath): string {
  const [section, index] = path;
  const named = own(NAMED, String(section));
  if (named !== undefined && typeof index === 'number') {
    const [kind, key] = named;
    const item = valueAt(root, path.slice(0, 2));
    const name = isJsonObject(item ?? null) ? own(item as JsonObject, key) : undefined;
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
