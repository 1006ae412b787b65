import { ANY_FLAG } from '../../../language/keys/command/called-flags.ts';
import { quotedWord } from '../../../lib/command-argument.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { readCommand } from '../../../reader/commands/read-command.ts';
import { rowTable, subcommandRow } from '../../../reader/programs/spec/row-table.ts';
import { programRow } from '../../../reader/programs/spec/rows.ts';
import { knownText } from '../../../reader/reading/word.ts';
import { globRegex, hasWildcard } from './command-pattern.ts';
import type { CommandPattern } from './imported.ts';

type Options = readonly string[];

/** A shell takes these for more than words. A `|` alone is read as a pipe. */
const OPERATORS = /[;&<>`()]|\$[({]|\|\||\\/;

/** A shell takes these for something else: a home, a variable. */
const EXPANDED = /^(?:~[\w./-]*|[\w./-]*\$\w[\w./-]*)$/;

/** Tests for `command:` that may mean the same as a pattern, best first; each is tried. None if words cannot express it. */
export function commandTests(pattern: CommandPattern): readonly JsonObject[] {
  if (pattern.regex !== undefined || pattern.words.flat().some((word) => OPERATORS.test(word))) return [];
  const pipe = pattern.words.findIndex(([word = '']) => /^\*?\|\*?$/.test(word));
  if (pipe < 0)
    return [...testsOfWords(pattern.words, pattern.rest), ...testsOfWords(withoutStar(pattern.words), true)];
  const left = pattern.words.slice(0, pipe);
  const right = pattern.words.slice(pipe + 1);
  if (right.flat().includes('|') || right.length === 0 || left.length === 0) return [];
  const [target] = testsOfWords(right, true);
  if (target === undefined) return [];
  const name = Object.keys(target).length === 1 && target['run'] !== undefined ? target['run'] : target;
  return testsOfWords(left, true).map((test) => ({ ...test, pipes_to: name }));
}

/** True if a test says all of a pattern without leaving the order of words or further flags open. */
export function isStrict({ words, regex }: CommandPattern): boolean {
  return regex === undefined && words.flat().every((word) => !word.startsWith('-') && !hasWildcard(word));
}

/** `delete*` is `delete`, where nothing else begins so. */
function withoutStar(words: readonly Options[]): readonly Options[] {
  const last = words.at(-1) ?? [];
  const [only = ''] = last;
  if (words.length < 2 || last.length > 1 || !/^[^-*?][^*?]*\*$/.test(only)) return [];
  return [...words.slice(0, -1), [only.slice(0, -1)]];
}

interface Tail {
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly values: JsonObject;
  readonly operands: readonly { readonly test: Json; readonly isFirst: boolean }[];
  readonly open: boolean;
}

function testsOfWords(words: readonly Options[], rest: boolean): readonly JsonObject[] {
  const [program, ...others] = words;
  if (program === undefined) return [];
  const isAnywhere = program.some((name) => /^\*+$/.test(name));
  // The folder before the name does not matter: a command is found wherever it runs.
  const bare = program.map((name) => nameOf(name.length > 1 ? name.replace(/^\*+/, '') : name));
  const names = others.length > 0 ? bare : program.map(nameOf);
  if (names.some((name) => name === '' || name.startsWith('-'))) return [];
  const plain = names.some(hasWildcard) ? 0 : others.findIndex((options) => !options.every(isPlain));
  const subcommands = others.slice(0, plain < 0 ? others.length : plain);
  const base: JsonObject =
    subcommands.length === 0
      ? { run: oneOf(names) }
      : { subcommand: [oneOf(names), ...subcommands.map(oneOf)] };
  const tail = others.slice(subcommands.length);
  const levels = [names[0] ?? '', ...subcommands.map(([word = '']) => word)];
  return [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
    ...(tail.flat().some((word) => isOperand(word, levels)) ? [[false, false, true]] : []),
  ].flatMap(([bundled = false, valued = false, dashed = false]) => {
    const read = readTail(tail, levels, bundled, valued, dashed);
    const test = read === undefined ? undefined : withTail(base, read, rest || isAnywhere);
    return test === undefined ? [] : [test];
  });
}

/** True if a program takes a word with a dash for an operand, as find takes `-delete`. */
function isOperand(word: string, levels: readonly string[]): boolean {
  if (!/^-[\w-]+$/.test(word)) return false;
  const { commands } = readCommand([...levels, word].map(quotedWord).join(' '), {});
  return commands.some(({ operands }) => operands.some((each) => knownText(each) === word));
}

function withTail(base: JsonObject, tail: Tail, rest: boolean): JsonObject | undefined {
  const [first, second, ...others] = tail.operands;
  if (others.length > 0) return undefined;
  const isExact = !rest && !tail.open;
  const hasFlags = tail.any.length + tail.all.length + Object.keys(tail.values).length > 0;
  const flags: JsonObject = {
    ...(isExact && !hasFlags ? { none: ANY_FLAG } : {}),
    ...(tail.any.length === 0 ? {} : { any: oneOf(tail.any) }),
    ...(tail.all.length === 0 ? {} : { all: oneOf(tail.all) }),
    ...(Object.keys(tail.values).length === 0 ? {} : { values: tail.values }),
  };
  const args: JsonObject = {
    ...(first === undefined ? {} : { [first.isFirst ? 'first' : 'any']: first.test }),
    ...(second === undefined ? {} : { rest: second.test }),
    ...(!isExact ? {} : { max: tail.operands.length }),
  };
  return {
    ...base,
    ...(Object.keys(flags).length === 0 ? {} : { flags }),
    ...(Object.keys(args).length === 0 ? {} : { args }),
  };
}

/** The words behind the subcommands; undefined if they cannot be said. */
function readTail(
  words: readonly Options[],
  levels: readonly string[],
  bundled: boolean,
  valued: boolean,
  dashed: boolean,
): Tail | undefined {
  const all: string[] = [];
  const any: string[] = [];
  const values: Record<string, Json> = {};
  const operands: { test: Json; isFirst: boolean }[] = [];
  let open = false;
  let flag: string | undefined;
  for (const options of words) {
    const [word = ''] = options;
    const before = flag;
    flag = undefined;
    if (!dashed && options.every((each) => each.startsWith('-') && each.length > 1)) {
      const found = options.map((each) => flagsOf(each, levels, bundled));
      if (found.includes(undefined)) return undefined;
      const known = found.flatMap((each) => (each === undefined ? [] : [each]));
      const [only] = known;
      if (known.length === 1 && only !== undefined && only.value !== undefined) {
        values[only.names[0] ?? ''] = only.value;
      } else if (known.length === 1 && only !== undefined && !only.isAny) {
        all.push(...only.names);
        flag = only.names.length === 1 ? only.names[0] : undefined;
      } else {
        if (any.length > 0) return undefined;
        any.push(...known.flatMap(({ names }) => names));
      }
    } else if (/^\*+$/.test(word)) open = true;
    else if (!dashed && options.some((each) => each.startsWith('-') && each.length > 1)) return undefined;
    else if (valued && before !== undefined) {
      all.splice(all.indexOf(before), 1);
      values[before] = wordTest(options);
    } else {
      const isFirst = !open && operands.length === 0 && all.length + any.length === 0;
      operands.push({ test: wordTest(options), isFirst });
    }
  }
  return { any, all, values, operands, open };
}

interface FlagTest {
  readonly names: readonly string[];
  readonly isAny: boolean;
  readonly value?: Json;
}

function flagsOf(word: string, levels: readonly string[], bundled: boolean): FlagTest | undefined {
  const [, name = '', value = ''] = /^([^=*?]+)=(.*)$/.exec(word) ?? [];
  if (name !== '' && !/^\**$/.test(value)) return { names: [name], isAny: false, value: wordTest([value]) };
  if (name !== '') return { names: [name], isAny: false };
  if (word.endsWith('*') && !hasWildcard(word.slice(0, -1))) {
    const start = word.slice(0, -1);
    if (!/^-+[^-]/.test(start)) return undefined;
    if (bundled && /^-[A-Za-z]{2,}$/.test(start)) return flagsOf(start, levels, bundled);
    return { names: [...new Set([start, ...knownFlags(levels, start)])], isAny: true };
  }
  if (hasWildcard(word)) return undefined;
  if (bundled && /^-[A-Za-z]{2,}$/.test(word))
    return { names: [...new Set(word.slice(1))].map((letter) => `-${letter}`), isAny: false };
  return { names: [word], isAny: false };
}

/** The flags of a program and its subcommands that begin so. */
function knownFlags([program = '', ...words]: readonly string[], start: string): readonly string[] {
  const found: string[] = [];
  let row = programRow(program);
  for (const word of [...words, undefined]) {
    if (row === undefined) break;
    found.push(...[...rowTable(row).flags.keys()].filter((flag) => flag.startsWith(start)));
    row = word === undefined ? undefined : subcommandRow(row, word);
  }
  return found;
}

function wordTest(options: Options): Json {
  if (options.some(hasWildcard)) return `^(?:${options.map((each) => globRegex(each)).join('|')})$`;
  return options.length === 1 ? { equals: options[0] ?? '' } : { one_of: [...options] };
}

function isPlain(word: string): boolean {
  return word !== '' && !word.startsWith('-') && !hasWildcard(word) && !/[\s|"']/.test(word);
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

export function oneOf(options: Options): Json {
  return options.length === 1 ? (options[0] ?? '') : [...options];
}

/** Commands that fit a pattern, and commands that do not, the plainest first. */
export function sampleCommands({ words, rest, regex, glob }: CommandPattern): {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
} {
  if (regex !== undefined) return { hits: sampleOfRegex(regex), misses: ['true'] };
  const isPiped = words.some(([word]) => word === '|');
  const sample = words.map((options, at) => sampleStar(words, at) ?? sampleWord(options[0] ?? ''));
  const textOf = (list: readonly string[]) =>
    list
      .map((word) => (isPiped || OPERATORS.test(glob) || EXPANDED.test(word) ? word : quotedWord(word)))
      .join(' ');
  const base = textOf(sample);
  const others = words.flatMap((options, at) =>
    options
      .slice(1, 4)
      .map((option) => textOf(sample.map((word, i) => (i === at ? sampleWord(option) : word)))),
  );
  const isSimple = !isPiped && !/['"\\]/.test(base);
  return {
    hits: [
      base,
      ...others,
      ...(rest && isSimple ? [`${base} x`] : []),
      ...(isSimple ? [`sh -c '${base}'`] : []),
    ],
    misses: [
      ...(words.length > 1 ? [textOf(sample.slice(0, -1))] : []),
      ...(rest ? [] : [`${base} other`]),
      ...(isPiped ? [textOf(sample.slice(0, sample.indexOf('|')))] : [`echo ${base}`]),
    ],
  };
}

/** A text that a regex fits, where a plain one does. */
function sampleOfRegex(regex: string): readonly string[] {
  const text = regex
    .replace(/^\^\(\?:/, '(')
    .replace(/\\b|\^|\$/g, '')
    .replace(/\\s[+*]?/g, ' ')
    .replace(/\\w[+*]?|\.\+/g, 'x')
    .replace(/(?:\[[^\]]*\]|\.)\*|\?(?!:)/g, '')
    .replace(/\[([^\]\\^])[^\]]*\]\+?/g, '$1')
    .replace(/\(\?:/g, '(')
    .replace(/\(([^()|]*)(?:\|[^()]*)?\)/g, '$1')
    .replace(/\(([^()|]*)(?:\|[^()]*)?\)/g, '$1')
    .replace(/\\(.)/g, '$1')
    .trim();
  return text === '' ? [] : [text];
}

/** A `*` before a word that programs have as a subcommand is one above it. */
function sampleStar(words: readonly Options[], at: number): string | undefined {
  const [star = ''] = words[at] ?? [];
  const [next = ''] = words[at + 1] ?? [];
  if (!/^\*+$/.test(star) || at === 0) return undefined;
  const row = words
    .slice(1, at)
    .reduce<ProgramRow | undefined>(
      (found, [word = '']) => found && subcommandRow(found, word),
      programRow(nameOf(words[0]?.[0] ?? '')),
    );
  const names = Object.keys(row?.subcommands ?? {});
  return names.find(
    (name) => row !== undefined && subcommandRow(row, name)?.subcommands?.[next] !== undefined,
  );
}

function sampleWord(word: string): string {
  if (/^\*+$/.test(word)) return 'x';
  const text = word.replace(/^\*+|\*+$/g, '');
  return text.replace(/[*?]+/g, 'x');
}
