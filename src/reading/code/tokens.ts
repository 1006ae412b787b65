import { joinWords, textWord, unknownWord, type Word } from '../word.ts';

/** The languages whose code is looked at. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'r';

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
    at = next.end;
  }
  return tokens;
}

interface Step {
  readonly token: Token | undefined;
  readonly end: number;
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
  if (char === "'" || char === '"') return quotedString(code, at, language, previous);
  if (char === '`') return backticks(code, at, language);
  if (language === 'lua' && /^\[=*\[/.test(code.slice(at, at + 8))) return longString(code, at);
  const percent =
    language === 'ruby' && char === '%' ? /^%([qQwWx]?)([^\w\s=])/.exec(code.slice(at, at + 4)) : null;
  if (percent !== null && previous?.type !== 'name' && previous?.type !== 'number') {
    return delimited(code, at + percent[0].length - 1, percent[1] === 'x' ? 'command' : 'string', language);
  }
  if (language === 'perl') {
    const operator = /^(q[qxw]?)\s*([^\w\s,;=)])/.exec(code.slice(at, at + 8));
    if (operator !== null && previous?.text !== '->' && previous?.text !== '$') {
      return delimited(
        code,
        at + operator[0].length - 1,
        operator[1] === 'qx' ? 'command' : 'string',
        language,
      );
    }
  }
  if (char === '/' && mayBePattern(language, previous)) {
    const end = patternEnd(code, at, search);
    if (end !== undefined) return { token: { type: 'sign', text: '/pattern/', word: [] }, end };
  }
  return plainToken(code, at, language);
}

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
  const sign = ['->', '::', '=>', '..', '?.', '==', '!=', '<=', '>=', '&&', '||', '+='].includes(two)
    ? two
    : (code[at] ?? '');
  return { token: { type: 'sign', text: sign, word: [] }, end: at + sign.length };
}

function namePattern(language: Language): RegExp {
  if (language === 'perl' || language === 'php') return /[$@%]?[A-Za-z_]\w*/y;
  return language === 'javascript' ? /[A-Za-z_$][\w$]*/y : /[A-Za-z_]\w*[?!]?/y;
}

function commentEnd(code: string, at: number, language: Language): number | undefined {
  const two = code.slice(at, at + 2);
  if (HASH_COMMENTS.has(language) && code[at] === '#') return lineEnd(code, at);
  if (SLASH_COMMENTS.has(language) && two === '//') return lineEnd(code, at);
  if (language === 'lua' && two === '--') return lineEnd(code, at);
  if (!SLASH_COMMENTS.has(language) || two !== '/*') return undefined;
  const close = code.indexOf('*/', at + 2);
  return close < 0 ? code.length : close + 2;
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

type Interpolation = 'brace' | 'hash' | 'dollar' | 'dollar-brace';

function interpolation(language: Language): Interpolation | undefined {
  if (language === 'ruby') return 'hash';
  return language === 'perl' || language === 'php' ? 'dollar' : undefined;
}

function backticks(code: string, at: number, language: Language): Step {
  if (language === 'javascript') {
    return stringBody(code, at + 1, '`', { raw: false, interpolates: 'dollar-brace', type: 'string' });
  }
  const type = BACKTICK_COMMANDS.has(language) ? 'command' : 'string';
  return stringBody(code, at + 1, '`', { raw: false, interpolates: interpolation(language), type });
}

function delimited(code: string, open: number, type: 'string' | 'command', language: Language): Step {
  const close = CLOSERS[code[open] ?? ''] ?? code[open] ?? '';
  return stringBody(code, open + 1, close, { raw: false, interpolates: interpolation(language), type });
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
  let word: Word = [];
  let text = '';
  let at = from;
  const flush = () => {
    word = joinWords(word, textWord(text));
    text = '';
  };
  while (at < code.length && !code.startsWith(close, at)) {
    const hole = holeEnd(code, at, kind.interpolates);
    if (hole !== undefined) {
      flush();
      word = joinWords(word, unknownWord(code.slice(at, Math.min(hole, at + 40))));
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

/** The end of an expression inside a string, if one starts here. */
function holeEnd(code: string, at: number, how: Interpolation | undefined): number | undefined {
  const opener = { brace: '{', hash: '#{', dollar: '$', 'dollar-brace': '${' };
  if (how === undefined || !code.startsWith(opener[how], at)) return undefined;
  if (how === 'brace' && code[at + 1] === '{') return undefined;
  if (how === 'dollar') {
    const name = /\$(?:\{?[A-Za-z_]\w*\}?|\d)/y;
    name.lastIndex = at;
    return name.exec(code) === null ? undefined : name.lastIndex;
  }
  let depth = 0;
  for (let end = at; end < code.length && end < at + 1000; end++) {
    if (code[end] === '{') depth++;
    else if (code[end] === '}' && --depth === 0) return end + 1;
  }
  return undefined;
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
    previous.type === 'name' && /^(?:return|typeof|case|in|if|and|or|not|split|when)$/.test(previous.text)
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
