import { ANY_CHARACTER } from './regex-syntax.ts';

/** Characters of a pattern, as pairs of the first and the last one. */
export interface CharSet {
  readonly negated: boolean;
  readonly ranges: readonly number[];
}

const MAX_RANGES = 32;

const DIGITS = [48, 57];
const SPACE = [9, 10, 12, 13, 32, 32];
export const WORD: CharSet = { negated: false, ranges: [48, 57, 65, 90, 95, 95, 97, 122] };
const SETS: ReadonlyMap<string, CharSet> = new Map([
  ['\\d', { negated: false, ranges: DIGITS }],
  ['\\D', { negated: true, ranges: DIGITS }],
  ['\\w', WORD],
  ['\\W', { ...WORD, negated: true }],
  ['\\s', { negated: false, ranges: SPACE }],
  ['\\S', { negated: true, ranges: SPACE }],
  ['.', { negated: true, ranges: [10, 10] }],
  [ANY_CHARACTER, { negated: true, ranges: [] }],
]);
const CONTROL: Readonly<Record<string, number>> = { n: 10, t: 9 };
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** A class of a pattern in plain syntax; undefined for any other. */
export function charSetOf(written: string, fold: boolean): CharSet | undefined {
  return SETS.get(written) ?? (written.startsWith('[') ? bracketed(written, fold) : undefined);
}

/** One character; undefined if it takes two units, or has more than one other case. */
export function charSetOfChar(char: string, fold: boolean): CharSet | undefined {
  const code = char.charCodeAt(0);
  return isSurrogate(code) ? undefined : foldedIf(fold, { negated: false, ranges: [code, code] });
}

/** One of the two units of a character that takes two. */
export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function bracketed(written: string, fold: boolean): CharSet | undefined {
  const negated = written[1] === '^';
  const end = written.length - 1;
  const ranges: number[] = [];
  let at = negated ? 2 : 1;
  while (at < end) {
    const group = SETS.get(written.slice(at, at + 2));
    if (group !== undefined) {
      if (group.negated || written[at + 2] === '-') return undefined;
      ranges.push(...group.ranges);
      at += 2;
      continue;
    }
    const from = charAt();
    let to = from;
    if (written[at] === '-' && at + 1 < end) {
      at += 1;
      to = charAt();
    }
    if (from === undefined || to === undefined || to < from) return undefined;
    ranges.push(from, to);
  }
  return ranges.length > 2 * MAX_RANGES ? undefined : foldedIf(fold, { negated, ranges });

  function charAt(): number | undefined {
    const sign = written[at++] ?? '';
    if (sign === '\\') {
      const escaped = written[at++] ?? '';
      return CONTROL[escaped] ?? (PUNCTUATION.test(escaped) ? escaped.charCodeAt(0) : undefined);
    }
    // A dash may be last; brackets inside may open a class of POSIX.
    const isOdd =
      sign === ']' || sign === '[' || (sign === '-' && at < end) || isSurrogate(sign.charCodeAt(0));
    return isOdd ? undefined : sign.charCodeAt(0);
  }
}

/** With the other case of each letter. */
function foldedIf(fold: boolean, { negated, ranges }: CharSet): CharSet | undefined {
  if (!fold) return { negated, ranges };
  if (ranges.some((code) => code > 0x7f)) return undefined;
  const both = [...ranges];
  for (let index = 0; index < ranges.length; index += 2) {
    const [from = 0, to = 0] = ranges.slice(index, index + 2);
    for (const [first, last, move] of [
      [65, 90, 32],
      [97, 122, -32],
    ] as const)
      if (from <= last && to >= first) both.push(Math.max(from, first) + move, Math.min(to, last) + move);
  }
  return { negated, ranges: both };
}
