import type { Json } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import type { Position } from '../../../model/diagnostic.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { ownerName } from './policy-names.ts';

/** The subject of a problem, its place, and the words for it. */
export interface SchemaPlace {
  readonly document: YamlDocument;
  readonly path: YamlPath;
  /** The nearest key that the path goes through. */
  readonly name: string;
  readonly value: Json | undefined;
  /** The policy, tool or file around it. */
  readonly owner: string;
}

export function placeAt(document: YamlDocument, path: YamlPath): SchemaPlace {
  return {
    document,
    path,
    name: String(path.findLast((step) => typeof step === 'string') ?? ''),
    value: atPath(document.value, path),
    owner: ownerName(document.value, path),
  };
}

export function valuePosition({ document, path }: SchemaPlace): Position {
  return document.positionOf(path, 'value');
}

/** The policy, tool or key as a whole. */
export function describePlace(place: SchemaPlace): string {
  return place.path.length <= 2 ? place.owner : naming(place);
}

/** The key of a policy, the item of a list, or the policy itself. */
export function naming({ name, owner, path }: SchemaPlace): string {
  const last = path.at(-1);
  const isOwner = typeof last === 'number' && owner !== 'the file' && path.length === 2;
  if (last === undefined || isOwner) return owner;
  const key = typeof last === 'number' ? `item ${last + 1} of "${name}"` : `"${name}"`;
  return owner === 'the file' ? `key ${key}` : `${key} of ${owner}`;
}

const LONGEST_SHOWN = 60;

/** The author's word for the value of a key, if that is not the key's own name. */
const VALUE_NAMES: Readonly<Record<string, string>> = { on: 'event', hosts: 'host' };

/** The value with its key, if it is short enough to be shown. */
export function shown(place: SchemaPlace): string {
  const { value, name, owner } = place;
  if (typeof value === 'object' || value === undefined) return naming(place);
  const text = String(value);
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return `${VALUE_NAMES[name] ?? name} ${typeof value === 'string' ? `"${cut}"` : cut} in ${owner}`;
}
