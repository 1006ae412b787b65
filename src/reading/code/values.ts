import { decodeBase64, decodeHex } from '../decode.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../word.ts';

/** What an expression of a program comes to, as far as it can be told without running it. */
export type Value =
  | { readonly type: 'text'; readonly word: Word }
  | { readonly type: 'list'; readonly items: readonly Value[] }
  | { readonly type: 'object'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly type: 'unknown' };

export const UNKNOWN_VALUE: Value = { type: 'unknown' };

export function textValue(word: Word): Value {
  return { type: 'text', word };
}

/** A value as a word; unknown if it is not a text. */
export function wordOf(value: Value | undefined): Word {
  return value?.type === 'text' ? value.word : unknownWord('a computed value');
}

/** Two values put together by `+` and the like. */
export function concatenated(a: Value, b: Value): Value {
  if (a.type === 'list' && b.type === 'list') return { type: 'list', items: [...a.items, ...b.items] };
  if (a.type !== 'text' && b.type !== 'text') return UNKNOWN_VALUE;
  return textValue(joinWords(wordOf(a), wordOf(b)));
}

const JOINERS = new Set(['Path', 'PurePath', 'PosixPath', 'Pathname', 'joinpath', 'resolve', 'catfile']);
const SAME = new Set([
  ...[
    'str',
    'String',
    'strip',
    'rstrip',
    'lstrip',
    'trim',
    'decode',
    'encode',
    'toString',
    'fspath',
    'abspath',
    'normpath',
  ],
  ...[
    'realpath',
    'expandvars',
    'expand_path',
    'absolute',
    'as_posix',
    'to_s',
    'to_path',
    'chomp',
    'bytes',
    'split',
    'quote',
  ],
]);
const BASE64 = new Set([
  'b64decode',
  'urlsafe_b64decode',
  'standard_b64decode',
  'decodebytes',
  'atob',
  'decode64',
  'strict_decode64',
  'urlsafe_decode64',
  'base64_decode',
  'decode_base64',
]);
const MAX_CODES = 4096;

/**
 * What a call gives back: `names` are the parts of its name, `receiver` is what stands before the last dot. Only calls
 * that build texts and paths are worked out.
 */
export function resultOf(
  names: readonly string[],
  args: readonly Value[],
  receiver: Value | undefined,
): Value {
  const last = names.at(-1) ?? '';
  const [first] = args;
  if (last === 'join') return joined(names, args, receiver);
  if (JOINERS.has(last) || (last === 'new' && names.includes('Pathname')))
    return joinedPath(receiver === undefined ? args : [receiver, ...args]);
  if (last === 'expanduser') return expandedHome(receiver ?? first);
  if (last === 'homedir' || last === 'home') return textValue(outsideVariable('HOME', '~'));
  if (last === 'getenv' || (last === 'get' && names.includes('environ'))) return environment(first);
  if (BASE64.has(last)) return decoded(first, decodeBase64);
  if (last === 'fromhex' || last === 'unhexlify') return decoded(first, decodeHex);
  if (last === 'from' && names.includes('Buffer')) return fromBuffer(args);
  if (last === 'fromCharCode' || last === 'chr') return fromCodes(args);
  if (SAME.has(last)) return receiver ?? first ?? UNKNOWN_VALUE;
  return UNKNOWN_VALUE;
}

/** `sep.join(list)`, `list.join(sep)`, `os.path.join(a, b)`. */
function joined(names: readonly string[], args: readonly Value[], receiver: Value | undefined): Value {
  const [first] = args;
  if (names.includes('path') || names.includes('File')) return joinedPath(args);
  const list = receiver?.type === 'list' ? receiver : first?.type === 'list' ? first : undefined;
  const separator = receiver?.type === 'list' ? first : receiver;
  if (list === undefined) return UNKNOWN_VALUE;
  let word: Word = EMPTY_WORD;
  list.items.forEach((item, index) => {
    word = joinWords(
      word,
      index > 0
        ? joinWords(separator === undefined ? EMPTY_WORD : wordOf(separator), wordOf(item))
        : wordOf(item),
    );
  });
  return textValue(word);
}

/** Paths joined by slashes; an absolute one starts anew. */
export function joinedPath(parts: readonly Value[]): Value {
  let path: Word | undefined;
  for (const part of parts) {
    const word = wordOf(part);
    path =
      path === undefined || leadingText(word).startsWith('/')
        ? word
        : joinWords(joinWords(path, textWord('/')), word);
  }
  return textValue(path ?? textWord('.'));
}

function expandedHome(value: Value | undefined): Value {
  const word = wordOf(value);
  const lead = leadingText(word);
  if (lead !== '~' && !lead.startsWith('~/')) return textValue(word);
  return textValue(
    joinWords(outsideVariable('HOME', '~'), joinWords(textWord(lead.slice(1)), word.slice(1))),
  );
}

function environment(name: Value | undefined): Value {
  const known = knownText(wordOf(name));
  return known === undefined ? UNKNOWN_VALUE : textValue(outsideVariable(known));
}

function decoded(value: Value | undefined, decode: (text: string) => string | undefined): Value {
  const known = knownText(wordOf(value));
  const text = known === undefined ? undefined : decode(known);
  return text === undefined ? UNKNOWN_VALUE : textValue(textWord(text));
}

function fromBuffer(args: readonly Value[]): Value {
  const how = knownText(wordOf(args[1]));
  if (how === 'base64') return decoded(args[0], decodeBase64);
  if (how === 'hex') return decoded(args[0], decodeHex);
  return args.length === 1 && args[0] !== undefined ? args[0] : UNKNOWN_VALUE;
}

function fromCodes(args: readonly Value[]): Value {
  const codes = args.map((arg) => Number(knownText(wordOf(arg)) ?? 'x'));
  const known =
    codes.length > 0 &&
    codes.length < MAX_CODES &&
    codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10ffff);
  return known ? textValue(textWord(String.fromCodePoint(...codes))) : UNKNOWN_VALUE;
}
