import type { Json } from '../../../lib/json.ts';

/** A value with its span in the text, as offsets. */
export interface YamlNode {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  /** By key or index; undefined for scalars. */
  readonly children: ReadonlyMap<string | number, YamlEntry> | undefined;
  /** Number of keys and values in it, itself included; a long text counts as several, an alias as its target. */
  readonly size: number;
}

/** A value and the span of the key that it is under; an item's key is the item. */
export interface YamlEntry {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: YamlNode;
}
