/** Which characters a wildcard may stand for. */
export type CharClass = (char: string) => boolean;

/** The characters that a shell's `?` or bracket expression stands for; undefined for other wildcards. */
export function charClass(pattern: string): CharClass | undefined {
  if (pattern === '?') return isInName;
  if (!pattern.startsWith('[')) return undefined;
  const isNegated = /^\[[!^]/.test(pattern);
  const body = pattern.slice(isNegated ? 2 : 1, -1);
  // `[[:alpha:]]` and its like: which characters those are depends on the language.
  if (/\[[:=.]/.test(body)) return isInName;
  const found = body.match(/\\?.-\\?.|\\?./gsu) ?? [];
  const ranges = found.map((range) => [...range.replace(/\\(?=.)/gs, '')]);
  return (char) =>
    isInName(char) && ranges.some(([from = '', , to = from]) => from <= char && char <= to) !== isNegated;
}

function isInName(char: string): boolean {
  return char !== '/';
}
