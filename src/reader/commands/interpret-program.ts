import type { ProgramRow } from '../../model/program-row.ts';
import { parseArguments } from '../programs/interpret/arguments.ts';
import { addMentions, addRowEffects } from '../programs/interpret/effects.ts';
import { noteFetchedRuns } from '../programs/interpret/fetched-runs.ts';
import { isIdle, withoutWordsBesideHelp } from '../programs/interpret/flags.ts';
import {
  addLoadedReads,
  noteLoadedByItself,
  noteLoadedByWords,
} from '../programs/interpret/loaded-environment.ts';
import { finishNetwork } from '../programs/interpret/network.ts';
import { runVariables } from '../programs/interpret/run-configured.ts';
import { programReader } from '../programs/readers/registry.ts';
import { wrapperReader } from '../programs/readers/wrappers.ts';
import { mayBuild } from '../programs/spec/build-tools.ts';
import { isAdded, programFamily, programRow, rowLevels } from '../programs/spec/rows.ts';
import { takeChars } from '../reading/bounds.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { linkPrinted, printedBy } from '../shell/run/links.ts';
import { addRedirectionEffects } from '../shell/run/redirections.ts';
import {
  after,
  type BranchOutcome,
  type KnownSuccesses,
  outcomeOf,
  setOutcome,
  statusIn,
} from '../shell/scope/flow.ts';
import type { Arg, Call, CommandExtras, Frame, ProgramReader } from '../shell/scope/interpreter.ts';
import { filesOf, variableOf } from '../shell/scope/scope.ts';
import { forgetTrees } from '../shell/scope/written-files.ts';
import { newCommand } from './new-command.ts';
import { outputOrigins, overNetwork, printsSettings } from './program-output.ts';
import { rowName, wordsOfName } from './program-row-name.ts';
import { runComputedProgram, runFile, runWrittenFile } from './run-file.ts';

/** A program whose effects are being determined. */
interface ProgramRun {
  /** The word that names it, and all words from that one on. */
  readonly head: Arg;
  readonly argv: readonly Arg[];
  readonly call: Call;
  /** The rows of the program and its subcommands, outermost first; undefined if it has none. */
  readonly levels: readonly [ProgramRow, ...ProgramRow[]] | undefined;
  readonly reader: ProgramReader | undefined;
  /** Its output; undefined until a pass knows it. */
  printed: Word | undefined;
}

/** The passes over a program, in order. Each adds to the command and may use the results of those before it. */
const PASSES: readonly ((run: ProgramRun) => void)[] = [
  ({ call: { command, interpreter } }) => addRedirectionEffects(command, command.redirections, interpreter),
  addWordEffects,
  ({ call }) => noteLoadedByWords(call),
  ({ call }) => noteLoadedByItself(call),
  askReader,
  ({ call }) => call.command.name !== 'git' && runVariables(call),
  ({ call, levels }) => levels !== undefined && finishNetwork(call, levels),
  forgetBuiltTrees,
  runItsFile,
  ({ call }) => noteFetchedRuns(call),
  ({ call }) => addLoadedReads(call),
  ({ call }) => linkPrinted(call),
];

/** The cost of a command, in read characters. */
const CHARS_PER_COMMAND = 300;

/** Determines the effects of a program with its words and adds the command to the reading. Returns its output. */
export function interpretProgram(
  head: Arg,
  argv: readonly Arg[],
  frame: Frame,
  extras: CommandExtras | undefined,
  span: Call['span'],
): Word {
  const { interpreter } = frame;
  const words = wordsOfName(head.word);
  if (words !== undefined) {
    const named = words.map((word) => ({ word: textWord(word), span: head.span }));
    return interpreter.runCommand([...named, ...argv.slice(1)], frame, extras);
  }
  if (!takeChars(interpreter.budget, CHARS_PER_COMMAND)) return unknownWord('the output of a command');
  const { flow } = frame;
  const { known } = flow;
  const run = startRun(head, argv, frame, extras, span);
  for (const pass of PASSES) pass(run);
  noteOutcome(run, known);
  if (!frame.captured) return EMPTY_WORD;
  const { call, levels } = run;
  const { name } = call.command;
  const made = printsSettings(call, levels?.[0])
    ? EMPTY_WORD
    : unknownWord(`the output of ${name ?? showWord(head.word)}`, outputOrigins(call, levels?.[0]));
  const printed = run.printed ?? made;
  return printedBy(call.index, printed);
}

/** Records, for the success branch, that a command has succeeded, with the commands whose status it passes on. */
function noteOutcome({ call, argv }: ProgramRun, known: KnownSuccesses): void {
  const { command, frame } = call;
  const { flow } = frame;
  const { inner } = command;
  const asked = testedStatus(call, argv, known);
  const { succeeded, failed } =
    asked ??
    (inner === undefined
      ? { succeeded: known, failed: known }
      : inner === flow
        ? flow
        : outcomeOf(inner, known));
  command.inner = undefined;
  flow.known = known;
  setOutcome(flow, after(succeeded, call.index), failed);
}

/** `[ $? -eq 0 ]`, `[[ $rc != 0 ]]`: the outcome, from the status of another command. */
function testedStatus(
  { command, frame: { flow } }: Call,
  argv: readonly Arg[],
  known: KnownSuccesses,
): BranchOutcome | undefined {
  if (command.name !== '[' && command.name !== 'test' && command.name !== '[[') return undefined;
  const [, one, operator, other, end, ...more] = argv.map(({ word }) => word);
  if (more.length > 0 || (end !== undefined && knownText(end) !== ']')) return undefined;
  const found = knownText(other ?? []) === '0' ? statusIn(one, { ...flow, known }) : undefined;
  const asks = knownText(operator ?? []) ?? '';
  if (found === undefined || !/^(?:-eq|==?|-ne|!=|-gt)$/.test(asks)) return undefined;
  return /^(?:-eq|==?)$/.test(asks) ? found : { succeeded: found.failed, failed: found.succeeded };
}

function startRun(
  head: Arg,
  argv: readonly Arg[],
  frame: Frame,
  extras: CommandExtras | undefined,
  span: Call['span'],
): ProgramRun {
  const { interpreter } = frame;
  const name = rowName(head.word);
  const row = programRow(name, interpreter.context.programs);
  const args = withFlagsOfVariable(argv.slice(1), row?.environment?.flags, frame);
  const given = parseArguments(args, row);
  const parsed = row === undefined ? given : withoutWordsBesideHelp(given, rowLevels(row, given));
  const levels = row === undefined ? undefined : rowLevels(row, parsed);
  const command = newCommand(head, name, args, parsed, frame, span);
  command.rows = levels ?? [];
  command.idle = levels !== undefined && isIdle(parsed, levels);
  command.added = row !== undefined && isAdded(row);
  command.redirections = extras?.redirections ?? [];
  const index = interpreter.commands.push(command) - 1;
  return {
    head,
    argv,
    call: { interpreter, command, index, args, parsed, frame, span },
    levels,
    reader: programReader(name) ?? wrapperReader(row),
    printed: undefined,
  };
}

/** `TAR_OPTIONS=--to-command=x tar xf a.tar`: adds these flags first, but after letters without a dash. */
function withFlagsOfVariable(
  args: readonly Arg[],
  variables: readonly string[] = [],
  { environment, scope }: Frame,
): readonly Arg[] {
  const values = variables.flatMap((variable) => {
    const set = environment.findLast(({ name }) => name === variable)?.value;
    const exported = variableOf(scope, variable);
    return set === undefined ? (exported?.exported ? exported.values : []) : [set];
  });
  const span = args[0]?.span ?? { start: 0, end: 0 };
  const flags = values.flatMap((value) => {
    const words = (knownText(value)?.split(/\s+/) ?? []).filter((word) => word !== '').map(textWord);
    return (words.length === 0 ? [value] : words).map((word) => ({ word, span }));
  });
  if (flags.length === 0) return args;
  const first = leadingText(args[0]?.word ?? EMPTY_WORD).startsWith('-') ? 0 : 1;
  return [...args.slice(0, first), ...flags, ...args.slice(first)];
}

/** Adds the effects of operands and flags by their roles in the row. Without a row their uses are unknown. */
function addWordEffects({ call, levels, reader }: ProgramRun): void {
  if (levels !== undefined) addRowEffects(call, levels);
  else if (reader === undefined && call.command.name !== '') addMentions(call);
}

function askReader(run: ProgramRun): void {
  run.printed = overNetwork(run.reader?.(run.call), run.call, run.levels?.[0]);
}

/** Forgets the fetched files in a folder after a build there. */
function forgetBuiltTrees({ call }: ProgramRun): void {
  const { command, parsed, frame } = call;
  if (command.name === undefined || frame.remote) return;
  const [first] = parsed.operands;
  const flags = parsed.flags.map((flag) => flag.name);
  const word = first === undefined ? undefined : (knownText(first.word) ?? '');
  if (mayBuild(command.name, flags, word)) forgetTrees(filesOf(frame.scope));
}

/** Runs the program's file if its content is known: by its path, or in a folder of the search path. */
function runItsFile({ head, call, levels, reader }: ProgramRun): void {
  const { name } = call.command;
  if (name === undefined) runComputedProgram(head, call);
  else if (leadingText(head.word).includes('/')) runFile(head, call);
  else if (levels === undefined || programFamily(name) !== 'shell')
    runWrittenFile(head, name, levels === undefined && reader === undefined, call);
}
