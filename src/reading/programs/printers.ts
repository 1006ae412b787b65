import { flagValue, hasFlag } from '../arguments.ts';
import { assign } from '../assign.ts';
import { decodeBase64, decodeHex } from '../decode.ts';
import { fillHoles, punchHoles } from '../holes.ts';
import { baseName } from '../path.ts';
import { cwdOf, fileContent } from '../scope.ts';
import type { Call, ProgramReader, Walker } from '../walker.ts';
import {
  EMPTY_WORD,
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  type Origin,
  originsOf,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../word.ts';
import { spaced } from './wrappers.ts';

const nothing: ProgramReader = () => EMPTY_WORD;

const echo: ProgramReader = ({ args, place }) => {
  if (!place.captured) return undefined;
  let start = 0;
  let escapes = false;
  let newline = true;
  for (; start < args.length; start++) {
    const flag = /^-([neE]+)$/.exec(knownText(args[start]?.word ?? []) ?? '')?.[1];
    if (flag === undefined) break;
    newline &&= !flag.includes('n');
    if (/[eE]/.test(flag)) escapes = flag.lastIndexOf('e') > flag.lastIndexOf('E');
  }
  const words = args.slice(start).map((arg) => arg.word);
  const text = words.length === 0 ? EMPTY_WORD : words.reduce(spaced);
  const printed = escapes ? mapText(text, unescaped) : text;
  return newline ? joinWords(printed, textWord('\n')) : printed;
};

/** printf with the conversions that print text and numbers; others make the output unknown. */
const printf: ProgramReader = (call, walker) => {
  const { parsed, place } = call;
  const variable = flagValue(parsed, '-v');
  if (!place.captured && variable === undefined) return undefined;
  const [format, ...values] = parsed.operands.map((operand) => operand.word);
  const printed = formatted(format ?? EMPTY_WORD, values);
  const name = variable === undefined ? undefined : knownText(variable);
  if (name === undefined) return printed;
  assign(place, walker, name, printed);
  return EMPTY_WORD;
};

const MAX_ROUNDS = 256;

function formatted(format: Word, values: readonly Word[]): Word {
  const { text, holes } = punchHoles(format);
  const pieces =
    text.match(/%%|%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)|[^%\\]+|[%\\]/gs) ??
    [];
  let printed: Word = EMPTY_WORD;
  let next = 0;
  let rounds = 0;
  do {
    const before = next;
    for (const piece of pieces) {
      if (piece === '%%') printed = joinWords(printed, textWord('%'));
      else if (piece.startsWith('%') && piece.length > 1)
        printed = joinWords(printed, converted(piece, values[next++] ?? EMPTY_WORD));
      else
        printed = joinWords(
          printed,
          piece.startsWith('\\') ? textWord(unescaped(piece)) : fillHoles(piece, holes),
        );
    }
    if (next === before) break;
  } while (next < values.length && ++rounds < MAX_ROUNDS);
  return next < values.length && rounds >= MAX_ROUNDS ? joinWords(printed, unknownWord('more')) : printed;
}

function converted(conversion: string, value: Word): Word {
  const kind = conversion.at(-1);
  const plain = conversion.length === 2;
  if (kind === 's' && plain) return value;
  if (kind === 'b' && plain) return mapText(value, unescaped);
  const known = knownText(value);
  if (known === undefined) return unknownWord(conversion, originsOf(value));
  if ((kind === 'd' || kind === 'i' || kind === 'u') && plain && /^-?[0-9]+$/.test(known))
    return textWord(String(Number(known)));
  const width = /^%-?\d+s$/.test(conversion) ? Number(conversion.slice(1, -1)) : undefined;
  if (width === undefined || Math.abs(width) > 1000) return unknownWord(conversion);
  return textWord(width < 0 ? known.padEnd(-width) : known.padStart(width));
}

function mapText(word: Word, change: (text: string) => string): Word {
  return word.map((part) => (part.type === 'text' ? { type: 'text', text: change(part.text) } : part));
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Backslash sequences of `echo -e` and `printf`. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|(.))/gs,
    (whole, octal, hex, unicode, char) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
      return ESCAPES[char] ?? whole;
    },
  );
}

/** What a program that prints files or its input has to print, if it is known. */
export function inputText(call: Call, walker: Walker): Word | undefined {
  const files = call.parsed.operands.slice(call.parsed.subcommands);
  if (files.length === 0) return call.command.input;
  let text: Word = EMPTY_WORD;
  for (const { word } of files) {
    const content = knownText(word) === '-' ? call.command.input : contentOf(word, call, walker);
    if (content === undefined) return undefined;
    text = joinWords(text, content);
  }
  return text;
}

/** What a file contains, as far as the script tells. */
function contentOf(file: Word, call: Call, walker: Walker): Word | undefined {
  const [only] = file;
  const substituted = only !== undefined && file.length === 1 ? walker.contents.get(only) : undefined;
  if (substituted !== undefined) return substituted;
  if (knownText(file) === '/dev/stdin') return call.command.input;
  const path = walker.resolve(file, call.command);
  return (
    fileContent(call.place.scope, path) ??
    unknownWord('the content of a file', [{ type: 'file', source: path }])
  );
}

const cat: ProgramReader = (call, walker) => {
  if (!call.place.captured || call.parsed.flags.length > 0) return undefined;
  return inputText(call, walker);
};

const tee: ProgramReader = (call, walker) => {
  const append = hasFlag(call.parsed, '-a', '--append');
  const { input } = call.command;
  for (const { word } of call.parsed.operands) {
    if (append) continue;
    walker.keepFile(call, word, input ?? unknownWord('the input of tee'));
  }
  return input;
};

/** Decoders: what they print is text from nowhere, unless the input is known. */
function decoder(
  decodes: (call: Call) => boolean,
  decode: ((text: string) => string | undefined) | undefined,
): ProgramReader {
  return (call, walker) => {
    if (!decodes(call)) return undefined;
    const input = inputText(call, walker);
    const known = input === undefined ? undefined : knownText(input);
    const decoded = known === undefined || decode === undefined ? undefined : decode(known);
    if (decoded !== undefined) return textWord(decoded);
    const origins: readonly Origin[] = [
      { type: 'decoder', source: EMPTY_WORD },
      ...originsOf(input ?? EMPTY_WORD),
    ];
    return unknownWord(`the output of ${call.command.name ?? 'a decoder'}`, origins);
  };
}

const hasAny =
  (...flags: readonly string[]) =>
  (call: Call) =>
    hasFlag(call.parsed, ...flags);
const hasWord =
  (...words: readonly string[]) =>
  (call: Call) =>
    call.args.some((arg) => words.includes(knownText(arg.word) ?? ''));

const reverse: ProgramReader = (call, walker) => {
  const known = knownText(inputText(call, walker) ?? unknownWord(''));
  return known === undefined
    ? undefined
    : textWord(
        known
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
      );
};

/** tr with plain sets and ranges. */
const translate: ProgramReader = (call) => {
  const known = knownText(call.command.input ?? unknownWord(''));
  const [first, second] = call.args.map((arg) => knownText(arg.word));
  if (known === undefined || first === undefined || second === undefined) return undefined;
  if (first === '-d') {
    const removed = charSet(second);
    return removed === undefined
      ? undefined
      : textWord([...known].filter((char) => !removed.includes(char)).join(''));
  }
  const from = charSet(first);
  const to = charSet(second);
  if (from === undefined || to === undefined || to.length === 0 || first.startsWith('-')) return undefined;
  return textWord(
    [...known]
      .map((char) =>
        from.includes(char) ? (to[Math.min(from.lastIndexOf(char), to.length - 1)] ?? char) : char,
      )
      .join(''),
  );
};

function charSet(set: string): readonly string[] | undefined {
  if (/\[:|\[=/.test(set)) return undefined;
  const chars: string[] = [];
  for (const piece of unescaped(set).match(/.-.|./gs) ?? []) {
    const [from = '', dash, to] = piece;
    if (dash !== '-' || to === undefined) chars.push(...piece);
    else
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0) && chars.length < 512; code++)
        chars.push(String.fromCharCode(code));
  }
  return chars;
}

const workingDirectory: ProgramReader = (call) => {
  const cwd = cwdOf(call.place.scope);
  return joinWords(knownText(cwd) === '.' ? outsideVariable('PWD') : cwd, textWord('\n'));
};

/** basename and dirname of paths that are known. */
function pathPart(part: (path: Word) => Word | undefined): ProgramReader {
  return ({ parsed }) => {
    const path = parsed.operands[0]?.word;
    const found = path === undefined ? undefined : part(path);
    return found === undefined ? undefined : joinWords(found, textWord('\n'));
  };
}

function directoryName(path: Word): Word | undefined {
  const known = knownText(path)?.replace(/(.)\/+$/, '$1');
  if (known === undefined) return undefined;
  const slash = known.lastIndexOf('/');
  if (slash < 0) return textWord('.');
  return textWord(slash === 0 ? '/' : known.slice(0, slash));
}

/** `which rm` prints a path of rm. */
const which: ProgramReader = ({ parsed, command }) => {
  if (command.name === 'command' && !hasFlag(parsed, '-v')) return undefined;
  const name = parsed.operands.length === 1 ? parsed.operands[0]?.word : undefined;
  const known = name === undefined ? undefined : knownText(name);
  return known === undefined || known.includes('/') ? undefined : textWord(`/usr/bin/${known}\n`);
};

const MAX_NUMBERS = 256;

const sequence: ProgramReader = ({ parsed }) => {
  const numbers = parsed.operands.map(({ word }) => Number(knownText(word) ?? 'x'));
  if (parsed.flags.length > 0 || numbers.some((value) => !Number.isInteger(value))) return undefined;
  const [first = 1, step = 1, last = first] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  const count = Math.floor((last - first) / step) + 1;
  if (!(count >= 0 && count <= MAX_NUMBERS)) return undefined;
  return textWord(Array.from({ length: count }, (_, index) => `${first + index * step}\n`).join(''));
};

/** A temporary file is one in the folder for temporary files. */
const temporaryFile: ProgramReader = ({ parsed }) => {
  const directory = flagValue(parsed, '-p', '--tmpdir') ?? textWord('/tmp');
  const template = parsed.operands[0]?.word;
  const unknown = unknownWord('$(mktemp)');
  if (template === undefined || hasFlag(parsed, '-t'))
    return joinWords(joinWords(directory, textWord('/tmp.')), unknown);
  const lead = leadingText(template).replace(/X+.*$/s, '');
  return isDetermined(template) ? joinWords(textWord(lead), unknown) : joinWords(template, unknown);
};

/** Programs whose output can be worked out or is of interest. */
export const PRINTER_READERS: Readonly<Record<string, ProgramReader>> = {
  ':': nothing,
  true: nothing,
  false: nothing,
  echo,
  printf,
  cat,
  tee,
  rev: reverse,
  tr: translate,
  pwd: workingDirectory,
  basename: pathPart((path) => (isDetermined(path) ? baseName(path) : undefined)),
  dirname: pathPart(directoryName),
  realpath: pathPart((path) => path),
  which,
  command: which,
  seq: sequence,
  mktemp: temporaryFile,
  base64: decoder(hasAny('-d', '-D', '--decode'), decodeBase64),
  base32: decoder(hasAny('-d', '--decode'), undefined),
  basenc: decoder(hasAny('-d', '--decode'), undefined),
  xxd: decoder(hasWord('-r', '-rp', '-pr', '-r-p'), decodeHex),
  uudecode: decoder(() => true, undefined),
  openssl: decoder(hasWord('-d'), undefined),
  gpg: decoder(hasAny('-d', '--decrypt'), undefined),
  age: decoder(hasAny('-d', '--decrypt'), undefined),
  gunzip: decoder(() => true, undefined),
  gzip: decoder(hasAny('-d', '--decompress'), undefined),
  zcat: decoder(() => true, undefined),
  bunzip2: decoder(() => true, undefined),
  bzcat: decoder(() => true, undefined),
  bzip2: decoder(hasAny('-d'), undefined),
  xz: decoder(hasAny('-d', '--decompress'), undefined),
  unxz: decoder(() => true, undefined),
  xzcat: decoder(() => true, undefined),
  zstd: decoder(hasAny('-d'), undefined),
  zstdcat: decoder(() => true, undefined),
};
