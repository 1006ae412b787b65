/** A glob written as a regular expression, or why it cannot be. */
export type GlobTranslation = { readonly source: string } | { readonly problem: string };

/**
 * Stands for each dot of a `.` or `..` segment in the text that a glob is tested against, so that wildcards can pass
 * over such segments without lookahead. A noncharacter, which no file name holds.
 */
export const DOT_SEGMENT_MARK = '\u{ffff}';

const MAX_LENGTH = 4096;
const ONE = `[^/${DOT_SEGMENT_MARK}]`;
const ANY_SEGMENTS = `[^${DOT_SEGMENT_MARK}]*`;

type BraceKind = 'alternatives' | 'range' | 'literal';

/**
 * Translates a glob to RE2 syntax, to be run on a text whose `.` and `..` segments are marked. `*` and `?` do not cross
 * a slash; `**` between slashes stands for any number of segments, none included; a glob that ends with `*` or a class
 * takes one trailing slash.
 */
export function translateGlob(glob: string): GlobTranslation {
  if (glob === '') return { problem: 'an empty glob matches nothing' };
  if (glob.length > MAX_LENGTH) return { problem: `longer than ${MAX_LENGTH} characters` };
  const text = glob.startsWith('./') ? glob.slice(2) : glob;
  const braces = bracesOf(text);
  if (typeof braces === 'string') return { problem: braces };
  const open: number[] = [];
  let source = '';
  let at = 0;

  /** True where a segment may start: at the start, after a slash, and at the edges of alternatives. */
  function startsSegment(index: number): boolean {
    return index === 0 || text[index - 1] === '/' || isEdge(index - 1);
  }

  function endsSegment(index: number): boolean {
    return index === text.length || text[index] === '/' || isEdge(index);
  }

  function isEdge(index: number): boolean {
    const unit = text[index];
    if (unit === ',') return open.length > 0;
    return (unit === '{' || unit === '}') && braces instanceof Map && braces.get(index) === 'alternatives';
  }

  while (at < text.length) {
    const unit = text[at] ?? '';
    switch (unit) {
      case '\\': {
        const escaped = text[at + 1];
        if (escaped === undefined) return { problem: 'nothing follows the last backslash' };
        source += quote(escaped);
        at += 2;
        break;
      }
      case '/': {
        const afterStars = endOfGlobstars(at + 1);
        const isTail = afterStars === text.length && at > 0 && afterStars > at + 1;
        source += isTail ? `(?:/${ANY_SEGMENTS})?` : '/';
        at = isTail ? afterStars : at + 1;
        break;
      }
      case '*': {
        const afterStars = startsSegment(at) ? endOfGlobstars(at) : at;
        if (afterStars > at) {
          source += text[afterStars - 1] === '/' ? `(?:${ANY_SEGMENTS}/)?` : ANY_SEGMENTS;
          at = afterStars;
          break;
        }
        const end = endOfRun(text, at, '*');
        const isWholeEnd = end === text.length && (at === 0 || text[at - 1] === '/');
        source += isWholeEnd ? `${ONE}+` : `${ONE}*`;
        at = end;
        break;
      }
      case '?':
        source += ONE;
        at += 1;
        break;
      case '.': {
        const end = endOfRun(text, at, '.');
        const isDotSegment = end - at <= 2 && startsSegment(at) && endsSegment(end);
        source += (isDotSegment ? `[.${DOT_SEGMENT_MARK}]` : '\\.').repeat(end - at);
        at = end;
        break;
      }
      case '[': {
        const found = translateClass(text, at);
        if ('problem' in found) return found;
        source += found.source;
        at = found.end;
        break;
      }
      case '{': {
        const kind = braces.get(at);
        if (kind === 'range') {
          source += `[${quote(text[at + 1] ?? '')}-${quote(text[at + 4] ?? '')}]`;
          at += 6;
        } else {
          if (kind === 'alternatives') open.push(at);
          source += kind === 'alternatives' ? '(?:' : '\\{';
          at += 1;
        }
        break;
      }
      case '}':
        source += braces.get(at) === 'alternatives' ? ')' : '\\}';
        if (braces.get(at) === 'alternatives') open.pop();
        at += 1;
        break;
      case ',':
        source += open.length > 0 ? '|' : ',';
        at += 1;
        break;
      case '(':
      case ')':
      case '|':
      case '"':
        return { problem: `"${unit}" has no meaning here, write {a,b} for alternatives or \\${unit} for itself` };
      case '!':
        if (at === 0) return { problem: 'a glob cannot be negated with "!", use not or write \\! for itself' };
        source += '!';
        at += 1;
        break;
      default:
        source += quote(unit);
        at += 1;
    }
  }
  const last = text.at(-1);
  const takesSlash = (last === '*' && !source.endsWith(`${ANY_SEGMENTS})?`)) || last === ']';
  return { source: `^(?:${source}${takesSlash ? '/?' : ''})$` };

  /** The index after a run of `**` segments that starts here, its last slash included; here if there is none. */
  function endOfGlobstars(start: number): number {
    let end = start;
    while (text.startsWith('**', end) && endsSegment(end + 2)) {
      end += 2;
      if (text[end] !== '/') return end;
      end += 1;
    }
    return end;
  }
}
