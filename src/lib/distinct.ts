/** Each of some values once, compared as JSON. */
export function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((each) => [JSON.stringify(each), each])).values()];
}
