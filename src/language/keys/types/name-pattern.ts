/** The names that a `tool_matcher` lists. */
export function namesIn(spec: string): readonly string[] {
  return spec.split('|').map((name) => name.trim());
}

/** True if some name fits both patterns, in which `*` matches any characters. */
export function patternsOverlap(a: string, b: string): boolean {
  // Row by row: which prefixes of b the prefix of a can share a name with.
  let row = Array.from({ length: b.length + 1 }, (_, j) => /^\**$/.test(b.slice(0, j)));
  for (let i = 1; i <= a.length; i++) {
    const isStar = a[i - 1] === '*';
    const next = [isStar && row[0] === true];
    for (let j = 1; j <= b.length; j++) {
      const isOtherStar = b[j - 1] === '*';
      if (isStar || isOtherStar) next.push(row[j] === true || next[j - 1] === true || row[j - 1] === true);
      else next.push(a[i - 1] === b[j - 1] && row[j - 1] === true);
    }
    row = next;
  }
  return row[b.length] === true;
}

/** True if every name that fits the narrow pattern fits the wide one; false if that is unknown. */
export function patternCovers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  if (!wide.includes('*')) return false;
  if (!narrow.includes('*')) return patternsOverlap(wide, narrow);
  const start = wide.slice(0, -1);
  return wide.endsWith('*') && !start.includes('*') && narrow.startsWith(start);
}
