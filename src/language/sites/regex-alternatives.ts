/** A part of a regex that is made of alternatives: the top level or, where that is one piece, a group in it. */
export interface RegexAlternatives {
  readonly before: string;
  readonly alternatives: readonly string[];
  readonly after: string;
}

interface Group {
  /** The offset at which the content of the group begins. */
  readonly start: number;
  readonly bars: number[];
}

/** The alternatives of a regex at the top level; without any, those of each group there. */
export function regexAlternatives(source: string): readonly RegexAlternatives[] {
  const flags = /^\(\?[imsU-]+\)/.exec(source)?.[0].length ?? 0;
  const top: Group = { start: flags, bars: [] };
  const open: Group[] = [top];
  const groups: RegexAlternatives[] = [];
  for (let at = flags; at < source.length; at = afterUnit(source, at)) {
    switch (source[at]) {
      case '(':
        open.push({ start: at + headLength(source, at), bars: [] });
        break;
      case ')': {
        const group = open.pop();
        if (open.length === 1 && group !== undefined && group.bars.length > 0)
          groups.push(split(source, group, at));
        break;
      }
      case '|':
        open.at(-1)?.bars.push(at);
        break;
    }
  }
  return top.bars.length > 0 ? [split(source, top, source.length)] : groups;
}

/** The alternatives at the top level; undefined where there is but one. */
export function topAlternatives(source: string): RegexAlternatives | undefined {
  const [first] = regexAlternatives(source);
  const isTop = first !== undefined && /^(?:\(\?[imsU-]+\))?$/.test(first.before) && first.after === '';
  return isTop ? first : undefined;
}

function split(source: string, { start, bars }: Group, end: number): RegexAlternatives {
  const starts = [start, ...bars.map((bar) => bar + 1)];
  const ends = [...bars, end];
  return {
    before: source.slice(0, start),
    alternatives: starts.map((from, index) => source.slice(from, ends[index])),
    after: source.slice(end),
  };
}

/** Length of `(`, `(?:`, `(?i:` or `(?P<name>`. */
function headLength(source: string, at: number): number {
  const head = /\(\?(?:P?<[^>]*>|[imsU-]*:)/y;
  head.lastIndex = at;
  return head.exec(source)?.[0].length ?? 1;
}

/** The index after a character, an escape, a quotation or a class. */
function afterUnit(source: string, at: number): number {
  if (source.startsWith('\\Q', at)) {
    const end = source.indexOf('\\E', at + 2);
    return end === -1 ? source.length : end + 2;
  }
  if (source[at] === '\\') return at + 2;
  return source[at] === '[' ? afterClass(source, at) : at + 1;
}

function afterClass(source: string, start: number): number {
  let at = source[start + 1] === '^' ? start + 2 : start + 1;
  // A bracket at the beginning is a plain character.
  if (source[at] === ']') at += 1;
  while (at < source.length && source[at] !== ']') {
    const named = source.startsWith('[:', at) ? source.indexOf(':]', at) : -1;
    at = named !== -1 ? named + 2 : source[at] === '\\' ? at + 2 : at + 1;
  }
  return at + 1;
}
