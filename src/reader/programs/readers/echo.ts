import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  joinAll,
  joinList,
  joinWords,
  knownText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { assign } from '../../shell/expand/assign.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue } from '../interpret/flags.ts';

/** echo, with the flags of bash. */
export const echo: ProgramReader = ({ args, frame }) => {
  if (!frame.captured) return undefined;
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
  const text = joinList(words);
  const printed = escapes ? mapText(text, unescaped) : text;
  return newline ? joinWords(printed, textWord('\n')) : printed;
};

/** printf with the conversions that print text and numbers; others make the output unknown. */
export const printf: ProgramReader = (call) => {
  const { parsed, frame } = call;
  const variable = flagValue(parsed, '-v');
  if (!frame.captured && variable === undefined) return undefined;
  const [format, ...values] = parsed.operands.map((operand) => operand.word);
  const printed = formatted(format ?? EMPTY_WORD, values);
  const name = variable === undefined ? undefined : knownText(variable);
  if (name === undefined) return printed;
  assign(frame, name, printed);
  return EMPTY_WORD;
};

const MAX_ROUNDS = 256;

function formatted(format: Word, values: readonly Word[]): Word {
  const { text, placeholders } = withPlaceholders(format);
  const pieces =
    text.match(
      /%%|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z]|\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)|[^%\\]+|[%\\]/gs,
    ) ?? [];
  const isConversion = (piece: string) => /^%[^%]/s.test(piece);
  const taken = pieces.filter(isConversion).length;
  // The format is used again until all values are printed.
  const needed = taken === 0 ? 1 : Math.max(1, Math.ceil(values.length / taken));
  const rounds = Math.min(needed, MAX_ROUNDS);
  let next = 0;
  const printed = Array.from({ length: rounds }, () =>
    pieces.map((piece) => {
      if (isConversion(piece)) return converted(piece, values[next++] ?? EMPTY_WORD);
      // Versions of printf differ in the output for a broken format.
      if (piece === '%') return unknownWord('%');
      if (piece === '%%') return textWord('%');
      return piece.startsWith('\\') ? textWord(unescaped(piece)) : fillPlaceholders(piece, placeholders);
    }),
  );
  return joinAll([...printed.flat(), needed > rounds ? unknownWord('more') : EMPTY_WORD]);
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
  return unknownWord(conversion);
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
