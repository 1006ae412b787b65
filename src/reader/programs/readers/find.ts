import { boundedWord, isExhausted, LIMITS } from '../../reading/bounds.ts';
import { globPieces } from '../../reading/glob-pieces.ts';
import {
  EMPTY_WORD,
  joinAll,
  joinWords,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
  wordContains,
} from '../../reading/word.ts';
import type { Arg, Call, ParsedArguments, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { frameInside } from '../interpret/run-inner.ts';
import { endOfCommand, parseFindWords, UNKNOWN_FILES } from './find-arguments.ts';

const MAX_STARTS = 16;

/** find: the files that it lists and deletes, and the commands that it runs. */
const find: ProgramReader = (call) => {
  const { interpreter } = call;
  const { starts, found, deleted, commands, writes } = parseFindWords(call.args);
  const words = starts.length === 0 ? [{ word: textWord('.'), span: call.span }] : starts;
  for (const { word, span } of words) {
    interpreter.path(call.command, 'list', word, { recursive: true, ...found, span });
    if (deleted !== undefined)
      interpreter.path(call.command, 'delete', word, { recursive: true, ...deleted, span });
  }
  for (const { word, span } of writes) interpreter.path(call.command, 'write', word, { span });
  // Many starts are read as one unknown folder.
  const isMany = words.length > MAX_STARTS;
  for (const { argv, names } of commands) {
    const paths = isMany
      ? [unknownWord('{}')]
      : words.flatMap(({ word }) => names.map((name) => below(word, name)));
    for (const path of paths) runFor(call, argv, path);
  }
  const [first] = words;
  if (first === undefined || words.length > 1) return undefined;
  const path = below(first.word, found.only);
  const at = call.args.findIndex(({ word }) => knownText(word) === '-printf');
  const printed = at < 0 ? path : inForm(knownText(call.args[at + 1]?.word ?? EMPTY_WORD), path);
  const isBeside = call.args.filter(({ word }) => PRINTS.test(knownText(word) ?? '')).length > 1;
  return printed === undefined || !isBeside ? printed : path;
};

const PRINTS = /^-(?:print[f0]?|ls)$/;

/** Fields of a form of find: the path of a file, and its other properties. */
const FIELD = /(%p|%[hH]\/%[fP]|%[-+# 0-9.]*(?:[ABCT].|.))/s;
const PATH = /^%(?:p|h\/%f|H\/%P)$/;

/** The text that find prints in a form; undefined where it names other files than those that find comes upon. */
function inForm(form: string | undefined, path: Word): Word | undefined {
  // Other escapes spell characters.
  if (form === undefined || /\\(?:0[0-7]|[^0nt])/s.test(form)) return undefined;
  const pieces = form.split(FIELD).map((piece) => piece.replaceAll(/\\[n0]/g, '\n').replaceAll('\\t', '\t'));
  const others = pieces.filter((_, index) => index % 2 === 0).join('');
  const hasWords = /[a-z]/i.test(others);
  // A part of a path names a file only below a folder that the form names: `out/%f`.
  const hasParts = pieces.some(
    (piece, index) =>
      index % 2 === 1 &&
      /[pPfhHl]$/.test(piece) &&
      !PATH.test(piece) &&
      !(piece === '%f' && /\s\w[\w-]*\/$/.test(pieces[index - 1] ?? '')),
  );
  if (hasWords ? hasParts || /[|&;<>()$`]/.test(others) : /[/~]|\.\./.test(others)) return undefined;
  // Only numbers and dates stand beside the names.
  if (!hasWords) return path;
  const words = pieces.map((piece, index) => {
    if (index % 2 === 0) return textWord(piece);
    return PATH.test(piece) ? path : unknownWord(piece);
  });
  return boundedWord(joinAll(words));
}

/** The list of files below a folder that a program prints; undefined if words may change the place or the form, and if remote. */
export function listing(
  { parsed, command }: Call,
  flags: readonly string[],
  folders: readonly Word[],
  only: Word | undefined,
): Word | undefined {
  const [folder = textWord('.'), ...others] = folders;
  const isPlain =
    !command.remote &&
    others.length === 0 &&
    parsed.flags.every(({ name }) => flags.includes(name)) &&
    parsed.operands.every(({ word }) => knownText(word) !== undefined);
  return isPlain ? below(folder, only) : undefined;
}

/** The paths that find comes upon below a start: all, or those with a name. */
function below(start: Word, only: Word | undefined): Word {
  const folder = joinWords(start, textWord(leadingText(start).endsWith('/') ? '' : '/'));
  if (only === undefined) return [...folder, { type: 'glob', pattern: '**' }];
  const found = joinWords(folder, UNKNOWN_FILES);
  const name = knownText(only);
  // find's own wildcards match the dot that hides a name, a shell's do not.
  const parent = /^[?[]/.test(name ?? '') ? found : joinWords(found, textWord('/'));
  return name === undefined || name.length > LIMITS.pathChars
    ? found
    : joinWords(parent, globPieces(name, { escapes: true, stopsAtSlash: false }));
}

/** Runs a command with a path instead of `{}`. */
function runFor(call: Call, command: readonly Arg[], path: Word): void {
  if (command.length === 0 || isExhausted(call.interpreter.budget)) return;
  const frame = frameInside(call, { kind: 'find', name: call.command.name ?? 'find' });
  call.interpreter.runCommand(
    command.map((arg) => replaceIn(arg, '{}', path)),
    frame,
  );
}

/** A word with a value instead of a marker, wherever it is in the known text. */
export function replaceIn(arg: Arg, marker: string, value: Word): Arg {
  if (marker === '' || wordContains(arg.word, marker) !== true) return arg;
  const words = arg.word.flatMap((part): readonly Word[] =>
    part.type === 'text'
      ? part.text
          .split(marker)
          .flatMap((piece, index) => (index > 0 ? [value, textWord(piece)] : [textWord(piece)]))
      : [[part]],
  );
  return { word: boundedWord(joinAll(words)), span: arg.span };
}

/** Flags of fd with which it prints where names lie below the folder that it is given. */
const FD_FLAGS = '-e --extension -g --glob -H --hidden -I --no-ignore -u -0 --print0 -i -s'.split(' ');
/** Those that leave some files out as well: of those with a name, not of all. */
const FD_NARROWS = '-t --type -d --max-depth -E --exclude'.split(' ');
/** Patterns of fd that everything fits. */
const ANY_NAME = /^(?:[\^$*]|\.\+?|\\\.)*$/;
/** Flags of fd that choose by something else than the name. */
const FD_CHOOSES = ['-S', '--size', '--changed-within', '--changed-before', '-o', '--owner'];

/** The names that fd looks for; undefined if it takes everything. */
function chosenByFd(parsed: ParsedArguments, pattern: Word | undefined): Word | undefined {
  const ending = flagValue(parsed, '-e', '--extension');
  if (ending !== undefined) return joinWords(textWord('*.'), ending);
  const known = knownText(pattern ?? EMPTY_WORD);
  if (known === undefined) return UNKNOWN_FILES;
  if (ANY_NAME.test(known)) return hasFlag(parsed, ...FD_CHOOSES) ? UNKNOWN_FILES : undefined;
  if (hasFlag(parsed, '-g', '--glob')) return textWord(known);
  const [, start, name, end] = /^(\^?)((?:[\w-]|\\\.)+)(\$?)$/.exec(known) ?? [];
  if (name === undefined) return UNKNOWN_FILES;
  return textWord(`${start ? '' : '*'}${name.replaceAll('\\.', '.')}${end ? '' : '*'}`);
}

/** fd: `-x` and `-X` take the rest of the words as a command. */
const fd: ProgramReader = (call) => {
  const { args, parsed, command, interpreter } = call;
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(knownText(arg.word) ?? ''));
  const own = parsed.operands.filter(({ arg }) => at < 0 || arg < at);
  const base = flagValue(parsed, '--base-directory', '--search-path');
  const starts = own.slice(1).map(({ word }) => word);
  const words = starts.length > 0 ? starts : [base ?? textWord('.')];
  for (const word of words) interpreter.path(command, 'list', word, { recursive: true });
  const only = chosenByFd(parsed, own[0]?.word);
  const end = endOfCommand(args, at + 1);
  const run = at < 0 ? [] : args.slice(at + 1, end);
  if (run.length === 0) {
    const isNarrowed =
      only !== undefined ||
      /^f(?:ile)?$/.test(knownText(flagValue(parsed, '-t', '--type') ?? EMPTY_WORD) ?? '');
    const flags = isNarrowed ? [...FD_FLAGS, ...FD_NARROWS] : FD_FLAGS;
    return listing(call, flags, starts, only);
  }
  const hasMarker = run.some((arg) => /\{[/.]*\}/.test(showWord(arg.word)));
  const marked = hasMarker ? run : [...run, { word: textWord('{}'), span: call.span }];
  for (const word of words) {
    const path = below(word, only);
    const expanded = marked.map((arg) =>
      ['{//}', '{/.}', '{/}', '{.}'].reduce((made, marker) => replaceIn(made, marker, path), arg),
    );
    runFor(call, expanded, path);
  }
  return undefined;
};

export const FIND_READERS: Readonly<Record<string, ProgramReader>> = {
  find,
  gfind: find,
  bfs: find,
  fd,
  fdfind: fd,
};
