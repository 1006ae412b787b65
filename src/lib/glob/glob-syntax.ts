/** A piece of a glob. `globstar` is `**` at any place. */
export type GlobToken =
  | { readonly type: 'literal'; readonly text: string }
  | {
      readonly type: 'class';
      readonly negated: boolean;
      readonly text: string;
      readonly ranges: readonly Range[];
    }
  | { readonly type: 'slash' | 'star' | 'globstar' | 'one' | 'open' | 'comma' | 'close' };

/** The first and the last character of a range in a class; the same for a single one. */
export type Range = readonly [from: string, to: string];

export interface GlobFault {
  readonly problem: string;
}

const MAX_LENGTH = 4096;
const RANGE_BRACE = /\{([0-9A-Za-z])\.\.([0-9A-Za-z])\}/y;
const LONG_RANGE_BRACE = /\{[^{},/]+\.\.[^{},/]+\}/y;

/** Reads a glob. Braces without a comma mean themselves. */
export function parseGlob(glob: string): readonly GlobToken[] | GlobFault {
  if (glob === '') return { problem: 'an empty glob matches nothing' };
  if (glob.length > MAX_LENGTH) return { problem: `longer than ${MAX_LENGTH} characters` };
  const alternatives = findAlternatives(glob);
  if ('problem' in alternatives) return alternatives;
  const tokens: GlobToken[] = [];
  let depth = 0;
  let at = glob.startsWith('./') ? 2 : 0;
  while (at < glob.length) {
    const unit = String.fromCodePoint(glob.codePointAt(at) ?? 0);
    let length = unit.length;
    switch (unit) {
      case '\\': {
        const code = glob.codePointAt(at + 1);
        if (code === undefined) return { problem: 'nothing follows the last backslash' };
        const text = String.fromCodePoint(code);
        tokens.push(text === '/' ? { type: 'slash' } : { type: 'literal', text });
        length += text.length;
        break;
      }
      case '/':
        tokens.push({ type: 'slash' });
        break;
      case '*':
        length = endOfStars(glob, at) - at;
        tokens.push({ type: length === 2 ? 'globstar' : 'star' });
        break;
      case '?':
        tokens.push({ type: 'one' });
        break;
      case '[': {
        const found = parseClass(glob, at);
        if ('problem' in found) return found;
        tokens.push(found.token);
        length = found.end - at;
        break;
      }
      case '{': {
        RANGE_BRACE.lastIndex = at;
        LONG_RANGE_BRACE.lastIndex = at;
        const range = RANGE_BRACE.exec(glob);
        if (range !== null) {
          const [whole, a = '', b = ''] = range;
          tokens.push({ type: 'class', negated: false, text: '', ranges: [a < b ? [a, b] : [b, a]] });
          length = whole.length;
        } else if (LONG_RANGE_BRACE.test(glob)) {
          return {
            problem: 'a range goes from one digit or letter to another, write longer ones out: {9,10,11}',
          };
        } else if (alternatives.has(at)) {
          tokens.push({ type: 'open' });
          depth += 1;
        } else {
          tokens.push({ type: 'literal', text: unit });
        }
        break;
      }
      case '}':
        tokens.push(alternatives.has(at) ? { type: 'close' } : { type: 'literal', text: unit });
        if (alternatives.has(at)) depth -= 1;
        break;
      case ',':
        tokens.push(depth > 0 ? { type: 'comma' } : { type: 'literal', text: unit });
        break;
      case '(':
      case ')':
      case '|':
      case '"':
        return {
          problem: `"${unit}" has no meaning here, write {a,b} for alternatives or "\\${unit}" for itself`,
        };
      default:
        if (unit === '!' && at === 0) {
          return { problem: 'a glob cannot be negated with "!", use "not" or write "\\!" for itself' };
        }
        tokens.push({ type: 'literal', text: unit });
    }
    at += length;
  }
  return tokens;
}

/** The indexes of the braces that enclose alternatives, both ends. */
function findAlternatives(glob: string): ReadonlySet<number> | GlobFault {
  const found = new Set<number>();
  const open: { readonly index: number; hasComma: boolean }[] = [];
  for (let i = 0; i < glob.length; i++) {
    const unit = glob[i];
    const innermost = open.at(-1);
    if (unit === '\\') {
      i += 1;
    } else if (unit === '[') {
      const end = endOfClass(glob, i);
      if (end === -1) return { problem: 'missing "]", write "\\[" for a bracket itself' };
      i = end - 1;
    } else if (unit === '{') {
      open.push({ index: i, hasComma: false });
    } else if (unit === ',' && innermost !== undefined) {
      innermost.hasComma = true;
    } else if (unit === '}' && innermost !== undefined) {
      open.pop();
      if (innermost.hasComma) found.add(innermost.index).add(i);
    }
  }
  return open.length === 0 ? found : { problem: 'missing "}", write "\\{" for a brace itself' };
}

function endOfStars(glob: string, start: number): number {
  let end = start;
  while (glob[end] === '*') end += 1;
  return end;
}

/** The index after the bracket that closes a class, or -1. */
function endOfClass(glob: string, start: number): number {
  let at = start + 1;
  if (glob[at] === '!' || glob[at] === '^') at += 1;
  for (let first = true; at < glob.length; first = false) {
    if (glob[at] === ']' && !first) return at + 1;
    at += glob[at] === '\\' ? 2 : 1;
  }
  return -1;
}

function parseClass(glob: string, start: number): { token: GlobToken; end: number } | GlobFault {
  const end = endOfClass(glob, start);
  const text = glob.slice(start, end);
  const negated = text[1] === '!' || text[1] === '^';
  const chars = charsOf(text.slice(negated ? 2 : 1, -1));
  if (text.includes('[:'))
    return { problem: `"${text}": named classes are not supported, write ranges such as [a-z]` };
  const ranges: Range[] = [];
  for (let i = 0; i < chars.length; i++) {
    const from = chars[i]?.char ?? '';
    const hyphen = chars[i + 1];
    const last = chars[i + 2];
    if (hyphen?.char === '-' && !hyphen.escaped && last !== undefined) {
      ranges.push([from, last.char]);
      i += 2;
    } else {
      ranges.push([from, from]);
    }
  }
  if (ranges.some(([from, to]) => codeOf(from) > codeOf(to))) {
    return { problem: `"${text}": a range goes from the lower character to the higher one` };
  }
  if (!negated && ranges.some(([from, to]) => codeOf(from) <= 47 && 47 <= codeOf(to))) {
    return { problem: `"${text}": a class cannot hold a slash, write {a,/} for alternatives` };
  }
  return { token: { type: 'class', negated, text, ranges }, end };
}

function charsOf(body: string): readonly { readonly char: string; readonly escaped: boolean }[] {
  const chars: { char: string; escaped: boolean }[] = [];
  let escaped = false;
  for (const char of body) {
    if (char === '\\' && !escaped) {
      escaped = true;
      continue;
    }
    chars.push({ char, escaped });
    escaped = false;
  }
  return chars;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}
