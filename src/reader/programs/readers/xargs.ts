import { own } from '../../../lib/json.ts';
import type { ProgramRows } from '../../../model/policy.ts';
import { CODE_PROGRAMS } from '../../generated/code-programs.ts';
import { LIMITS } from '../../reading/bounds.ts';
import { programName, rowOf } from '../../reading/program-name.ts';
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
import type { Arg, Call, Frame, Interpreter, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { frameInside } from '../interpret/run-inner.ts';
import { programRow } from '../spec/rows.ts';
import { replaceIn } from './find.ts';
import { SHELL_READERS } from './shells.ts';

const xargs: ProgramReader = (call) => {
  const { parsed, args, interpreter } = call;
  const start = parsed.operands[0]?.arg ?? args.length;
  const marker = markerOf(call);
  const items = itemsOf(call, marker !== undefined);
  const command = start < args.length ? args.slice(start) : [argOf(textWord('echo'), call)];
  call.command.wrapper = true;
  const run = (words: readonly Word[]) => {
    const jobs =
      marker === undefined
        ? [[...command, ...words.map((word) => argOf(word, call))]]
        : words.map((word) => command.map((arg) => replaceIn(arg, marker, word)));
    for (const job of jobs) interpreter.runCommand(job, innerFrame(call, 'xargs'));
  };
  const words = command.map((arg) => arg.word);
  if (mayTakeCode(words, interpreter.context.programs))
    noteComputedItems(() => run([SOME_ITEM]), interpreter);
  const listed = listedBy(call.command.input, interpreter);
  if (listed.length > 0) run(listed.slice(0, LIMITS.alternatives));
  run(marker === undefined ? items : items.slice(0, LIMITS.alternatives));
  return undefined;
};

/** The operands of ls, which are among its output: of a file its name, of a folder the names in it, which are unknown. */
function listedBy(input: Word | undefined, { commands }: Interpreter): readonly Word[] {
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

const SEPARATORS: Readonly<Record<string, string>> = { '\\n': '\n', '\\0': '\0', '\\t': '\t' };

function itemsOf({ command, parsed }: Call, byLine: boolean): readonly Word[] {
  const { input } = command;
  const isNull = hasFlag(parsed, '-0', '--null');
  const delimiter = isNull ? textWord('\0') : flagValue(parsed, '-d', '--delimiter');
  const isFile = input === undefined || hasFlag(parsed, '-a', '--arg-file');
  const known = isFile ? undefined : knownText(input);
  if (known === undefined) return [unknownItem(input, byLine || delimiter !== undefined)];
  const written = delimiter === undefined ? '\n' : (knownText(delimiter) ?? '\n');
  const pieces =
    delimiter === undefined && !byLine ? unquoted(known) : known.split(own(SEPARATORS, written) ?? written);
  const items = pieces
    .map((piece) => (delimiter === undefined && byLine ? piece.trim() : piece.replace(/\n$/, '')))
    .filter((piece) => piece !== '');
  // Without items nothing would run: an unknown item shows the command.
  if (items.length > LIMITS.braceWords || (byLine && items.length === 0)) return [unknownItem(input, true)];
  return items.map(textWord);
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

function argOf(word: Word, call: Call): Arg {
  return { word, span: call.span };
}

function innerFrame(call: Call, name: string): Frame {
  return { ...frameInside(call, { kind: 'xargs', name }), input: undefined };
}

/** `:::` and `::::`, which are in front of values and of files with values. */
const SOURCE = /^::::?\+?$/;
/** Markers of a value, or of a part of it, which is read as the whole. */
const MARKERS = ['{}', '{.}', '{/}', '{//}', '{/.}', '{1}', '{2}', '{3}', '{-1}', '{= =}'];

/** GNU parallel: the command is a shell script; values come after `:::`, from files or from the input. */
const parallel: ProgramReader = (call) => {
  const { parsed, args, interpreter } = call;
  if (hasFlag(parsed, '--dry-run', '--dryrun', '--help', '--version')) return undefined;
  const words = args.slice(parsed.operands[0]?.arg ?? args.length).map(({ word }) => word);
  const isSource = (word: Word) => SOURCE.test(knownText(word) ?? '');
  const colons = words.findIndex(isSource);
  const command = colons < 0 ? words : words.slice(0, colons);
  const values = colons < 0 ? itemsOf(call, true) : words.slice(colons).filter((word) => !isSource(word));
  const isOpen = words.filter(isSource).length > 1 || words.some((word) => knownText(word) === '::::');
  call.command.wrapper = true;
  const run = (item: Word) => runJob(call, command, item);
  if (call.command.name === 'sem') run(EMPTY_WORD);
  else {
    if (isOpen || colons < 0) noteComputedItems(() => run(SOME_ITEM), interpreter);
    for (const item of isOpen ? [SOME_ITEM] : values.slice(0, LIMITS.alternatives)) run(item);
  }
  return undefined;
};

function runJob(call: Call, command: readonly Word[], item: Word): void {
  const frame = innerFrame(call, 'parallel');
  const filled = command.map((word) =>
    MARKERS.reduce((made, marker) => replaceIn(made, marker, item), argOf(word, call)),
  );
  const isFilled = item.length === 0 || filled.some(({ word }, index) => word !== command[index]);
  const job = isFilled ? filled : [...filled, argOf(item, call)];
  // GNU parallel puts the words into one script, the parallel of moreutils runs them as they are.
  if (job.length > 1 && job.some(({ word }) => /\s/.test(showWord(word))))
    call.interpreter.runCommand(job, frame);
  const script = argOf(joinList(job.map(({ word }) => word)), call);
  runShellText(call, script, frame, 'a job of parallel');
}

/** Programs that run a command for items of a list. */
export const XARGS_READERS: Readonly<Record<string, ProgramReader>> = {
  xargs,
  parallel,
  sem: parallel,
  env_parallel: parallel,
  rush: parallel,
};

/** Reads the command once more with unknown items, to note those that would be code, even if they are known this time. */
export function noteComputedItems(runUnknown: () => void, interpreter: Interpreter): void {
  const { commands, budget } = interpreter;
  const before = commands.length;
  const known = budget.gaps.length;
  runUnknown();
  commands.length = before;
  const found = budget.gaps.splice(known);
  budget.gaps.push(...found.filter(({ reason }) => reason === 'unknown_script' || reason === 'unknown_code'));
}

const OTHERS = { eval: true, parallel: true, powershell: true, pwsh: true, iex: true };
const TABLES = [SHELL_READERS, CODE_PROGRAMS, OTHERS];

/** True if a command with these words may run code that it is given. Any of them may be, or name, a program that takes code. */
export function mayTakeCode(words: readonly Word[], programs?: ProgramRows): boolean {
  return words.some((word) => {
    const name = programName(word);
    return programRow(name, programs)?.runs !== undefined || rowOf(takesCode, name) === true;
  });
}

function takesCode(name: string): true | undefined {
  return TABLES.some((table) => Object.hasOwn(table, name)) ? true : undefined;
}
