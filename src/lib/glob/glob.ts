import { compileRegex, RegexError } from '../regex/regex.ts';
import { type GlobToken, parseGlob, type Range } from './glob-syntax.ts';

export interface Glob {
  /** True if the whole text fits; unknown if it is too long for this glob. */
  readonly test: (text: string) => boolean | 'unknown';
}

/**
 * Replaces dots of `.` and `..` segments in tested texts, so that wildcards skip these. A text with this noncharacter is
 * unknown.
 */
const DOT_MARK = '\u{ffff}';
const ONE = `[^/${DOT_MARK}]`;
const ANY_SEGMENTS = `[^${DOT_MARK}]*`;
const DOT_SEGMENT = /(?<=^|\/)\.{1,2}(?=\/|$)/g;

/**
 * Compiles a glob for paths and the like. `*` and `?` do not cross a slash, `**` between slashes matches any number of segments,
 * none included; `[a-z]`, `[!a]`, `{a,b}`, `{1..3}` and `\` as in a shell. Names that start with a dot are names like others, but
 * only literal dots match a `.` or `..` segment. A trailing `*` or class takes a closing slash.
 * @throws {RegexError} if `globProblem` has something to say.
 */
export function compileGlob(glob: string): Glob {
  const tokens = parseGlob(glob);
  if ('problem' in tokens) throw new RegexError(tokens.problem);
  const regex = compileRegex(sourceOf(tokens));
  return {
    test: (text) => {
      if (text === glob) return true;
      if (text.includes(DOT_MARK)) return 'unknown';
      return regex.test(text.replace(DOT_SEGMENT, (dots) => DOT_MARK.repeat(dots.length)));
    },
  };
}

/** Why a glob cannot be used, in plain words; undefined if it can. */
export function globProblem(glob: string): string | undefined {
  try {
    compileGlob(glob);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}

/** Compiles a pattern for tool names; `*` matches any characters. Time: at most the product of both lengths. */
export function compileNameGlob(pattern: string): (name: string) => boolean {
  const [head = '', ...pieces] = pattern.split('*');
  const tail = pieces.pop();
  if (tail === undefined) return (name) => name === pattern;
  return (name) => {
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail))
      return false;
    // Taking each piece at its first place leaves the most room for the rest.
    const end = name.length - tail.length;
    let at = head.length;
    for (const piece of pieces) {
      const found = name.indexOf(piece, at);
      if (found === -1 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function sourceOf(parsed: readonly GlobToken[]): string {
  const tokens = withoutRepeatedGlobstars(parsed);
  let source = '';
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const next = tokens[i + 1];
    switch (token?.type) {
      case undefined:
        break;
      case 'literal':
        source += isDotSegment(tokens, i) ? `[.${DOT_MARK}]` : quoted(token.text);
        break;
      case 'class':
        source += classSource(token);
        break;
      case 'one':
        source += ONE;
        break;
      case 'star':
        source += next === undefined && isWholeSegment(tokens, i) ? `${ONE}+` : `${ONE}*`;
        break;
      case 'globstar':
        if (!isWholeSegment(tokens, i)) {
          source += `${ONE}*`;
        } else if (next?.type === 'slash') {
          source += `(?:${ANY_SEGMENTS}/)?`;
          i += 1;
        } else {
          source += ANY_SEGMENTS;
        }
        break;
      case 'slash':
        // A last `/**` matches the folder itself as well, unless a star ends its name.
        if (i > 0 && next?.type === 'globstar' && i + 2 === tokens.length && !isStar(tokens[i - 1])) {
          source += `(?:/${ANY_SEGMENTS})?`;
          i += 1;
        } else {
          source += '/';
        }
        break;
      case 'open':
        source += '(?:';
        break;
      case 'comma':
        source += '|';
        break;
      case 'close':
        source += ')';
        break;
      default:
        return token satisfies never;
    }
  }
  return `^(?:${source})${takesClosingSlash(tokens) ? '/?' : ''}$`;
}

/** True if a segment may start after this token. */
function opensSegment(token: GlobToken | undefined): boolean {
  return token === undefined || ['slash', 'open', 'comma'].includes(token.type);
}

/** True if a segment may end before this token. */
function closesSegment(token: GlobToken | undefined): boolean {
  return token === undefined || ['slash', 'comma', 'close'].includes(token.type);
}

function isStar(token: GlobToken | undefined): boolean {
  return token?.type === 'star' || token?.type === 'globstar';
}

function isWholeSegment(tokens: readonly GlobToken[], index: number): boolean {
  return opensSegment(tokens[index - 1]) && closesSegment(tokens[index + 1]);
}

/** `a/**` + `/**` means no more than one of them. */
function withoutRepeatedGlobstars(tokens: readonly GlobToken[]): readonly GlobToken[] {
  const kept: GlobToken[] = [];
  for (const token of tokens) {
    const n = kept.length;
    if (token.type === 'globstar' && kept[n - 1]?.type === 'slash' && kept[n - 2]?.type === 'globstar') {
      kept.pop();
    } else {
      kept.push(token);
    }
  }
  return kept;
}

/** True for a literal dot that may be a `.` segment or part of a `..` segment. */
function isDotSegment(tokens: readonly GlobToken[], index: number): boolean {
  let first = index;
  let last = index;
  while (isDot(tokens[first - 1])) first -= 1;
  while (isDot(tokens[last + 1])) last += 1;
  return (
    isDot(tokens[index]) &&
    last - first < 2 &&
    opensSegment(tokens[first - 1]) &&
    closesSegment(tokens[last + 1])
  );
}

function isDot(token: GlobToken | undefined): boolean {
  return token?.type === 'literal' && token.text === '.';
}

function takesClosingSlash(tokens: readonly GlobToken[]): boolean {
  const index = tokens.length - 1;
  const last = tokens[index];
  if (last?.type === 'globstar') return !isWholeSegment(tokens, index);
  return last?.type === 'star' || (last?.type === 'class' && last.text !== '');
}

/** A class without special characters also matches its own text, so that `[id].ts` finds the file of that name. */
function classSource(token: Extract<GlobToken, { type: 'class' }>): string {
  const ranges = token.ranges.map(rangeSource).join('');
  if (token.negated) return `[^/${DOT_MARK}${ranges}]`;
  const isPlain = token.text !== '' && !/[-*+?.^${}(|)\\[\]]/.test(token.text.slice(1, -1));
  return isPlain ? `(?:[${ranges}]|${quoted(token.text)})` : `[${ranges}]`;
}

function rangeSource([from, to]: Range): string {
  return from === to ? quoted(from) : `${quoted(from)}-${quoted(to)}`;
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
}
