import { flagValue } from '../arguments.ts';
import { isExhausted } from '../bounds.ts';
import { FIND_CHOOSES, FIND_RUNS, FIND_VALUES, FIND_WRITES } from '../knowledge/find-tests.ts';
import type { Via } from '../reading.ts';
import { newScope } from '../scope.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../walker.ts';
import {
  joinWords,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
  wordContains,
} from '../word.ts';

const MAX_STARTS = 16;

interface FindArguments {
  readonly starts: readonly Arg[];
  /**
   * The names that are looked for: the value of the last `-name`, if all tests must hold; an unknown word where others
   * choose; undefined if everything is found, or everything but some.
   */
  readonly only: Word | undefined;
  readonly deletes: boolean;
  readonly commands: readonly (readonly Arg[])[];
  readonly writes: readonly Arg[];
}

/** find: what it lists, deletes and runs. */
export const find: ProgramReader = (call, walker) => {
  const { starts, only, deletes, commands, writes } = findArguments(call.args);
  const words = starts.length === 0 ? [{ word: textWord('.'), span: call.span, at: undefined }] : starts;
  for (const { word, span } of words) {
    walker.path(call.command, 'list', word, { recursive: true, only, span });
    if (deletes) walker.path(call.command, 'delete', word, { recursive: true, only, span });
  }
  for (const { word, span } of writes) walker.path(call.command, 'write', word, { span });
  // Many starts are not told apart.
  const paths = words.length > MAX_STARTS ? [unknownWord('{}')] : words.map(({ word }) => below(word, only));
  for (const command of commands) for (const path of paths) runFor(call, command, path, walker);
  const [first] = words;
  return first === undefined || words.length > 1 ? undefined : below(first.word, only);
};

function findArguments(args: readonly Arg[]): FindArguments {
  const starts: Arg[] = [];
  const commands: (readonly Arg[])[] = [];
  const writes: Arg[] = [];
  let name: Word | undefined;
  let deletes = false;
  let isChoice = false;
  let isNarrowed = false;
  let at = 0;
  for (; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? []) ?? leadingText(args[at]?.word ?? []);
    const arg = args[at];
    if (/^-[HLPX]$|^-O\d$|^-[EXdsx]$/.test(text) || text === '--') continue;
    if (text === '-D') at++;
    else if (/^[-!(),]/.test(text) || arg === undefined) break;
    else starts.push(arg);
  }
  for (; at < args.length; at++) {
    const arg = args[at];
    const text = arg === undefined ? '' : (knownText(arg.word) ?? '');
    if (FIND_RUNS.has(text)) {
      const end = endOfCommand(args, at + 1);
      commands.push(args.slice(at + 1, end));
      at = end;
      continue;
    }
    const value = args[at + 1];
    if (text === '-delete') deletes = true;
    if (text === '-name' || text === '-iname') name = value?.word;
    if (/^(?:-o|-or|!|-not|,)$/.test(text)) isChoice = true;
    if (FIND_CHOOSES.has(text) && !/^(?:!|-not)$/.test(knownText(args[at - 1]?.word ?? []) ?? ''))
      isNarrowed = true;
    if (FIND_WRITES.has(text) && value !== undefined) writes.push(value);
    at += FIND_VALUES.get(text) ?? 0;
  }
  const only = isNarrowed ? ((isChoice ? undefined : name) ?? SOME_FILES) : undefined;
  return { starts, only, deletes, commands, writes };
}

const SOME_FILES = unknownWord('{}');

/** The index of the `;` that ends a command, or of a `+` after `{}`; without one, of the end. */
function endOfCommand(args: readonly Arg[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? []);
    if (text === ';' || (text === '+' && knownText(args[at - 1]?.word ?? []) === '{}')) return at;
  }
  return args.length;
}

/** What find comes upon below a start: everything, or what has a name. */
function below(start: Word, only: Word | undefined): Word {
  const folder = joinWords(start, textWord(leadingText(start).endsWith('/') ? '' : '/'));
  if (only === undefined) return [...folder, { type: 'glob', pattern: '**' }];
  const found = joinWords(folder, SOME_FILES);
  const name = knownText(only);
  return name === undefined ? found : joinWords(joinWords(found, textWord('/')), patternWord(name));
}

/** A name with wildcards as a word. */
function patternWord(name: string): Word {
  let word: Word = [];
  for (const piece of name.match(/\\.|\[[^\]]+\]|[*?]|[^\\[*?]+|\[/gs) ?? []) {
    if (/^(?:[*?]|\[.+)$/s.test(piece)) word = [...word, { type: 'glob', pattern: piece }];
    else word = joinWords(word, textWord(piece.startsWith('\\') ? piece.slice(1) : piece));
  }
  return word;
}

/** Runs a command with a path in the place of `{}`. */
function runFor(call: Call, command: readonly Arg[], path: Word, walker: Walker): void {
  if (command.length === 0 || isExhausted(walker.budget)) return;
  const via: readonly Via[] = [...call.place.via, { kind: 'find', name: call.command.name ?? 'find' }];
  const place: Place = {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
  };
  walker.runCommand(
    command.map((arg) => replaceIn(arg, '{}', path)),
    place,
  );
}

/** A word with a value in the place of a marker, wherever it stands in the known text. */
export function replaceIn(arg: Arg, marker: string, value: Word): Arg {
  if (marker === '' || wordContains(arg.word, marker) !== true) return arg;
  let word: Word = [];
  for (const part of arg.word) {
    if (part.type !== 'text') {
      word = joinWords(word, [part]);
      continue;
    }
    part.text.split(marker).forEach((piece, index) => {
      if (index > 0) word = joinWords(word, value);
      word = joinWords(word, textWord(piece));
    });
  }
  return { word, span: arg.span, at: undefined };
}

/** fd: `-x` and `-X` take the rest of the words as a command. */
export const fd: ProgramReader = (call, walker) => {
  const { args, parsed, command } = call;
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(knownText(arg.word) ?? ''));
  const own = parsed.operands.filter(({ arg }) => at < 0 || arg < at);
  const base = flagValue(parsed, '--base-directory', '--search-path');
  const starts = own.slice(1).map(({ word }) => word);
  const words = starts.length > 0 ? starts : [base ?? textWord('.')];
  for (const word of words) walker.path(command, 'list', word, { recursive: true });
  const end = endOfCommand(args, at + 1);
  const run = at < 0 ? [] : args.slice(at + 1, end);
  if (run.length === 0) return undefined;
  const hasMarker = run.some((arg) => /\{[/.]*\}/.test(showWord(arg.word)));
  const marked = hasMarker ? run : [...run, { word: textWord('{}'), span: call.span, at: undefined }];
  for (const word of words) {
    const path = below(word, undefined);
    const expanded = marked.map((arg) =>
      ['{//}', '{/.}', '{/}', '{.}'].reduce((made, marker) => replaceIn(made, marker, path), arg),
    );
    runFor(call, expanded, path, walker);
  }
  return undefined;
};
