import { globPieces } from '../../reading/glob-pieces.ts';
import {
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import type { Language } from './language.ts';
import type { CallResult, CodeRow } from './rows.ts';
import { decoded, formatted, splitText } from './text-calls.ts';
import {
  combined,
  concatenated,
  elementOf,
  type FoundCall,
  joinedPath,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** What a call gives back, as its row says, for each of the values that it may be given. */
export function resultOf({ gives }: CodeRow, call: FoundCall, language: Language): Value {
  if (gives === undefined) return UNKNOWN_VALUE;
  const { receiver, args } = call;
  if (receiver === undefined)
    return combined(args, (some) => resultOfOne(gives, { ...call, args: some }, language));
  return combined([receiver, ...args], ([own, ...some]) =>
    resultOfOne(gives, { ...call, args: some, receiver: own }, language),
  );
}

/** Every name in a folder, and everything below one. */
const ANY_NAME: Value = textValue([{ type: 'glob', pattern: '*' }]);
const ANY_BELOW: WordPart = { type: 'glob', pattern: '**' };
const TEMPORARY = textWord('/tmp');

function resultOfOne(gives: CallResult, call: FoundCall, language: Language): Value {
  const { names, args, named, receiver } = call;
  const [first, second] = args;
  const own = receiver ?? first;
  switch (gives) {
    case 'same':
      return own ?? UNKNOWN_VALUE;
    case 'own':
      return receiver ?? UNKNOWN_VALUE;
    case 'copy':
      return own?.type === 'text' || own?.type === 'any' ? UNKNOWN_VALUE : (own ?? UNKNOWN_VALUE);
    case 'part':
      // With arguments it takes something off, and of a text nobody knows what is left.
      return args.length > (receiver === undefined ? 1 : 0) && own?.type !== 'list'
        ? UNKNOWN_VALUE
        : (own ?? UNKNOWN_VALUE);
    case 'element':
      return own?.type === 'list' ? elementOf(own) : UNKNOWN_VALUE;
    case 'list':
      return { type: 'list', items: args };
    case 'concatenated':
      return receiver === undefined ? UNKNOWN_VALUE : args.reduce(concatenated, receiver);
    case 'joined':
      return joined(args, receiver);
    case 'split':
      return splitCall(call, language);
    case 'format':
      return format(call, language);
    case 'base64':
      return decoded(first);
    case 'buffer':
      if (second === undefined) return first ?? UNKNOWN_VALUE;
      return knownText(wordOf(second)) === 'base64' ? decoded(first) : UNKNOWN_VALUE;
    case 'path':
      return joinedPath(receiver === undefined ? args : [receiver, ...args]);
    case 'parent':
      return parentOf(own);
    case 'expanded':
      return expandedHome(own);
    case 'expanded_path':
      return expandedHome(joinedPath(args.slice(0, 2).reverse()));
    case 'home':
      return textValue(outsideVariable('HOME', '~'));
    case 'current':
      return args.length === 0 ? textValue(textWord('.')) : UNKNOWN_VALUE;
    case 'variable': {
      const name = knownText(wordOf(first));
      return name === undefined ? UNKNOWN_VALUE : textValue(outsideVariable(name));
    }
    case 'glob':
    case 'deep_glob': {
      const patterns = receiver === undefined ? args.slice(0, 1) : [receiver, ...args.slice(0, 1)];
      if (gives === 'glob' || patterns.length === 0) return fitting(patterns, language);
      return fitting([patterns[0] ?? UNKNOWN_VALUE, textValue([ANY_BELOW]), ...patterns.slice(1)], language);
    }
    case 'names': {
      const isDeep = named.has('recursive') || (second?.type === 'object' && second.entries.has('recursive'));
      return names.includes('Object') ? UNKNOWN_VALUE : isDeep ? textValue([ANY_BELOW]) : ANY_NAME;
    }
    case 'paths':
      return joinedPath([own ?? textValue(textWord('.')), ANY_NAME]);
    case 'walk': {
      const folder = own ?? textValue(textWord('.'));
      return { type: 'list', items: [{ type: 'list', items: [folder, ANY_NAME, ANY_NAME] }] };
    }
    case 'temporary':
      return textValue(TEMPORARY);
    case 'temporary_folder': {
      const isBelow = language !== 'javascript' || first?.type !== 'text';
      const lead = isBelow ? joinWords(TEMPORARY, textWord('/')) : first.word;
      return textValue(joinWords(lead, unknownWord('a temporary folder')));
    }
    case 'mapped':
      return UNKNOWN_VALUE;
    default:
      return gives satisfies never;
  }
}

/** Any of the paths that fit a pattern, as a path with wildcards. */
export function fitting(parts: readonly Value[], language: Language): Value {
  const given = parts.flatMap((part) => (part.type === 'list' ? part.items : [part]));
  // Perl takes blanks between patterns, and knows the home directory.
  const [only] = given;
  const text = knownText(wordOf(only));
  if (language === 'perl' && given.length === 1 && text?.includes(' ') === true) {
    const patterns = splitText(only, undefined);
    if (patterns.type === 'list')
      return { type: 'list', items: patterns.items.map((item) => fitting([item], language)) };
  }
  const joinedWord = wordOf(joinedPath(given));
  const word = language === 'perl' ? wordOf(expandedHome(textValue(joinedWord))) : joinedWord;
  const pieces = word.flatMap((part) =>
    part.type === 'text' ? globPieces(part.text, { escapes: true, stopsAtSlash: true }) : [part],
  );
  return textValue(pieces.some((part) => part.type === 'glob') ? deep(pieces) : pieces);
}

/** `**` and a slash behind it stand for everything below. */
function deep(parts: Word): Word {
  const word: WordPart[] = [];
  for (const part of parts) {
    const last = word.at(-1);
    const isStar = part.type === 'glob' && part.pattern === '*';
    if (isStar && last?.type === 'glob' && (last.pattern === '*' || last.pattern === '**'))
      word[word.length - 1] = ANY_BELOW;
    else if (part.type === 'text' && last === ANY_BELOW) word.push(...textWord(part.text.replace(/^\//, '')));
    else word.push(part);
  }
  return word;
}

/** The folder that a path lies in. */
function parentOf(path: Value | undefined): Value {
  const known = knownText(wordOf(path));
  if (known === undefined) return UNKNOWN_VALUE;
  const slash = known.lastIndexOf('/');
  return textValue(textWord(slash < 0 ? '.' : slash === 0 ? '/' : known.slice(0, slash)));
}

/** `sep.join(list)`, `list.join(sep)`, `join(sep, list)` */
function joined(args: readonly Value[], receiver: Value | undefined): Value {
  const [first, ...rest] = args;
  const given = receiver === undefined ? rest : [receiver, ...args];
  const items =
    given.find((value) => value.type === 'list')?.items ?? (receiver === undefined ? rest : undefined);
  if (items === undefined) return UNKNOWN_VALUE;
  const separator = receiver?.type === 'list' ? first : (receiver ?? first);
  const between = separator === undefined ? [] : wordOf(separator);
  return textValue(
    items.reduce<Word>(
      (word, item, index) => joinWords(index > 0 ? joinWords(word, between) : word, wordOf(item)),
      [],
    ),
  );
}

function splitCall({ names, args, receiver }: FoundCall, language: Language): Value {
  if (language === 'php' || language === 'perl') return splitText(args[1], args[0]);
  // `shlex.split(text)` has no receiver but its module.
  if (names.includes('shlex') || names.includes('Shellwords')) return splitText(args[0], undefined);
  return splitText(receiver, args[0]);
}

function format({ names, args, named, receiver }: FoundCall, language: Language): Value {
  const isCalledOn = receiver?.type === 'text' && !names.includes('string');
  const [template, ...values] = isCalledOn ? [receiver, ...args] : args;
  if (template?.type !== 'text' || (language === 'python' && !isCalledOn)) return UNKNOWN_VALUE;
  return formatted(template.word, language === 'python' ? 'braces' : 'percent', values, named);
}

function expandedHome(value: Value | undefined): Value {
  const word = wordOf(value);
  const lead = leadingText(word);
  if (lead !== '~' && !lead.startsWith('~/')) return textValue(word);
  return textValue(
    joinWords(outsideVariable('HOME', '~'), joinWords(textWord(lead.slice(1)), word.slice(1))),
  );
}
