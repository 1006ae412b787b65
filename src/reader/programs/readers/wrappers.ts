import { own } from '../../../lib/json.ts';
import type { ProgramRow, Runs } from '../../../model/program-row.ts';
import { resolvePath } from '../../reading/path.ts';
import type { Assignment, Flag } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinList,
  knownText,
  leadingText,
  textWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import { inputScript, runShellText } from '../../shell/run/shell-text.ts';
import { either, newFlow, passOn } from '../../shell/scope/flow.ts';
import type { Arg, Call, Frame, ProgramReader } from '../../shell/scope/interpreter.ts';
import { hideStatus, noteEnd } from '../../shell/scope/run-certainty.ts';
import { cwdOf, newScope, setLocal, variableOf } from '../../shell/scope/scope.ts';
import { parseArguments } from '../interpret/arguments.ts';
import { crossBorder } from '../interpret/cross-border.ts';
import { valueAsArgument } from '../interpret/flags.ts';
import { isStandardInput } from '../interpret/input-text.ts';
import { loadedVariables } from '../interpret/loaded-environment.ts';
import { programRow } from '../spec/rows.ts';

/** The reader of a program that runs the command in its arguments; undefined for every other program. */
export function wrapperReader(row: ProgramRow | undefined): ProgramReader | undefined {
  if (row?.runs === undefined) return undefined;
  const { flags = [], style = 'bundle' } = row;
  const runs = { flags, style, ...row.runs };
  return (call) => {
    const printed = runWrapped(call, call.args, runs);
    // `env -u "$NAME"`: any variable may be gone.
    if (call.command.name === 'env' && unsetBy(call).includes(undefined))
      runWrapped(withFlag(call, '-i'), call.args, runs);
    if (call.command.name === 'exec' && call.parsed.operands.length > 0) noteReplaced(call);
    return printed;
  };
}

/** A shell that a command replaces ends with the status of that command. */
function noteReplaced({ command, frame: { flow, scope } }: Call): void {
  noteEnd(scope, 'any');
  flow.ended = either(flow.ended, flow.succeeded);
  command.inner = newFlow('never');
}

const flagRows = new WeakMap<Runs, ProgramRow>();

/** Its own flags as a row: they end at the first operand. Made once, because parsing keeps its results by row. */
function flagRow(runs: Runs): ProgramRow {
  const { flags = [], script = [], style = 'bundle' } = runs;
  const row = flagRows.get(runs) ?? {
    flags: [...flags, ...script.map((flag) => `${flag}=`)],
    style,
    flags_first: runs.after !== '--',
  };
  flagRows.set(runs, row);
  return row;
}

/** Flags whose value is the beginning of the command, and all that follows the rest of it. */
const SPLITS: Readonly<Record<string, readonly string[]>> = {
  env: ['-S', '--split-string'],
  nodemon: ['-x', '--exec'],
};

function runWrapped(call: Call, args: readonly Arg[], runs: Runs): Word | undefined {
  const { interpreter } = call;
  const parsed = parseArguments(args, flagRow(runs));
  const named: FlagsNamed = (flags = []) => parsed.flags.filter(({ name }) => flags.includes(name));
  // Shells do not agree on the meaning of a harmless flag in a bundle: `command -pv`.
  if (named(runs.harmless).some(({ name, written }) => written === name)) return undefined;
  for (const flag of named(SPLITS[call.command.name ?? ''])) {
    if (flag.value === undefined) continue;
    const isNext = args[flag.arg + 1]?.word === flag.value;
    const behind = args.slice(flag.arg + (isNext ? 2 : 1));
    const words = joinList([flag.value, ...behind.map((arg) => arg.word)]);
    const inside = innerFrame(call, runs, named);
    return runText(call, { word: words, span: valueAsArgument(args, flag, call.span).span }, inside);
  }
  const { becomes = {} } = runs;
  const [operand] = parsed.operands;
  const other = [...parsed.flags.map((flag) => flag.name), knownText(operand?.word ?? EMPTY_WORD) ?? '']
    .flatMap((word) => [word, word.replace(/^.+(?=\.)/s, '*')])
    .find((word) => Object.hasOwn(becomes, word));
  if (other !== undefined) {
    const program = { word: textWord(becomes[other] ?? ''), span: call.span };
    const words = args.slice(operand?.arg ?? args.length);
    return interpreter.runCommand([program, ...words], innerFrame(call, runs, named));
  }
  const from = args.findIndex((arg) => runs.behind?.includes(knownText(arg.word) ?? '') === true);
  if (runs.behind !== undefined && from < 0) return undefined;
  const start = from >= 0 ? from + 1 : (parsed.operands[0]?.arg ?? args.length);
  const name = knownText(args[start]?.word ?? EMPTY_WORD);
  if (runs.subcommands !== undefined) {
    const inner = name === undefined ? undefined : own(runs.subcommands, name);
    if (inner !== undefined) return runWrapped(call, args.slice(start + 1), inner);
    if (runs.skip === undefined || programRow(name, interpreter.context.programs) === undefined)
      return undefined;
  }
  for (const { value } of named(runs.writes))
    if (value !== undefined) interpreter.path(call.command, 'write', value);
  const frame = innerFrame(call, runs, named);
  let printed: Word | undefined;
  for (const flag of named(runs.script)) {
    if (flag.value !== undefined) printed = runText(call, valueAsArgument(args, flag, call.span), frame);
  }
  const operands = args.slice(start - dashesBefore(args, start, runs));
  if (runs.flags_after !== true) return runRest(call, operands, runs, frame) ?? printed;
  // They may be between those operands too: `asciinema rec file -c script`.
  const anywhere = parseArguments(operands, { ...flagRow(runs), flags_first: false });
  const command = anywhere.operands[runs.skip ?? 0]?.arg ?? operands.length;
  for (const flag of anywhere.flags) {
    if (flag.value !== undefined && flag.arg < command && runs.script?.includes(flag.name) === true)
      printed = runText(call, valueAsArgument(operands, flag, call.span), frame);
  }
  return runRest(call, withoutFlagsAfter(operands, runs), runs, frame) ?? printed;
}

/** `ssh host -t command`: flags count up to the first operand behind those to skip. */
function withoutFlagsAfter(operands: readonly Arg[], runs: Runs): readonly Arg[] {
  const { skip = 0 } = runs;
  const rest = operands.slice(skip);
  const start = parseArguments(rest, flagRow(runs)).operands[0]?.arg ?? rest.length;
  return [...operands.slice(0, skip), ...rest.slice(start - dashesBefore(rest, start, runs))];
}

/** The dashes in front of the first operand are dropped, unless they tell where the command begins. */
function dashesBefore(args: readonly Arg[], start: number, { after }: Runs): number {
  return after === '--' && knownText(args[start - 1]?.word ?? EMPTY_WORD) === '--' ? 1 : 0;
}

/** The operands: those to skip, assignments, then the command. */
function runRest(call: Call, operands: readonly Arg[], runs: Runs, frame: Frame): Word | undefined {
  let rest = operands.slice(runs.skip ?? 0);
  const dashes = rest.findIndex((arg) => knownText(arg.word) === '--');
  if (runs.after === '--' && dashes < 0) return undefined;
  // Flags of `kubectl exec` may be between the pod and the dashes.
  const cut =
    runs.after === '--' || dashes === 0 || (dashes > 0 && leadingText(rest[0]?.word ?? []).startsWith('-'));
  if (cut) rest = rest.slice(dashes + 1);
  else if (runs.drops_dashes === true) rest = rest.filter((_, index) => index !== dashes);
  // `env -` is `env -i`.
  if (runs.assignments === true && knownText(rest[0]?.word ?? []) === '-') rest = rest.slice(1);
  const environment: Assignment[] = [];
  while (runs.assignments === true) {
    const assignment = asAssignment(rest[0]?.word ?? EMPTY_WORD);
    if (assignment === undefined) break;
    environment.push(assignment);
    rest = rest.slice(1);
  }
  const inner =
    environment.length === 0 ? frame : { ...frame, environment: [...frame.environment, ...environment] };
  if (rest.length === 0)
    return runs.shell === true && !isUsedUp(call, runs) ? runInput(call, inner) : undefined;
  const [first, second] = rest;
  if (leadingText(first?.word ?? []).startsWith('-')) {
    // `flock file -c script`; otherwise a word that begins with a dash is no command: `docker run image --help`.
    const isScript = runs.script?.includes(knownText(first?.word ?? []) ?? '') === true;
    return isScript && second !== undefined ? runText(call, second, inner) : undefined;
  }
  call.command.wrapper = true;
  if (runs.scripts === true) {
    for (const script of rest) runShellText(call, script, inner, 'a script');
    return undefined;
  }
  if (runs.joined === true) return runJoined(call, rest, inner);
  return call.interpreter.runCommand(rest, inner);
}

/** True if an input has been read as something else. A known input is read all the same: a file can be read twice. */
function isUsedUp({ command, parsed }: Call, { input = [] }: Runs): boolean {
  const isRead = parsed.flags.some(
    ({ name, value }) => input.includes(name) && value !== undefined && isStandardInput(value),
  );
  return isRead && command.input?.every((part) => part.type === 'unknown') === true;
}

/** Without a command there is a shell, which reads its input. */
function runInput(call: Call, frame: Frame): Word | undefined {
  const { input } = call.command;
  if (input === undefined) return undefined;
  return runText(call, inputScript(input, call.span, call.interpreter), { ...frame, input: undefined });
}

function runJoined(call: Call, given: readonly Arg[], frame: Frame): Word {
  // Another command of tmux is behind a semicolon.
  const end = call.command.name === 'tmux' ? given.findIndex(({ word }) => knownText(word) === ';') : -1;
  const words = end < 0 ? given : given.slice(0, end);
  if (words.length === 0) return EMPTY_WORD;
  const [only] = words;
  if (only !== undefined && words.length === 1)
    return runShellText(call, only, frame, 'the command that is run');
  const span = { start: only?.span.start ?? call.span.start, end: words.at(-1)?.span.end ?? call.span.end };
  const script = { word: joinList(words.map((arg) => arg.word)), span };
  return runShellText(call, script, frame, 'the command that is run');
}

function runText(call: Call, script: Arg, frame: Frame): Word {
  call.command.wrapper = true;
  return runShellText(call, script, frame, 'the command that is run');
}

/** Words that are not known may be flags with which another status comes back. */
function mayHideStatus({ parsed, args }: Call, { hides_status: flags }: Runs): boolean {
  if (flags === undefined) return false;
  const first = parsed.operands[0]?.arg ?? args.length;
  return (
    parsed.flags.some(({ name }) => flags.includes(name)) ||
    args.slice(0, first).some(({ word }) => knownText(word) === undefined)
  );
}

/** The flags with some names. */
type FlagsNamed = (names?: readonly string[]) => readonly Flag[];

/** The frame around a command, with those of the variables set for its wrapper that reach it. */
function frameAround({ frame }: Call, runs: Runs, named: FlagsNamed): Frame {
  const { keeps_variables: keeps = runs.remote !== true && runs.privileged !== true } = runs;
  const handing = Array.isArray(keeps) ? named(keeps).map(({ value }) => value) : [];
  if (keeps === true || handing.includes(undefined)) return frame;
  const names = handing.flatMap((value) => knownText(value ?? EMPTY_WORD)?.split(',') ?? []);
  const kept = named(runs.sets_variables).map(({ value }) => knownText(value ?? EMPTY_WORD));
  return crossBorder(frame, (name) => names.includes(name) || kept.includes(name));
}

function innerFrame(call: Call, runs: Runs, named: FlagsNamed): Frame {
  const { command, interpreter } = call;
  const frame = frameAround(call, runs, named);
  const directory = named(runs.directory).at(-1)?.value;
  const given = named(runs.sets_variables).flatMap(({ value }) => asAssignment(value ?? EMPTY_WORD) ?? []);
  const remote = runs.remote === true;
  const keeps = runs.keeps_status === true && !mayHideStatus(call, runs);
  const set = [...loadedVariables(command, interpreter), ...given];
  const inner: Frame = {
    ...frame,
    flow: keeps ? passOn(command, frame.flow, runs.same_shell === true) : newFlow(frame.flow.known),
    scope: runs.same_shell === true ? frame.scope : newScope('process', frame.scope),
    via: [...frame.via, { kind: remote ? 'remote' : 'wrapper', name: command.name ?? '' }],
    parent: call.index,
    runCertainty: keeps ? frame.runCertainty : hideStatus(frame.runCertainty, 'wrapper', false),
    privileged: frame.privileged || runs.privileged === true,
    remote: frame.remote || remote,
    environment: set.length === 0 ? frame.environment : [...frame.environment, ...set],
  };
  if (directory !== undefined)
    inner.scope.cwd = resolvePath(directory, { cwd: cwdOf(frame.scope), home: interpreter.context.home });
  return command.name === 'env' ? withoutForgotten(call, inner) : inner;
}

function withFlag(call: Call, name: string): Call {
  const { parsed } = call;
  const flag = { name, written: name, value: undefined, arg: 0 };
  return { ...call, parsed: { ...parsed, flags: [...parsed.flags, flag] } };
}

/** The variables that `env -u NAME` takes out; undefined for a name that is not known. */
function unsetBy({ parsed }: Call): readonly (string | undefined)[] {
  return parsed.flags.flatMap(({ name, value }) =>
    /^(?:-u|--unset)$/.test(name) && value !== undefined ? [knownText(value)] : [],
  );
}

/** `env -i`, `env -`, `env -u NAME` */
function withoutForgotten(call: Call, inner: Frame): Frame {
  const { parsed, interpreter } = call;
  const isEmpty =
    parsed.flags.some(({ name }) => /^(?:-i|--ignore-environment)$/.test(name)) ||
    knownText(parsed.operands[0]?.word ?? EMPTY_WORD) === '-';
  const unset = unsetBy(call);
  const isGone = (name: string) => isEmpty || unset.includes(name);
  for (const name of interpreter.exported) {
    const variable = isGone(name) ? variableOf(inner.scope, name) : undefined;
    if (variable !== undefined) setLocal(inner.scope, name, { ...variable, exported: false });
  }
  return { ...inner, environment: inner.environment.filter(({ name }) => !isGone(name)) };
}

/** `NAME=value` as an argument. */
export function asAssignment(word: Word): Assignment | undefined {
  const lead = leadingText(word);
  // bash hands functions on in variables with these names.
  const match = /^([A-Za-z_][A-Za-z0-9_]*|BASH_FUNC_[^=]*)=/.exec(lead);
  const name = match?.[1];
  if (name === undefined) return undefined;
  return { name, value: wordFrom(word, name.length + 1) };
}
