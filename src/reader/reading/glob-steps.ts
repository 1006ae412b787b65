import { expandBraces } from './braces.ts';

/** The characters that a wildcard fits. */
type CharClass = (char: string) => boolean;

/** A step of a pattern: a character, one of some, any but `/`, any run without `/`, any run, or the choice to skip two steps. */
export type GlobStep =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'class'; readonly has: CharClass }
  | { readonly type: 'one' | 'segment' | 'any' | 'optional' };

/** True for `name*` followed by a slash and two stars. */
export function endsInStar(alternative: string): boolean {
  return /(?:^|[^\\])\*\/\*\*$/.test(alternative);
}

export function isChar(step: GlobStep): step is Extract<GlobStep, { readonly type: 'char' }> {
  return step.type === 'char';
}

/** The characters that a shell's `?` or bracket expression matches; undefined for other wildcards. */
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

export function steps(glob: string, afterBraces: boolean): readonly GlobStep[] {
  const found: GlobStep[] = [];
  const chars = [...glob];
  const folder = afterBraces || !endsInStar(glob) ? chars.length - 3 : -1;
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const close = char === '[' ? chars.indexOf(']', at + (/[!^]/.test(chars[at + 1] ?? '') ? 3 : 2)) : -1;
    if (char === '\\' && at + 1 < chars.length) found.push({ type: 'char', char: chars[++at] ?? '' });
    else if (char === '?') found.push({ type: 'one' });
    else if (char === '/' && at > 0 && at === folder && glob.endsWith('/**'))
      return [...found, { type: 'optional' }, slash, { type: 'any' }];
    else if (char === '*') at = star(chars, at, found);
    else if (close > 0) {
      at = close;
      found.push({ type: 'one' });
    } else found.push({ type: 'char', char });
  }
  return found;
}

const slash: GlobStep = { type: 'char', char: '/' };

/** Reads a run of stars; returns the index of the last character it took. */
function star(chars: readonly string[], at: number, found: GlobStep[]): number {
  let end = at;
  while (chars[end + 1] === '*') end++;
  if (end === at) {
    // A star that is all of the last segment matches a name, and a name is not empty.
    const isName = end === chars.length - 1 && (at === 0 || chars[at - 1] === '/');
    found.push(...(isName ? ([{ type: 'one' }] as const) : []), { type: 'segment' });
  } else if (chars[end + 1] !== '/' || (at > 0 && chars[at - 1] !== '/')) found.push({ type: 'any' });
  else {
    found.push({ type: 'optional' }, { type: 'any' }, slash);
    end++;
  }
  return end;
}

/** A glob without its braces: one glob for each alternative. One that fits everything if they are too many to list. */
export function withoutBraces(glob: string): readonly string[] {
  return expandBraces(glob) ?? ['{}', '**'];
}
