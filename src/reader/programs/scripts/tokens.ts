import { textWord, unknownWord, type Word, type WordPart } from '../../reading/word.ts';
import { type CompiledSyntax, type Language, syntaxOf, type TextForm } from './rows.ts';

/** A piece of code. `command` is a text that runs as a shell command: backticks in Ruby, `%x()`, `qx()`. */
export interface Token {
  readonly type: 'name' | 'string' | 'command' | 'number' | 'sign';
  /** The name, the sign, or the known text. */
  readonly text: string;
  /** The value of a string, and the expressions of its unknown parts by index. */
  readonly word: Word;
  readonly interpolations?: ReadonlyMap<number, string>;
  /** The indentation of its line, in characters. */
  indent?: number;
  /** True for the first token of a line. */
  first?: boolean;
}

const MAX_TOKENS = 20_000;
/** The limit of characters that are searched for missing ends of patterns. */
const MAX_SEARCHED = 1 << 20;
/** The limit of characters in an expression inside a string. */
const MAX_EXPRESSION = 200;

interface Scan {
  readonly code: string;
  readonly syntax: CompiledSyntax;
  readonly tokens: Token[];
  at: number;
  searches: number;
}

/** Splits code into tokens, in linear time. Undefined if there are too many. */
export function tokenize(code: string, language: Language): readonly Token[] | undefined {
  const scan: Scan = { code, syntax: syntaxOf(language), tokens: [], at: 0, searches: MAX_SEARCHED };
  const { tokens, syntax } = scan;
  let line = { indent: 0, first: true };
  while (scan.at < code.length) {
    if (tokens.length >= MAX_TOKENS || scan.searches < 0) return undefined;
    const blank = matchAt(/\s+|\\\r?\n/y, scan) ?? matchAt(syntax.comment, scan);
    if (blank !== undefined) {
      if (/^\s*\n/.test(blank)) line = { indent: blank.length - blank.lastIndexOf('\n') - 1, first: true };
      scan.at += blank.length;
      continue;
    }
    const before = tokens.length;
    if (!readText(scan) && !readPattern(scan)) readWord(scan);
    for (const token of tokens.slice(before)) {
      Object.assign(token, line);
      line.first = false;
    }
  }
  return tokens;
}

/** Signs of several characters, longest first. */
const SIGNS =
  /\.\.\.|[=!]==|(?:\*\*|\|\||&&|\?\?|<<)=|[-=]>|::|\?[.?:]|&\.|\.\.|[=!]~|[-+*/%.|&^<>=!:]=|&&|\|\||\*\*|<<|>>|\/\/|\+\+|--/y;

function readWord(scan: Scan): void {
  const { tokens, syntax } = scan;
  const name = matchAt(syntax.name, scan);
  const digits = name === undefined ? matchAt(/[0-9][\w.]*/y, scan) : undefined;
  const text = name ?? digits ?? matchAt(SIGNS, scan) ?? matchAt(/[\s\S]/uy, scan) ?? '';
  if (name === undefined && digits === undefined) tokens.push(sign(text));
  else tokens.push({ type: name === undefined ? 'number' : 'name', text, word: textWord(digits ?? '') });
  scan.at += text.length;
}

function sign(text: string): Token {
  return { type: 'sign', text, word: [] };
}

function matchAt(pattern: RegExp, { code, at }: Scan): string | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(code)?.[0];
  return found === '' ? undefined : found;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Reads a text, or another form with a closing sign: `m/…/`, `s/…/…/` of Perl. */
function readText(scan: Scan): boolean {
  const { code, at, syntax } = scan;
  if (matchAt(syntax.textStart, scan) === undefined) return false;
  for (const form of syntax.texts) {
    form.starts.lastIndex = at;
    const [start, open = ''] = form.starts.exec(code) ?? [];
    if (start === undefined || !mayStart(scan, start, form)) continue;
    const close = [...open].map((char) => CLOSERS[char] ?? char).join('');
    if (form.replaces === undefined) readUpTo(scan, at + start.length, close, form);
    else readReplacement(scan, at + start.length, open, close, form.replaces);
    return true;
  }
  return false;
}

/** True if a text may start here: not within a name or after a value. */
function mayStart(scan: Scan, start: string, { call }: TextForm): boolean {
  const { code, at, tokens } = scan;
  const { type, text } = tokens.at(-1) ?? { type: 'sign', text: '' };
  if (call !== undefined) return mayBePattern(scan);
  // After a name it starts one with a blank before and none after it: `exec %q(ls)`, but `a % (b)` and `a%(b)`.
  if (start.startsWith('%')) return type === 'name' ? /\s/.test(code[at - 1] ?? '') : type !== 'number';
  return !/^\w/.test(start) || !/^(?:->|\$|-|::)$/.test(text);
}

function readUpTo(scan: Scan, from: number, close: string, form: TextForm): void {
  const { code, tokens } = scan;
  const word: WordPart[] = [];
  const interpolations = new Map<number, string>();
  let text = '';
  let at = from;
  while (at < code.length && !code.startsWith(close, at)) {
    const interpolation = interpolationAt(code, at, form.interpolates);
    if (interpolation !== undefined) {
      word.push(...textWord(text));
      if (interpolation.expression.length <= MAX_EXPRESSION)
        interpolations.set(word.length, interpolation.expression);
      word.push(...unknownWord(code.slice(at, Math.min(interpolation.end, at + MAX_EXPRESSION))));
      text = '';
      at = interpolation.end;
    } else if (code[at] === '\\' && at + 1 < code.length) {
      const escaped = form.raw === true ? rawEscape(code, at, close) : escapeAt(code, at);
      text += escaped.text;
      at = escaped.end;
    } else text += code[at++] ?? '';
  }
  word.push(...textWord(text));
  scan.at = at + close.length;
  const found: Token = {
    type: form.runs ? 'command' : 'string',
    text: code.slice(from, at),
    word,
    interpolations,
  };
  if (form.words !== undefined) {
    const words = found.text.split(/\s+/).filter((one) => one !== '');
    const items = words.flatMap((one) => [{ ...found, text: one, word: textWord(one) }, sign(',')]);
    tokens.push(sign(form.words.charAt(0)), ...items.slice(0, -1), sign(form.words.charAt(1)));
  } else if (form.call === undefined) tokens.push(found);
  else tokens.push({ type: 'name', text: form.call, word: [] }, sign('('), found, sign(')'));
}

/** `m/…/`, `s/…/…/`, `tr/…/…/`: no code, except the replacement of `s/…/…/e`, which is read next. */
function readReplacement(scan: Scan, from: number, open: string, close: string, isPair: boolean): void {
  const { code, tokens } = scan;
  const middle = delimiterEnd(code, from, close);
  const second = open === close ? middle : Math.max(middle, code.indexOf(open, middle) + 1);
  const end = isPair ? delimiterEnd(code, second, close) : middle;
  const flags = matchAt(/[a-z]+/y, { ...scan, at: end }) ?? '';
  const isCode = isPair && code[scan.at] === 's' && flags.includes('e');
  tokens.push(sign('/pattern/'), ...(isCode ? [sign(open === close ? ';' : open)] : []));
  scan.at = isCode ? second : end + flags.length;
  scan.searches -= end - second;
}

/** The index after the next unescaped sign; the end of the code if there is none. */
function delimiterEnd(code: string, from: number, close: string): number {
  let at = from;
  while (at < code.length && code[at] !== close) at += code[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, code.length);
}

/** Names that a pattern may follow. */
const BEFORE_PATTERNS =
  /^(?:return|typeof|case|in|if|and|or|not|split|when|for|foreach|unlink|print|rmtree|remove_tree|sort|reverse)$/;

function mayBePattern({ syntax, tokens }: Scan): boolean {
  const previous = tokens.at(-1);
  if (syntax.patterns === undefined || previous === undefined) return syntax.patterns === true;
  return previous.type === 'sign'
    ? !/^[)\]}]$/.test(previous.text)
    : previous.type === 'name' && BEFORE_PATTERNS.test(previous.text);
}

/** Reads a pattern without a regex, which would backtrack over all of it if it has no end. */
function readPattern(scan: Scan): boolean {
  const { code, at } = scan;
  if (code[at] !== '/' || !mayBePattern(scan)) return false;
  let isInSet = false;
  let end = at + 1;
  for (; end < code.length && code[end] !== '\n' && (code[end] !== '/' || isInSet); end++) {
    if (code[end] === '\\') end++;
    else if (code[end] === '[' || code[end] === ']') isInSet = code[end] === '[';
  }
  if (code[end] !== '/') {
    scan.searches -= end - at;
    return false;
  }
  scan.tokens.push(sign('/pattern/'));
  scan.at = end + 1;
  return true;
}

/** A variable of Perl or PHP, and one of its members. */
const VARIABLE =
  /(?:\$(?:\{?[A-Za-z_]\w*\}?|\d)|\{\$[A-Za-z_]\w*)(?:(?:->)?(?:\[[^\]\n]{0,40}\]|\{[^{}\n]{0,40}\}))?\}?/y;

/** The expression that is interpolated here, and its end, if there is one. */
function interpolationAt(code: string, at: number, open: TextForm['interpolates']) {
  if (open === undefined || !(code.startsWith(open, at) || (open === '$' && code.startsWith('{$', at))))
    return undefined;
  if (open === '$') {
    VARIABLE.lastIndex = at;
    const found = VARIABLE.exec(code)?.[0];
    if (found === undefined) return undefined;
    // Closing braces belong to it only if it has as many opening ones.
    const closed = found.split('}').length - found.split('{').length;
    const source = closed > 0 ? found.slice(0, -closed) : found;
    const expression = source.replace(/^\$\{(\w+)\}$/, '$$$1').replace(/^\{(.*)\}$/s, '$1');
    return { end: at + source.length, expression };
  }
  if (open === '{' && code[at + 1] === '{') return undefined;
  let depth = 0;
  for (let end = at; end < code.length && end < at + 2 * MAX_EXPRESSION; end++) {
    if (code[end] === '{') depth++;
    if (code[end] !== '}' || --depth > 0) continue;
    const inside = code.slice(at + open.length, end);
    // `{x!r:>8}` of Python
    const expression = open === '{' ? inside.replace(/(?:![rsa])?(?::[^{}'"[\]()]*)?$/, '') : inside;
    return { end: end + 1, expression };
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
const NUMBERED =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-7]{2,3}))/y;

function escapeAt(code: string, at: number) {
  NUMBERED.lastIndex = at;
  const [whole, x, u, braces, U, octal] = NUMBERED.exec(code) ?? [];
  const char = code[at + 1] ?? '';
  if (whole === undefined) return { text: SIMPLE[char] ?? char, end: at + 2 };
  const point = octal === undefined ? Number(`0x${x ?? u ?? braces ?? U}`) : Number.parseInt(octal, 8);
  return { text: point <= 0x10ffff ? String.fromCodePoint(point) : '', end: at + whole.length };
}

/** The escape in a raw text: only the quote and the backslash are escaped. */
function rawEscape(code: string, at: number, close: string) {
  const char = code[at + 1] ?? '';
  return { text: char === close || char === '\\' ? char : `\\${char}`, end: at + 2 };
}
