import { textWord, unknownWord, type Word, type WordPart } from '../../reading/word.ts';
import { holeEnd, MAX_EXPRESSION } from './interpolation.ts';
import { type Interpolation, type Language, SYNTAX } from './language.ts';

/** A piece of code. `command` is a text that is run as a shell command: backticks in Ruby, `%x()`, `qx()`. */
export interface Token {
  readonly type: 'name' | 'string' | 'command' | 'number' | 'sign';
  /** The name, the sign, or the text as far as it is known. */
  readonly text: string;
  /** The value of a string. */
  readonly word: Word;
  /** By how many characters its line is indented. */
  indent?: number;
  /** True for the first of its line. */
  first?: boolean;
}

/** How many tokens are looked at. */
const MAX_TOKENS = 20_000;
/** How many characters are looked through in vain for the ends of patterns. */
const MAX_SEARCHED = 1 << 20;

/** Code, and how far it has been taken apart. */
interface Scan {
  readonly code: string;
  readonly language: Language;
  readonly tokens: Token[];
  at: number;
  indent: number;
  first: boolean;
  searches: number;
}

/** Takes code apart: good enough to find calls and their arguments, no more. Time: linear. Undefined if too long. */
export function tokenize(code: string, language: Language): readonly Token[] | undefined {
  const scan: Scan = { code, language, tokens: [], at: 0, indent: 0, first: true, searches: MAX_SEARCHED };
  while (scan.at < code.length) {
    if (scan.tokens.length >= MAX_TOKENS || scan.searches < 0) return undefined;
    const before = scan.tokens.length;
    readToken(scan);
    for (const token of scan.tokens.slice(before)) {
      token.indent = scan.indent;
      token.first = scan.first;
      scan.first = false;
    }
  }
  return scan.tokens;
}

function readToken(scan: Scan): void {
  const { code, at, language } = scan;
  const { name, comment, backticks, plainQuotes } = SYNTAX[language];
  const blank = matchAt(/\s+|\\\r?\n/y, code, at) ?? matchAt(comment, code, at);
  const char = code[at] ?? '';
  if (blank !== undefined) {
    if (/^\s*\n/.test(blank)) {
      scan.indent = blank.length - blank.lastIndexOf('\n') - 1;
      scan.first = true;
    }
    scan.at += blank.length;
  } else if (char === '"' || (char === "'" && language === 'python')) readQuoted(scan, char);
  else if (char === "'") readText(scan, at + 1, "'", { raw: plainQuotes });
  else if (char === '`' && backticks !== undefined)
    readText(scan, at + 1, '`', {
      interpolation: backticks === 'text' ? 'dollar-brace' : SYNTAX[language].interpolation,
      command: backticks === 'command',
    });
  else if (!readOperatorText(scan) && !readPattern(scan)) {
    const word = matchAt(name, code, at);
    const digits = word === undefined ? matchAt(/[0-9][\w.]*/y, code, at) : undefined;
    if (word !== undefined) scan.tokens.push({ type: 'name', text: word, word: [] });
    else if (digits !== undefined) scan.tokens.push({ type: 'number', text: digits, word: textWord(digits) });
    else scan.tokens.push(sign(matchAt(SIGNS, code, at) ?? String.fromCodePoint(code.codePointAt(at) ?? 0)));
    scan.at = at + (scan.tokens.at(-1)?.text.length ?? 1);
  }
}

/** Signs of more than one character, the long ones first. */
const SIGNS =
  /\.\.\.|[=!]==|(?:\*\*|\|\||&&|\?\?|<<)=|[-=]>|::|\?[.?:]|&\.|\.\.|[=!]~|[-+*/%.|&^<>=!:]=|&&|\|\||\*\*|<<|\/\/|\+\+|--/y;

function sign(text: string): Token {
  return { type: 'sign', text, word: [] };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  return found === '' ? undefined : found;
}

/** Texts in double quotes, and all texts of Python, with the letters before them. */
function readQuoted(scan: Scan, quote: string): void {
  const { code, at, language, tokens } = scan;
  const previous = tokens.at(-1);
  const isPrefixed = language === 'python' && previous?.type === 'name';
  const prefix = isPrefixed ? (/^(?:[rbuf]|rb|br|fr|rf)$/i.exec(previous.text)?.[0].toLowerCase() ?? '') : '';
  const triple = language === 'python' && code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  readText(scan, at + triple.length, triple, {
    raw: prefix.includes('r') || undefined,
    interpolation: prefix.includes('f') ? 'brace' : SYNTAX[language].interpolation,
  });
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Texts that words and signs start: `%q(…)` of Ruby, `q(…)`, `m/…/`, `s/…/…/` and `<*.c>` of Perl, `[[…]]` of Lua. */
function readOperatorText(scan: Scan): boolean {
  const { code, at, language, tokens } = scan;
  const previous = tokens.at(-1);
  if (language === 'lua') {
    const open = matchAt(/\[=*\[/y, code, at);
    if (open === undefined) return false;
    const end = code.indexOf(open.replaceAll('[', ']'), at + open.length);
    const text = code.slice(at + open.length, end < 0 ? code.length : end);
    tokens.push({ type: 'string', text, word: textWord(text) });
    scan.at = at + 2 * open.length + text.length;
    return true;
  }
  if (language === 'ruby') {
    const start = matchAt(/%[qQwWxiI]?[^\w\s=]/y, code, at);
    // Behind a name it is one if a blank stands before it and none behind: `exec %q(ls)`, but `a % (b)` and `a%(b)`.
    const isArgument = previous?.type === 'name' && /\s/.test(code[at - 1] ?? '');
    const isText = isArgument || (previous?.type !== 'name' && previous?.type !== 'number');
    if (start !== undefined && isText) readDelimited(scan, start, start.slice(1, -1));
    return start !== undefined && isText;
  }
  if (language !== 'perl') return false;
  if (code[at] === '<' && mayBePattern(scan)) return readFilePattern(scan);
  const start = matchAt(/(?:q[qxwr]?|m|s|y|tr)\s*[^\w\s,;=)}]/y, code, at);
  if (start === undefined || /^(?:->|\$|-|::)$/.test(previous?.text ?? '')) return false;
  const how = start.slice(0, -1).trim();
  if (/^q[qxw]?$/.test(how)) readDelimited(scan, start, how === 'q' ? 'q' : (how[1] ?? ''));
  else if (/\s|["'-]$/.test(start)) return false;
  else readReplacement(scan, start, how);
  return true;
}

/** `how`: the letter that tells them apart. */
function readDelimited(scan: Scan, start: string, how: string): void {
  const open = start.at(-1) ?? '';
  const raw = /^[qwi]$/.test(how) || undefined;
  readText(scan, scan.at + start.length, CLOSERS[open] ?? open, {
    raw,
    interpolation: raw ? undefined : SYNTAX[scan.language].interpolation,
    command: how === 'x',
  });
  if (!/^[wi]$/i.test(how)) return;
  const words =
    scan.tokens
      .pop()
      ?.text.split(/\s+/)
      .filter((word) => word !== '') ?? [];
  const [before, after] = scan.language === 'ruby' ? ['[', ']'] : ['(', ')'];
  const items = words.flatMap((text) => [{ type: 'string' as const, text, word: textWord(text) }, sign(',')]);
  scan.tokens.push(sign(before ?? ''), ...items.slice(0, -1), sign(after ?? ''));
}

/** `m/…/`, `s/…/…/`, `tr/…/…/`: no code, but for what `s/…/…/e` puts in, which is read next. */
function readReplacement(scan: Scan, start: string, how: string): void {
  const { code, tokens } = scan;
  const open = start.at(-1) ?? '';
  const close = CLOSERS[open] ?? open;
  const middle = delimiterEnd(code, scan.at + start.length, close);
  const isPair = how !== 'm' && how !== 'qr';
  const second = open === close ? middle : Math.max(middle, code.indexOf(open, middle) + 1);
  const end = isPair ? delimiterEnd(code, second, close) : middle;
  const flags = matchAt(/[a-z]+/y, code, end) ?? '';
  const isCode = how === 's' && flags.includes('e');
  tokens.push(sign('/pattern/'), ...(isCode ? [sign(open === close ? ';' : open)] : []));
  scan.at = isCode ? second : end + flags.length;
  scan.searches -= end - second;
}

/** The index behind the next sign that nothing escapes; the end of the code if there is none. */
function delimiterEnd(code: string, from: number, close: string): number {
  let at = from;
  while (at < code.length && code[at] !== close) at += code[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, code.length);
}

/** `<*.c>` of Perl is `glob("*.c")`, unless it is a handle. */
function readFilePattern(scan: Scan): boolean {
  const inner = matchAt(/<[^<>\n]{1,200}>/y, scan.code, scan.at);
  if (inner === undefined || !/[*?~/.{[]/.test(inner)) return false;
  scan.tokens.push({ type: 'name', text: 'glob', word: [] }, sign('('));
  readText(scan, scan.at + 1, '>', { interpolation: 'dollar' });
  scan.tokens.push(sign(')'));
  return true;
}

/** Names behind which a pattern may stand. */
const BEFORE_PATTERNS =
  /^(?:return|typeof|case|in|if|and|or|not|split|when|for|foreach|unlink|print|rmtree|remove_tree|sort|reverse)$/;

function mayBePattern({ language, tokens }: Scan): boolean {
  const previous = tokens.at(-1);
  if (SYNTAX[language].patterns === undefined) return false;
  if (previous?.type === 'sign') return !/^[)\]}]$/.test(previous.text);
  return previous === undefined || (previous.type === 'name' && BEFORE_PATTERNS.test(previous.text));
}

function readPattern(scan: Scan): boolean {
  const { code, at } = scan;
  if (code[at] !== '/' || !mayBePattern(scan)) return false;
  let set = false;
  let end = at + 1;
  for (; end < code.length && code[end] !== '\n' && (code[end] !== '/' || set); end++) {
    if (code[end] === '\\') end++;
    else if (code[end] === '[') set = true;
    else if (code[end] === ']') set = false;
  }
  if (code[end] !== '/') {
    scan.searches -= end - at;
    return false;
  }
  scan.tokens.push(sign('/pattern/'));
  scan.at = end + 1;
  return true;
}

interface TextKind {
  readonly raw?: boolean | undefined;
  readonly interpolation?: Interpolation | undefined;
  readonly command?: boolean;
}

function readText(scan: Scan, from: number, close: string, kind: TextKind): void {
  const { code } = scan;
  const word: WordPart[] = [];
  let text = '';
  let at = from;
  while (at < code.length && !code.startsWith(close, at)) {
    const hole = holeEnd(code, at, kind.interpolation);
    if (hole !== undefined) {
      word.push(...textWord(text), ...unknownWord(code.slice(at, Math.min(hole, at + MAX_EXPRESSION + 1))));
      text = '';
      at = hole;
    } else if (code[at] === '\\' && at + 1 < code.length) {
      const escaped = kind.raw === true ? rawEscape(code, at, close) : escapeAt(code, at);
      text += escaped.text;
      at = escaped.end;
    } else text += code[at++] ?? '';
  }
  word.push(...textWord(text));
  scan.tokens.push({ type: kind.command === true ? 'command' : 'string', text: code.slice(from, at), word });
  scan.at = at + close.length;
}

interface Escaped {
  readonly text: string;
  readonly end: number;
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

function escapeAt(code: string, at: number): Escaped {
  NUMBERED.lastIndex = at;
  const [whole = '', x, u, braces, U, octal] = NUMBERED.exec(code) ?? [];
  const char = code[at + 1] ?? '';
  if (whole === '') return { text: SIMPLE[char] ?? char, end: at + 2 };
  const point =
    octal === undefined ? Number.parseInt(x ?? u ?? braces ?? U ?? '', 16) : Number.parseInt(octal, 8);
  return { text: point <= 0x10ffff ? String.fromCodePoint(point) : '', end: at + whole.length };
}

/** Where backslashes mean little: only the quote and the backslash itself are escaped. */
function rawEscape(code: string, at: number, close: string): Escaped {
  const char = code[at + 1] ?? '';
  return { text: char === close || char === '\\' ? char : `\\${char}`, end: at + 2 };
}
