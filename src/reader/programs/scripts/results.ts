import { decodeBase64 } from '../../reading/decode.ts';
import { globPieces } from '../../reading/glob-pieces.ts';
import {
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import { formatted, splitText } from './text-calls.ts';
import {
  combined,
  concatenated,
  elementOf,
  type FoundCall,
  isEnvironment,
  joinedPath,
  listValue,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** A call with one value for each of its arguments. */
interface CallChoice extends FoundCall {
  readonly language: string;
  /** The value before its dot, or its first argument. */
  readonly own: Value;
  /** The value before its dot, and its arguments. */
  readonly all: readonly Value[];
}

/** Every name in a folder, and everything below one. */
const ANY_NAME = textValue([{ type: 'glob', pattern: '*' }]);
const ANY_BELOW = { type: 'glob', pattern: '**' } as const;
const TEMPORARY = textWord('/tmp');

/** The values that calls give back; scripts/code-rows.ts says the same in words. */
const RESULTS = {
  same: ({ own }) => own,
  own: ({ receiver }) => receiver ?? UNKNOWN_VALUE,
  copy: ({ own }) => (own.type === 'text' || own.type === 'any' ? UNKNOWN_VALUE : own),
  part: ({ own, all }) => (all.length > 1 && own.type !== 'list' ? UNKNOWN_VALUE : own),
  content: ({ own }) =>
    own.type === 'text'
      ? textValue(unknownWord('the content of a file', [{ type: 'file', source: own.word }]))
      : UNKNOWN_VALUE,
  element: ({ own }) => (own.type === 'list' ? elementOf(own) : UNKNOWN_VALUE),
  list: ({ args }) => listValue(args),
  values: ({ own }) => (own.type === 'object' ? listValue(entriesOf(own).map(([, value]) => value)) : own),
  pairs: ({ own }) => {
    if (isEnvironment(own)) return own;
    const found =
      own.type === 'list' ? own.items.map((item) => [UNKNOWN_VALUE, item] as const) : entriesOf(own);
    return listValue(found.map((pair) => ({ type: 'list', items: pair })));
  },
  function: ({ args: [first = UNKNOWN_VALUE] }) => first,
  concatenated: ({ all: [first = UNKNOWN_VALUE, ...others] }) => others.reduce(concatenated, first),
  joined: ({ args, receiver }) => joined(args, receiver),
  split: splitCall,
  format: formatCall,
  base64: ({ args: [first] }) => decoded(first),
  buffer: ({ args: [first = UNKNOWN_VALUE, encoding] }) => {
    if (encoding === undefined) return first;
    return knownText(wordOf(encoding)) === 'base64' ? decoded(first) : UNKNOWN_VALUE;
  },
  path: ({ all }) => joinedPath(all),
  parent: ({ own }) => parentOf(own),
  expanded: ({ own }) => expandedHome(own),
  expanded_path: ({ args }) => expandedHome(joinedPath(args.slice(0, 2).reverse())),
  home: () => textValue(outsideVariable('HOME', '~')),
  current: ({ args }) => (args.length === 0 ? textValue(textWord('.')) : UNKNOWN_VALUE),
  temporary: () => textValue(TEMPORARY),
  temporary_folder: ({ args: [first], language }) => {
    // mkdtemp of Node puts it behind its argument.
    const lead =
      language === 'javascript' && first?.type === 'text' ? first.word : [...TEMPORARY, ...textWord('/')];
    return textValue(joinWords(lead, unknownWord('a temporary folder')));
  },
  variable: ({ args: [first] }) => {
    const name = knownText(wordOf(first));
    return name === undefined ? UNKNOWN_VALUE : textValue(outsideVariable(name));
  },
  glob: ({ all, receiver, language }) =>
    matchingPaths(all.slice(0, receiver === undefined ? 1 : 2), language),
  deep_glob: ({ own, args: [pattern = UNKNOWN_VALUE], language }) =>
    matchingPaths([own, concatenated(textValue(textWord('**/')), pattern)], language),
  names: ({ names, args: [, options], named }) => {
    const isDeep = named.has('recursive') || (options?.type === 'object' && options.entries.has('recursive'));
    return names.includes('Object') ? UNKNOWN_VALUE : isDeep ? textValue([ANY_BELOW]) : ANY_NAME;
  },
  paths: ({ all: [folder = textValue(textWord('.'))] }) => joinedPath([folder, ANY_NAME]),
  walk: ({ own }) => listValue([listValue([own, ANY_NAME, ANY_NAME])]),
  mapped: () => UNKNOWN_VALUE,
} satisfies Readonly<Record<string, (call: CallChoice) => Value>>;

/** The kind of value that a call gives back. */
export type CallResult = keyof typeof RESULTS;

/** The value that a call gives back, as its row says, for each of the values that it may get. */
export function resultOf(
  { gives }: { readonly gives?: CallResult },
  call: FoundCall,
  language: string,
): Value {
  if (gives === undefined) return UNKNOWN_VALUE;
  const { receiver, args } = call;
  return combined(receiver === undefined ? args : [receiver, ...args], (all) => {
    const [own = UNKNOWN_VALUE] = all;
    const one = receiver === undefined ? { args: all } : { args: all.slice(1), receiver: own };
    return RESULTS[gives]({ ...call, ...one, language, own, all });
  });
}

/** The keys and values of an object; if they are unknown, one of which nothing is known. */
function entriesOf(value: Value): readonly (readonly [Value, Value])[] {
  return value.type === 'object' && !value.isPartial
    ? [...value.entries].map(([key, entry]) => [textValue(textWord(key)), entry])
    : [[UNKNOWN_VALUE, UNKNOWN_VALUE]];
}

function decoded(subject: Value | undefined): Value {
  const text = decodeBase64(knownText(wordOf(subject)) ?? '');
  return text === undefined || subject?.type !== 'text' ? UNKNOWN_VALUE : textValue(textWord(text));
}

/** Any of the paths that fit a pattern, as a path with wildcards. */
export function matchingPaths(parts: readonly Value[], language: string): Value {
  const path = joinedPath(parts.flatMap((part) => (part.type === 'list' ? part.items : [part])));
  // Perl knows the home directory, and takes blanks between patterns.
  const word = wordOf(language === 'perl' ? expandedHome(path) : path);
  if (language === 'perl' && word.some((part) => part.type === 'text' && /\s/.test(part.text)))
    return UNKNOWN_VALUE;
  const piecesOf = (text: string) => globPieces(text, { escapes: true, stopsAtSlash: true });
  return textValue(
    word.flatMap((part) => {
      if (part.type !== 'text') return [part];
      const [first = '', ...others] = part.text.split(/\*\*+\/?\*?/);
      return [...piecesOf(first), ...others.flatMap((text) => [ANY_BELOW, ...piecesOf(text)])];
    }),
  );
}

function parentOf(path: Value): Value {
  const known = knownText(wordOf(path));
  if (known === undefined) return UNKNOWN_VALUE;
  const slash = known.lastIndexOf('/');
  return textValue(textWord(slash < 0 ? '.' : slash === 0 ? '/' : known.slice(0, slash)));
}

/** `sep.join(list)`, `list.join(sep)`, `join(sep, list)` */
function joined(args: readonly Value[], receiver: Value | undefined): Value {
  const [first, ...rest] = args;
  const list = [receiver, ...args].find((value) => value?.type === 'list');
  const environment = (list?.type === 'list' ? list.items : args).find(isEnvironment);
  if (environment !== undefined) return environment;
  const items = list?.type === 'list' ? list.items : receiver === undefined ? rest : undefined;
  const separator = receiver === undefined || receiver.type === 'list' ? first : receiver;
  return items === undefined ? UNKNOWN_VALUE : joinedTexts(separator ?? textValue([]), items);
}

/** Texts as one, with another between them. */
function joinedTexts(separator: Value, items: readonly Value[]): Value {
  const join = (word: Word | undefined, item: Value) =>
    word === undefined ? wordOf(item) : joinWords(joinWords(word, wordOf(separator)), wordOf(item));
  return textValue(items.reduce<Word | undefined>(join, undefined) ?? []);
}

function splitCall({ names, args, receiver, language }: CallChoice): Value {
  if (language === 'php' || language === 'perl') return splitText(args[1], args[0]);
  // `shlex.split(text)` has no receiver but its module.
  const isModule = names.includes('shlex') || names.includes('Shellwords');
  return isModule ? splitText(args[0], undefined) : splitText(receiver, args[0]);
}

function formatCall({ names, args, named, receiver, language }: CallChoice): Value {
  const isCalledOn = receiver?.type === 'text' && !names.includes('string');
  const [template, ...values] = isCalledOn ? [receiver, ...args] : args;
  if (template?.type !== 'text' || (language === 'python' && !isCalledOn)) return UNKNOWN_VALUE;
  return formatted(template.word, language === 'python' ? 'braces' : 'percent', values, named);
}

/** A path with the home directory instead of a tilde. */
export function expandedHome(value: Value): Value {
  const lead = leadingText(wordOf(value));
  if (lead !== '~' && !lead.startsWith('~/')) return textValue(wordOf(value));
  const rest = wordFrom(wordOf(value), 1);
  return textValue(joinWords(outsideVariable('HOME', '~'), rest));
}
