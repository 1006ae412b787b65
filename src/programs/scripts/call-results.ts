import { globPieces } from '../../reading/glob-pieces.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import type { FoundCall } from './code.ts';
import type { Language } from './language.ts';
import { changedText, formatted, replacedText, splitText } from './text-calls.ts';
import {
  combined,
  concatenated,
  elementOf,
  joinedPath,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

const JOINERS = new Set(['Path', 'PurePath', 'PosixPath', 'Pathname', 'joinpath', 'resolve', 'catfile']);
/** Calls that give back what they are given, or what they are called on, as far as paths and commands go. */
const SAME = new Set(
  'str String strip rstrip lstrip trim decode encode toString fspath abspath normpath realpath expandvars expand_path absolute as_posix to_s to_path chomp bytes quote list tuple sorted set iter compile array_values each each_entry sort uniq to_a select reject filter slice compact flat values from c getPathname getRealPath'.split(
    ' ',
  ),
);
/** Calls that give the paths that fit a pattern: `glob.glob`, `Path.glob`, `Dir.glob`, `fs.globSync`. */
const GLOBBERS = new Set(['glob', 'iglob', 'rglob', 'globSync', 'eglob']);
/** Calls that give the names of what is in a folder. */
const NAME_LISTERS = new Set([
  'listdir',
  'readdir',
  'readdirSync',
  'readDir',
  'readDirSync',
  'scandir',
  'entries',
  'children',
  'each_child',
  'foreach',
]);
/** Calls that give the paths of what is in a folder. */
const PATH_LISTERS = new Set([
  'iterdir',
  'DirectoryIterator',
  'FilesystemIterator',
  'list.files',
  'list.dirs',
  'dir',
]);
/** Calls that take one out of a list. */
const TAKERS = new Set(['shift', 'pop', 'first', 'last', 'at']);
const REPLACERS = new Set(['replace', 'replaceAll', 'sub', 'gsub']);
/** Calls that with arguments take something off a text. */
const PARTS = new Set(['strip', 'rstrip', 'lstrip', 'trim', 'slice']);
/** Calls that give the current folder. */
const CURRENT = new Set(['getcwd', 'getcwdb', 'cwd', 'pwd']);
/** Calls that give the folder for temporary files, or make one there. */
const TEMPORARY = new Set([
  'gettempdir',
  'tmpdir',
  'mkdtemp',
  'mkdtempSync',
  'mktmpdir',
  'tempdir',
  'tempfile',
  'TemporaryDirectory',
  'sys_get_temp_dir',
  'makeTempDir',
  'makeTempDirSync',
]);
const MAX_CODES = 4096;

/** Every name in a folder. */
const ANY_NAME: WordPart = { type: 'glob', pattern: '*' };
/** Everything below a folder. */
const ANY_BELOW: WordPart = { type: 'glob', pattern: '**' };

/** What a call gives back. Only calls that build texts and paths are worked out. */
export function resultOf(call: FoundCall, language: Language): Value {
  const { args, receiver } = call;
  const values = receiver === undefined ? args : [receiver, ...args];
  return combined(values, (some) =>
    resultOfOne(
      receiver === undefined ? { ...call, args: some } : { ...call, receiver: some[0], args: some.slice(1) },
      language,
    ),
  );
}

function resultOfOne(call: FoundCall, language: Language): Value {
  const { names, args, receiver } = call;
  const last = names.at(-1) ?? '';
  const [first] = args;
  const listed = listing(call, language);
  if (listed !== undefined) return listed;
  if (last === 'join' || last === 'implode') return joined(names, args, receiver);
  if (JOINERS.has(last) || (last === 'new' && names.includes('Pathname')))
    return joinedPath(receiver === undefined ? args : [receiver, ...args]);
  if (last === 'expand_path') return expandedHome(joinedPath(args.slice(0, 2).reverse()));
  if (last === 'expanduser') return expandedHome(receiver ?? first);
  if (last === 'homedir' || last === 'home') return textValue(outsideVariable('HOME', '~'));
  if (CURRENT.has(last) && args.length === 0) return textValue(textWord('.'));
  if (TEMPORARY.has(last)) return temporary(last, first);
  if (last === 'dirname') return parentOf(receiver ?? first);
  if (last === 'getenv' || (last === 'get' && names.includes('environ'))) return environment(first);
  if (last === 'split' || last === 'explode') return splitCall(call, language);
  if (last === 'unhexlify' || last === 'fromhex') return changedText(last, first) ?? UNKNOWN_VALUE;
  if (last === 'from' && names.includes('Buffer')) return fromBuffer(args);
  if (last === 'fromCharCode' || last === 'chr') return fromCodes(args);
  if (last === 'pack' || last === 'unpack1') return packed(call, language);
  if (last === 'format' || last === 'sprintf') return format(call, language);
  if (last === 'str_replace') return replacedText([args[2], args[0], args[1]], false);
  if (REPLACERS.has(last))
    return replacedText(
      [receiver, ...args],
      last === 'sub' || (last === 'replace' && language === 'javascript'),
    );
  if (last === 'concat' && receiver !== undefined) return args.reduce(concatenated, receiver);
  if (PARTS.has(last) && args.length > (receiver === undefined ? 1 : 0)) return partOf(receiver ?? first);
  const changed = changedText(last, receiver ?? first);
  if (changed !== undefined) return changed;
  if (TAKERS.has(last) && receiver?.type === 'list') return elementOf(receiver);
  if (last === 'shift' && language === 'perl') return first ?? UNKNOWN_VALUE;
  if (SAME.has(last))
    return last === 'c' && language === 'r'
      ? { type: 'list', items: args }
      : (receiver ?? first ?? UNKNOWN_VALUE);
  return UNKNOWN_VALUE;
}

/** Some of a list; of a text nobody knows what is left. */
function partOf(value: Value | undefined): Value {
  return value?.type === 'list' ? value : UNKNOWN_VALUE;
}

/** What is in folders, and what fits a pattern, as paths with wildcards. */
function listing({ names, args, named, receiver }: FoundCall, language: Language): Value | undefined {
  const last = names.at(-1) ?? '';
  const folder = receiver ?? args[0] ?? textValue(textWord('.'));
  if (GLOBBERS.has(last) && (receiver ?? args[0]) !== undefined) {
    const parts = receiver === undefined ? args.slice(0, 1) : [receiver, ...args.slice(0, 1)];
    return fitting(
      last === 'rglob' ? [parts[0] ?? folder, textValue([ANY_BELOW]), ...parts.slice(1)] : parts,
      language,
    );
  }
  if (last === 'walk' && names.length > 1) {
    const names = textValue([ANY_NAME]);
    return { type: 'list', items: [{ type: 'list', items: [folder, names, names] }] };
  }
  // `Path.iterdir()` and `os.scandir()` of Python give paths, as a folder of Ruby's Pathname does.
  const isPath =
    PATH_LISTERS.has(last) ||
    (last === 'scandir' && language === 'python') ||
    (last === 'children' && receiver !== undefined);
  if (isPath) return joinedPath([folder, textValue([ANY_NAME])]);
  if (!NAME_LISTERS.has(last) || (language === 'ruby' && !names.includes('Dir')) || names.includes('Object'))
    return undefined;
  const options = args[1];
  const isDeep = (options?.type === 'object' && options.entries.has('recursive')) || named.has('recursive');
  return textValue([isDeep ? ANY_BELOW : ANY_NAME]);
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

function temporary(name: string, prefix: Value | undefined): Value {
  const folder = textWord('/tmp');
  if (/^(?:gettempdir|tmpdir|sys_get_temp_dir)$/.test(name)) return textValue(folder);
  const own = unknownWord('a temporary folder');
  const lead = name === 'mkdtempSync' ? wordOf(prefix) : joinWords(folder, textWord('/'));
  return textValue(joinWords(lead, own));
}

/** The folder that a path lies in. */
function parentOf(path: Value | undefined): Value {
  const known = knownText(wordOf(path));
  if (known === undefined) return UNKNOWN_VALUE;
  const slash = known.lastIndexOf('/');
  return textValue(textWord(slash < 0 ? '.' : slash === 0 ? '/' : known.slice(0, slash)));
}

/** `sep.join(list)`, `list.join(sep)`, `join(sep, list)`, `os.path.join(a, b)`. */
function joined(names: readonly string[], args: readonly Value[], receiver: Value | undefined): Value {
  const [first, ...rest] = args;
  if (names.includes('path') || names.includes('File') || names.includes('Path')) return joinedPath(args);
  const given = receiver === undefined ? rest : [receiver, ...args];
  const list =
    given.find((value) => value.type === 'list') ??
    (receiver === undefined ? ({ type: 'list', items: rest } as const) : undefined);
  const separator = receiver?.type === 'list' ? first : (receiver ?? first);
  if (list?.type !== 'list') return UNKNOWN_VALUE;
  const between = separator === undefined ? EMPTY_WORD : wordOf(separator);
  let word: Word = EMPTY_WORD;
  list.items.forEach((item, index) => {
    word = joinWords(word, index > 0 ? joinWords(between, wordOf(item)) : wordOf(item));
  });
  return textValue(word);
}

function splitCall({ names, args, receiver }: FoundCall, language: Language): Value {
  if (language === 'php' || language === 'perl') return splitText(args[1], args[0]);
  // `shlex.split(text)` has no receiver but its module.
  if (receiver === undefined || names.includes('shlex') || names.includes('Shellwords'))
    return splitText(args[0], undefined);
  return splitText(receiver, args[0]);
}

function format({ names, args, named, receiver }: FoundCall, language: Language): Value {
  if (language === 'python')
    return receiver?.type === 'text' ? formatted(receiver.word, 'braces', args, named) : UNKNOWN_VALUE;
  const isCalledOn = receiver?.type === 'text' && !names.includes('string');
  const [template, ...values] = isCalledOn ? [receiver, ...args] : args;
  return template?.type === 'text' ? formatted(template.word, 'percent', values, named) : UNKNOWN_VALUE;
}

/** `["…"].pack("m")`, `"…".unpack1("m")` of Ruby, `pack("H*", "…")` of Perl: Base64 and hexadecimal digits. */
function packed({ args, receiver }: FoundCall, language: Language): Value {
  const [how, data] =
    language === 'ruby' ? [args[0], receiver?.type === 'list' ? receiver.items[0] : receiver] : args;
  const form = knownText(wordOf(how)) ?? '';
  if (form.startsWith('H')) return changedText('fromhex', data) ?? UNKNOWN_VALUE;
  return form.startsWith('m') ? (changedText('atob', data) ?? UNKNOWN_VALUE) : UNKNOWN_VALUE;
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

function fromBuffer(args: readonly Value[]): Value {
  const how = knownText(wordOf(args[1]));
  if (how === 'base64') return changedText('atob', args[0]) ?? UNKNOWN_VALUE;
  if (how === 'hex') return changedText('fromhex', args[0]) ?? UNKNOWN_VALUE;
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
