import { LIMITS } from '../../reading/bounds.ts';
import {
  EMPTY_WORD,
  joinList,
  knownText,
  NO_ORIGINS,
  originsOf,
  showWord,
  textWord,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { noteComputedItems } from '../interpret/computed-items.ts';
import { placeInside } from '../interpret/run-inner.ts';
import { replaceIn } from './find.ts';
import { mayTakeCode } from './takes-code.ts';

const xargs: ProgramReader = (call, walker) => {
  const { parsed, args } = call;
  const start = parsed.operands[0]?.arg ?? args.length;
  const marker = markerOf(call);
  const items = itemsOf(call, marker !== undefined);
  const command = start < args.length ? args.slice(start) : [argOf(textWord('echo'), call)];
  call.command.wrapper = true;
  const run = (words: readonly Word[]) => {
    const place = innerPlace(call, 'xargs');
    if (marker === undefined)
      walker.runCommand([...command, ...words.map((word) => argOf(word, call))], place);
    else
      for (const word of words) {
        walker.runCommand(
          command.map((arg) => replaceIn(arg, marker, word)),
          place,
        );
      }
  };
  const listed = listedBy(call.command.input, walker);
  if (listed.length > 0) run(listed.slice(0, LIMITS.alternatives));
  if (
    mayTakeCode(
      command.map((arg) => arg.word),
      walker.context.programs,
    )
  )
    noteComputedItems(() => run([SOME_ITEM]), walker);
  run(marker === undefined ? items : items.slice(0, LIMITS.alternatives));
  return undefined;
};

/** What ls is given is among what it prints: of a file its name, of a folder the names in it, which are not known. */
function listedBy(input: Word | undefined, { commands }: Walker): readonly Word[] {
  const [part, ...others] = input ?? EMPTY_WORD;
  if (part?.type !== 'unknown' || part.printer === undefined || others.length > 0) return [];
  const lister = commands[part.printer];
  return lister?.name === 'ls' ? lister.operands : [];
}

/** Stands for items that nothing is known of. */
const SOME_ITEM = unknownItem(undefined, false);

/** The text that `-I` replaces; `-i` and `--replace` without one have `{}`. */
function markerOf(call: Call): string | undefined {
  const flag = call.parsed.flags.findLast(({ name }) => ['-I', '-i', '--replace', '-J'].includes(name));
  if (flag === undefined) return undefined;
  return flag.value === undefined ? '{}' : (knownText(flag.value) ?? '{}');
}

function itemsOf(call: Call, byLine: boolean): readonly Word[] {
  const { input } = call.command;
  const known =
    input === undefined || hasFlag(call.parsed, '-a', '--arg-file') ? undefined : knownText(input);
  if (known === undefined) return [unknownItem(input, byLine || keepsBlanks(call))];
  const delimiter = flagValue(call.parsed, '-d', '--delimiter');
  const separator = hasFlag(call.parsed, '-0', '--null')
    ? '\0'
    : delimiter === undefined
      ? undefined
      : separatorOf(delimiter);
  const pieces =
    separator !== undefined
      ? known.split(separator)
      : byLine
        ? known.split('\n').map((line) => line.trim())
        : unquoted(known);
  const words = pieces.map((piece) => piece.replace(/\n$/, '')).filter((piece) => piece !== '');
  // Without items nothing would run: what could is shown.
  if (words.length > LIMITS.braceWords || (byLine && words.length === 0)) return [unknownItem(input, true)];
  return words.map(textWord);
}

function separatorOf(delimiter: Word): string {
  const known = knownText(delimiter) ?? '\n';
  return { '\\n': '\n', '\\0': '\0', '\\t': '\t' }[known] ?? known;
}

/** Words of a line as xargs takes them: quotes and backslashes count. */
function unquoted(text: string): readonly string[] {
  const found = text.match(/(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s"'\\])+/gs) ?? [];
  return found.map((piece) =>
    piece.replace(
      /"([^"]*)"|'([^']*)'|\\(.)/gs,
      (_, double, single, escaped) => double ?? single ?? escaped ?? '',
    ),
  );
}

/** Any number of words from an input that is not known; where its beginning is known, that is kept, and its end too. */
function unknownItem(input: Word | undefined, isWhole: boolean): Word {
  const [first, second, ...tail] = input ?? EMPTY_WORD;
  const origins = input === undefined ? NO_ORIGINS : originsOf(input);
  const rest = { type: 'unknown', source: '{}', variable: undefined, splits: true, origins } as const;
  const isPath = first?.type === 'text' && [first, ...tail].every((part) => isPartOfName(part, isWhole));
  if (!isPath || second === undefined) return [rest];
  return second.type === 'unknown'
    ? [first, { ...rest, source: second.source }, ...tail]
    : [first, second, ...tail];
}

/** Blanks end an item, unless each line or each text up to a null character is one. */
function isPartOfName(part: WordPart, isWhole: boolean): boolean {
  return part.type === 'glob' || (part.type === 'text' && (isWhole || !/\s/.test(part.text)));
}

function keepsBlanks({ parsed }: Call): boolean {
  return hasFlag(parsed, '-0', '--null', '-d', '--delimiter');
}

function argOf(word: Word, call: Call): Arg {
  return { word, span: call.span, at: undefined };
}

function innerPlace(call: Call, name: string): Place {
  return { ...placeInside(call, { kind: 'xargs', name }), input: undefined };
}

/** GNU parallel: the command is a shell script; values come after `:::`, from files or from the input. */
const parallel: ProgramReader = (call, walker) => {
  const { parsed, args } = call;
  if (hasFlag(parsed, '--dry-run', '--dryrun', '--help', '--version')) return undefined;
  const rest = args.slice(parsed.operands[0]?.arg ?? args.length);
  const colons = rest.findIndex(isSource);
  const command = colons < 0 ? rest : rest.slice(0, colons);
  const given = colons < 0 ? [] : rest.slice(colons + 1).filter((arg) => !isSource(arg));
  const isFile = rest.some((arg) => knownText(arg.word)?.startsWith('::::'));
  call.command.wrapper = true;
  if (call.command.name === 'sem') runJob(call, command, EMPTY_WORD, walker);
  else if (colons < 0) {
    noteComputedItems(() => runJob(call, command, SOME_ITEM, walker), walker);
    for (const item of itemsOf(call, true).slice(0, LIMITS.alternatives)) runJob(call, command, item, walker);
  } else {
    // Values of several sources are put together in every way.
    const items = given.slice(0, LIMITS.alternatives).map((arg) => arg.word);
    const isOpen = isFile || rest.filter(isSource).length > 1;
    for (const item of isOpen ? [SOME_ITEM, ...items] : items) runJob(call, command, item, walker);
  }
  return undefined;
};

/** `:::` and `::::`, which stand in front of values and of files with values. */
function isSource(arg: Arg | undefined): boolean {
  return /^::::?\+?$/.test(knownText(arg?.word ?? []) ?? '');
}

const MARKERS = ['{}', '{.}', '{/}', '{//}', '{/.}', '{1}', '{2}', '{3}', '{-1}', '{= =}'];

function runJob(call: Call, command: readonly Arg[], item: Word, walker: Walker): void {
  const place = innerPlace(call, 'parallel');
  const marked = command.map(
    (arg) => MARKERS.reduce((made, marker) => replaceIn(made, marker, item), arg).word,
  );
  const replaced = marked.some((word, index) => word !== command[index]?.word);
  const words = replaced || item.length === 0 ? marked : [...marked, item];
  // GNU parallel puts the words into one script, the parallel of moreutils runs them as they are.
  if (words.length > 1 && words.some((word) => /\s/.test(showWord(word))))
    walker.runCommand(
      words.map((word) => argOf(word, call)),
      place,
    );
  const span = command[0]?.span ?? call.span;
  runShellText(call, { word: joinList(words), span, at: undefined }, place, 'a job of parallel', walker);
}

/** Programs that run a command for items of a list. */
export const XARGS_READERS: Readonly<Record<string, ProgramReader>> = {
  xargs,
  parallel,
  sem: parallel,
  env_parallel: parallel,
  rush: parallel,
};
