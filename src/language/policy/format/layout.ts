import type { YamlPath } from '../yaml/yaml.ts';

/** The canonical form of one kind of file, beyond the part that all of them share. */
export interface Layout {
  /** Keys of the mapping at a path in their order; undefined if it stays as it is. */
  readonly keysAt: (path: YamlPath) => readonly string[] | undefined;
  /** True if a blank line parts the items of the list at a path. */
  readonly isSpaced: (path: YamlPath) => boolean;
}

/** Puts keys into their order: those that are not listed come last, in their old order. */
export function inOrder<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  order: readonly string[] | undefined,
): readonly T[] {
  if (order === undefined) return items;
  const rank = (item: T) => {
    const index = order.indexOf(keyOf(item));
    return index === -1 ? order.length : index;
  };
  return items
    .map((item, index) => ({ item, index, rank: rank(item) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ item }) => item);
}
