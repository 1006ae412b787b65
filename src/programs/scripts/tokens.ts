import { textWord, unknownWord, type Word, type WordPart } from '../../reading/word.ts';
import { holeEnd, type Interpolation, interpolation, MAX_EXPRESSION } from './interpolation.ts';
import type { Language } from './language.ts';

/** A piece of code. `command` is a text that is run as a shell command: backticks in Ruby, `%x()`, `qx()`. */
export interface Token {
  readonly type: 'name' | 'string' | 'command' | 'number' | 'sign';
  /** The name, the sign, or the text as far as it is known. */
  readonly text: string;
  /** The value of a string. */
  readonly word: Word;
}

/** How many tokens are looked at. */
const MAX_TOKENS = 20_000;

/** How many characters are looked through in vain for the ends of patterns. */
const MAX_SEARCHED = 1 << 20;

/** What is left of that. */
interface Search {
  left: number;
}

const HASH_COMMENTS: ReadonlySet<Language> = new Set(['python', 'ruby', 'perl', 'php', 'awk', 'r']);
const SLASH_COMMENTS: ReadonlySet<Language> = new Set(['javascript', 'php']);
const BACKTICK_COMMANDS: ReadonlySet<Language> = new Set(['ruby', 'perl', 'php']);
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Takes code apart: good enough to find calls and their arguments, no more. Time: linear. Undefined if too long. */
export function tokenize(code: string, language: Language): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  const search: Search = { left: MAX_SEARCHED };
  while (at < code.length) {
    if (tokens.length >= MAX_TOKENS || search.left < 0) return undefined;
    const next = nextToken(code, at, language, tokens.at(-1), search);
    if (next.token !== undefined) tokens.push(next.token);
    if (next.more !== undefined) tokens.push(...next.more);
    at = next.end;
  }
  return tokens;
}

interface Step {
  readonly token: Token | undefined;
  readonly end: number;
  /** Further tokens that it stands for. */
  readonly more?: readonly Token[];
}

function nextToken(
  code: string,
  at: number,
  language: Language,
  previous: Token | undefined,
  search: Search,
): Step {
  const char = code[at] ?? '';
  if (/\s/.test(char)) return { token: undefined, end: at + 1 };
  const comment = commentEnd(code, at, language);
  if (comment !== undefined) return { token: undefined, end: comment };
  // Variables of Perl whose names are quotes.
  if (language === 'perl' && /^(?:\$[`'"]|\*`)/.test(code.slice(at, at + 2)))
    return { token: { type: 'name', text: code.slice(at, at + 2), word: [] }, end: at + 2 };
  if (char === "'" || char === '"') return quotedString(code, at, language, previous);
  if (char === '`') return backticks(code, at, language);
  if (language === 'lua' && /^\[=*\[/.test(code.slice(at, at + 8))) return longString(code, at);
  const percent =
    language === 'ruby' && char === '%' ? /^%([qQwWx]?)([^\w\s=])/.exec(code.slice(at, at + 4)) : null;
  // Behind a name it is one if a blank stands before it and none behind: `exec %q(ls)`, but `a % (b)` and `a%(b)`.
  const isArgument = previous?.type === 'name' && /\s/.test(code[at - 1] ?? '');
  if (percent !== null && (isArgument || (previous?.type !== 'name' && previous?.type !== 'number'))) {
    return delimited(code, at + percent[0].length - 1, percent[1] ?? '', language);
  }
  if (language === 'perl') {
    const operator = /^q([qxw]?)\s*([^\w\s,;=)])/.exec(code.slice(at, at + 8));
    if (operator !== null && previous?.text !== '->' && previous?.text !== '$')
      return delimited(
        code,
        at + operator[0].length - 1,
        operator[1] === '' ? 'q' : (operator[1] ?? ''),
        language,
      );
    const pattern = char === '<' && mayBePattern(language, previous) ? filePattern(code, at) : undefined;
    if (pattern !== undefined) return pattern;
  }
  if (char === '/' && mayBePattern(language, previous)) {
    const end = patternEnd(code, at, search);
    if (end !== undefined) return { token: { type: 'sign', text: '/pattern/', word: [] }, end };
  }
  return plainToken(code, at, language);
}

const SIGNS = new Set(['->', '::', '=>', '..', '?.', '==', '!=', '<=', '>=', '&&', '||', '+=']);

function plainToken(code: string, at: number, language: Language): Step {
  const pattern = namePattern(language);
  pattern.lastIndex = at;
  const name = pattern.exec(code)?.[0];
  if (name !== undefined) {
    // A `!` or `?` belongs to the name in Ruby only.
    const text = language === 'ruby' ? name : name.replace(/[?!]$/, '');
    return { token: { type: 'name', text, word: [] }, end: at + text.length };
  }
  const number = /[0-9][\w.]*/y;
  number.lastIndex = at;
  const digits = number.exec(code)?.[0];
  if (digits !== undefined)
    return { token: { type: 'number', text: digits, word: textWord(digits) }, end: at + digits.length };
  const two = code.slice(at, at + 2);
  const text = SIGNS.has(two) ? two : (code[at] ?? '');
  return { token: sign(text), end: at + text.length };
}

function namePattern(language: Language): RegExp {
  if (language === 'perl' || language === 'php') return /[$@%]?[A-Za-z_]\w*/y;
  if (language === 'r') return /[A-Za-z_.][\w.]*/y;
  return language === 'javascript' ? /[A-Za-z_$][\w$]*/y : /[A-Za-z_]\w*[?!]?/y;
}

function commentEnd(code: string, at: number, language: Language): number | undefined {
  const two = code.slice(at, at + 2);
  if (HASH_COMMENTS.has(language) && code[at] === '#') return lineEnd(code, at);
  if (language === 'perl' && (at === 0 || code[at - 1] === '\n')) return documentationEnd(code, at);
  if (SLASH_COMMENTS.has(language) && two === '//') return lineEnd(code, at);
  if (language === 'lua' && two === '--') return lineEnd(code, at);
  if (!SLASH_COMMENTS.has(language) || two !== '/*') return undefined;
  const close = code.indexOf('*/', at + 2);
  return close < 0 ? code.length : close + 2;
}

/** Perl's documentation: from a line that starts with `=name` to `=cut`; behind `__END__` there is no code. */
function documentationEnd(code: string, at: number): number | undefined {
  if (/^__(?:END|DATA)__\b/.test(code.slice(at, at + 9))) return code.length;
  if (!/^=[A-Za-z]/.test(code.slice(at, at + 2))) return undefined;
  const cut = code.indexOf('\n=cut', at);
  return cut < 0 ? code.length : lineEnd(code, cut + 1);
}

function lineEnd(code: string, at: number): number {
  const newline = code.indexOf('\n', at);
  return newline < 0 ? code.length : newline;
}

function quotedString(code: string, at: number, language: Language, previous: Token | undefined): Step {
  const quote = code[at] ?? '';
  const prefix = language === 'python' && previous?.type === 'name' ? previous.text.toLowerCase() : '';
  const isPrefix = /^(?:[rbuf]|rb|br|fr|rf)$/.test(prefix);
  const raw =
    (isPrefix && prefix.includes('r')) ||
    (quote === "'" && !['python', 'javascript', 'lua', 'r'].includes(language));
  const interpolates =
    isPrefix && prefix.includes('f') ? 'brace' : quote === '"' ? interpolation(language) : undefined;
  const triple = language === 'python' && code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  return stringBody(code, at + triple.length, triple, { raw, interpolates, type: 'string' });
}

function backticks(code: string, at: number, language: Language): Step {
  if (language === 'javascript') {
    return stringBody(code, at + 1, '`', { raw: false, interpolates: 'dollar-brace', type: 'string' });
  }
  const type = BACKTICK_COMMANDS.has(language) ? 'command' : 'string';
  return stringBody(code, at + 1, '`', { raw: false, interpolates: interpolation(language), type });
}

/** `q(…)`, `%w[…]` and the like; `how` is their letter. */
function delimited(code: string, open: number, how: string, language: Language): Step {
  const close = CLOSERS[code[open] ?? ''] ?? code[open] ?? '';
  const raw = how === 'q' || how === 'w';
  const interpolates = raw ? undefined : interpolation(language);
  const step = stringBody(code, open + 1, close, {
    raw,
    interpolates,
    type: how === 'x' ? 'command' : 'string',
  });
  return how === 'w' || how === 'W' ? wordList(step, language) : step;
}

/** A list of words, as the list that it stands for. */
function wordList({ token, end }: Step, language: Language): Step {
  const [open, close] = language === 'ruby' ? ['[', ']'] : ['(', ')'];
  const words = (token?.text ?? '').split(/\s+/).filter((word) => word !== '');
  const items = words.flatMap((word, index) => [
    ...(index > 0 ? [sign(',')] : []),
    { type: 'string' as const, text: word, word: textWord(word) },
  ]);
  return { token: sign(open), more: [...items, sign(close)], end };
}

function sign(text = ''): Token {
  return { type: 'sign', text, word: [] };
}

/** `<*.c>` of Perl is `glob("*.c")`, unless it is a handle. */
function filePattern(code: string, at: number): Step | undefined {
  const inner = /^<([^<>\n]{1,200})>/.exec(code.slice(at, at + 204))?.[1];
  if (inner === undefined || !/[*?~/.{[]/.test(inner)) return undefined;
  const { token, end } = stringBody(code, at + 1, '>', {
    raw: false,
    interpolates: 'dollar',
    type: 'string',
  });
  if (token === undefined) return undefined;
  return { token: { type: 'name', text: 'glob', word: [] }, more: [sign('('), token, sign(')')], end };
}

function longString(code: string, at: number): Step {
  const open = /^\[=*\[/.exec(code.slice(at, at + 8))?.[0] ?? '[[';
  const close = open.replaceAll('[', ']');
  const end = code.indexOf(close, at + open.length);
  const text = code.slice(at + open.length, end < 0 ? code.length : end);
  return {
    token: { type: 'string', text, word: textWord(text) },
    end: end < 0 ? code.length : end + close.length,
  };
}

interface StringKind {
  readonly raw: boolean;
  readonly interpolates: Interpolation | undefined;
  readonly type: 'string' | 'command';
}

function stringBody(code: string, from: number, close: string, kind: StringKind): Step {
  const word: WordPart[] = [];
  let text = '';
  let at = from;
  const flush = () => {
    word.push(...textWord(text));
    text = '';
  };
  while (at < code.length && !code.startsWith(close, at)) {
    const hole = holeEnd(code, at, kind.interpolates);
    if (hole !== undefined) {
      flush();
      word.push(...unknownWord(code.slice(at, Math.min(hole, at + MAX_EXPRESSION + 1))));
      at = hole;
    } else if (code[at] === '\\' && at + 1 < code.length) {
      const escaped = kind.raw ? rawEscape(code, at, close) : escapeAt(code, at);
      text += escaped.text;
      at = escaped.end;
    } else text += code[at++] ?? '';
  }
  flush();
  return { token: { type: kind.type, text: code.slice(from, at), word }, end: at + close.length };
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  e: '\x1b',
  '\n': '',
};

function escapeAt(code: string, at: number): { readonly text: string; readonly end: number } {
  const rest = code.slice(at, at + 12);
  const match =
    /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-7]{2,3}))/.exec(
      rest,
    );
  const hex = match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4];
  if (match !== null && hex !== undefined) {
    const code32 = Number.parseInt(hex, 16);
    return { text: code32 <= 0x10ffff ? String.fromCodePoint(code32) : '', end: at + match[0].length };
  }
  if (match?.[5] !== undefined)
    return { text: String.fromCharCode(Number.parseInt(match[5], 8)), end: at + match[0].length };
  const char = code[at + 1] ?? '';
  return { text: SIMPLE[char] ?? char, end: at + 2 };
}

/** Where backslashes mean little: only the quote and the backslash itself are escaped. */
function rawEscape(code: string, at: number, close: string): { readonly text: string; readonly end: number } {
  const char = code[at + 1] ?? '';
  const escaped = char === close || char === '\\';
  return { text: escaped ? char : `\\${char}`, end: at + 2 };
}

function mayBePattern(language: Language, previous: Token | undefined): boolean {
  if (language === 'python' || language === 'lua' || language === 'php' || language === 'r') return false;
  if (previous === undefined) return true;
  if (previous.type === 'sign') return !/^[)\]}]$/.test(previous.text);
  return (
    previous.type === 'name' &&
    /^(?:return|typeof|case|in|if|and|or|not|split|when|for|foreach|unlink|print|rmtree|remove_tree|sort|reverse)$/.test(
      previous.text,
    )
  );
}

function patternEnd(code: string, at: number, search: Search): number | undefined {
  let set = false;
  let end = at + 1;
  for (; end < code.length && code[end] !== '\n'; end++) {
    if (code[end] === '\\') end++;
    else if (code[end] === '[') set = true;
    else if (code[end] === ']') set = false;
    else if (code[end] === '/' && !set) return end + 1;
  }
  search.left -= end - at;
  return undefined;
}
