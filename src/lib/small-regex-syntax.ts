/** Characters of a pattern, as pairs of the first and the last one. */
export interface CharSet {
  readonly negated: boolean;
  readonly ranges: readonly number[];
}

export type Place = 'start' | 'end' | 'boundary' | 'no boundary';

/** The parts of a small regex. */
export type SmallNode =
  | { readonly type: 'set'; readonly set: CharSet }
  | { readonly type: 'place'; readonly place: Place }
  | { readonly type: 'all'; readonly items: readonly SmallNode[] }
  | { readonly type: 'one of'; readonly items: readonly SmallNode[] }
  | { readonly type: 'repeat'; readonly body: SmallNode; readonly min: number; readonly max: number };

/** All of it. */
export interface SmallTree {
  readonly tree: SmallNode;
  /** True if case does not matter. */
  readonly fold: boolean;
}

const MAX_SOURCE = 1_000;
const MAX_DEPTH = 20;
const MAX_TIMES = 50;
const MAX_RANGES = 32;

const DIGITS = [48, 57];
const WORD = [48, 57, 65, 90, 95, 95, 97, 122];
const SPACE = [9, 10, 12, 13, 32, 32];
export const CLASSES: Readonly<Record<string, CharSet>> = {
  d: { negated: false, ranges: DIGITS },
  D: { negated: true, ranges: DIGITS },
  w: { negated: false, ranges: WORD },
  W: { negated: true, ranges: WORD },
  s: { negated: false, ranges: SPACE },
  S: { negated: true, ranges: SPACE },
};
const PLACES: Readonly<Record<string, Place>> = { A: 'start', z: 'end', b: 'boundary', B: 'no boundary' };
const NO_LINE_BREAK: CharSet = { negated: true, ranges: [10, 10] };
const ANY: CharSet = { negated: true, ranges: [] };
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const SPECIAL = '\\[]{}()*+?|^$.';
const TIMES = /\{(\d{1,2})(?:(,)(\d{1,2})?)?\}/y;

/** What is left for the engine to say. */
export class Unknown extends Error {}

/** A source that uses only what everybody knows. @throws {Unknown} for any other. */
export function parseSmallRegex(source: string): SmallTree {
  if (source.length > MAX_SOURCE) throw new Unknown();
  const [, flags = ''] = /^\(\?([is]{1,2})\)/.exec(source) ?? [];
  const fold = flags.includes('i');
  const dot = flags.includes('s') ? ANY : NO_LINE_BREAK;
  let at = flags === '' ? 0 : flags.length + 3;
  const tree = alternatives(0);
  if (at < source.length) throw new Unknown();
  return { tree, fold };

  function alternatives(depth: number): SmallNode {
    if (depth > MAX_DEPTH) throw new Unknown();
    const branches = [sequence(depth)];
    while (source[at] === '|') {
      at += 1;
      branches.push(sequence(depth));
    }
    return branches.length === 1 ? (branches[0] as SmallNode) : { type: 'one of', items: branches };
  }

  function sequence(depth: number): SmallNode {
    const items: SmallNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated(atom(depth)));
    return { type: 'all', items };
  }

  function repeated(body: SmallNode): SmallNode {
    const times = timesHere();
    if (times === undefined) return body;
    // What is repeated without a width, or twice, is left for the engine to say.
    if (body.type === 'place' || timesHere() !== undefined) throw new Unknown();
    return { type: 'repeat', body, ...times };
  }

  function timesHere(): { readonly min: number; readonly max: number } | undefined {
    const sign = source[at];
    let times: { readonly min: number; readonly max: number };
    if (sign === '*' || sign === '+' || sign === '?') {
      times = { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
      at += 1;
    } else if (sign === '{') {
      TIMES.lastIndex = at;
      const [whole, min, comma, max] = TIMES.exec(source) ?? [];
      if (whole === undefined) throw new Unknown();
      const least = Number(min);
      times = { min: least, max: comma === undefined ? least : Number(max ?? Number.POSITIVE_INFINITY) };
      if (times.max < least || least > MAX_TIMES || /^\{0\d|,0\d/.test(whole)) throw new Unknown();
      at += whole.length;
    } else {
      return undefined;
    }
    // A question mark behind it changes what is taken, not whether there is a match.
    if (source[at] === '?') at += 1;
    return times;
  }

  function atom(depth: number): SmallNode {
    const sign = source[at] as string;
    if (sign === '(') {
      if (source[at + 1] === '?' && source[at + 2] !== ':') throw new Unknown();
      at += source[at + 1] === '?' ? 3 : 1;
      const body = alternatives(depth + 1);
      if (source[at] !== ')') throw new Unknown();
      at += 1;
      return { type: 'all', items: [body] };
    }
    if (sign === '[') return { type: 'set', set: folded(bracketed()) };
    at += 1;
    if (sign === '^' || sign === '$') return { type: 'place', place: sign === '^' ? 'start' : 'end' };
    if (sign === '.') return { type: 'set', set: dot };
    if (sign === '\\') {
      const next = source[at++] ?? '';
      const place = Object.hasOwn(PLACES, next) ? PLACES[next] : undefined;
      if (place !== undefined) return { type: 'place', place };
      const set = Object.hasOwn(CLASSES, next) ? CLASSES[next] : undefined;
      return { type: 'set', set: set ?? folded(only(escaped(next))) };
    }
    if (SPECIAL.includes(sign)) throw new Unknown();
    return { type: 'set', set: folded(only(plain(sign))) };
  }

  function bracketed(): CharSet {
    at += 1;
    const negated = source[at] === '^';
    if (negated) at += 1;
    const ranges: number[] = [];
    do {
      const group = source[at] === '\\' ? CLASSES[source[at + 1] ?? ''] : undefined;
      if (group !== undefined) {
        if (group.negated || source[at + 2] === '-') throw new Unknown();
        ranges.push(...group.ranges);
        at += 2;
        continue;
      }
      const from = classChar();
      let to = from;
      if (source[at] === '-' && source[at + 1] !== ']') {
        at += 1;
        to = classChar();
        if (to < from) throw new Unknown();
      }
      ranges.push(from, to);
      if (ranges.length > 2 * MAX_RANGES) throw new Unknown();
    } while (source[at] !== ']');
    at += 1;
    return { negated, ranges };
  }

  function classChar(): number {
    const sign = source[at++] ?? '';
    if (sign === '\\') return escaped(source[at++] ?? '');
    // A dash may be last or first; brackets inside may open a class of POSIX.
    if (sign === '' || sign === ']' || sign === '[' || (sign === '-' && source[at] !== ']'))
      throw new Unknown();
    return plain(sign);
  }

  function escaped(sign: string): number {
    if (sign === 'n') return 10;
    if (sign === 't') return 9;
    if (!PUNCTUATION.test(sign)) throw new Unknown();
    return sign.charCodeAt(0);
  }

  function plain(sign: string): number {
    const code = sign.charCodeAt(0);
    if (Number.isNaN(code) || isHalf(code)) throw new Unknown();
    return code;
  }

  /** With the other case of each letter. */
  function folded({ negated, ranges }: CharSet): CharSet {
    if (!fold) return { negated, ranges };
    const both = [...ranges];
    for (let index = 0; index < ranges.length; index += 2) {
      const [from = 0, to = 0] = ranges.slice(index, index + 2);
      if (to > 0x7f) throw new Unknown();
      for (const [first, last, move] of [
        [65, 90, 32],
        [97, 122, -32],
      ] as const)
        if (from <= last && to >= first) both.push(Math.max(from, first) + move, Math.min(to, last) + move);
    }
    return { negated, ranges: both };
  }
}

function only(code: number): CharSet {
  return { negated: false, ranges: [code, code] };
}

/** One of the two units of a character that takes two. */
export function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
