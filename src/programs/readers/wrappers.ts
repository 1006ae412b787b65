import { type WrapperSpec, wrapperFlags } from '../../model/wrapper-spec.ts';
import { resolvePath } from '../../reading/path.ts';
import type { Assignment } from '../../reading/reading.ts';
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
import { cwdOf, newScope } from '../../shell/scope/scope.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { parseArguments, valueAsArgument } from '../interpret/arguments.ts';
import { isStandardInput } from '../interpret/input-text.ts';
import { loadedFor } from '../interpret/loaded-environment.ts';
import { programSpec } from '../spec/rows.ts';

const readers = new WeakMap<WrapperSpec, ProgramReader>();

/** The reader of a program that runs the command in its arguments. */
export function wrapperReader(spec: WrapperSpec): ProgramReader {
  const made = readers.get(spec);
  if (made !== undefined) return made;
  const flags = flagTables(spec);
  const reader: ProgramReader = (call, walker) => runWrapped(call, call.args, spec, flags, walker, '');
  readers.set(spec, reader);
  return reader;
}

interface FlagTables {
  readonly own: ReturnType<typeof wrapperFlags>;
  readonly inner: ReadonlyMap<string, FlagTables>;
}

/** Made once per wrapper, because parsing keeps what it works out by table. */
function flagTables(spec: WrapperSpec): FlagTables {
  const inner = Object.entries(spec.subcommands ?? {}).map(([name, sub]) => [name, flagTables(sub)] as const);
  return { own: wrapperFlags(spec), inner: new Map(inner) };
}

function runWrapped(
  call: Call,
  args: readonly Arg[],
  spec: WrapperSpec,
  tables: FlagTables,
  walker: Walker,
  subcommand: string,
): Word | undefined {
  const parsed = parseArguments(args, tables.own);
  const named = (flags: string | undefined) =>
    parsed.flags.filter((flag) => flags?.split(' ').includes(flag.name));
  // Shells do not agree on what such a flag is in a bundle: `command -pv`.
  if (named(spec.harmless).some(({ name, written }) => written === name)) return undefined;
  const { becomes = {} } = spec;
  const [operand] = parsed.operands;
  const other = [...parsed.flags.map((flag) => flag.name), knownText(operand?.word ?? EMPTY_WORD) ?? '']
    .flatMap((word) => [word, word.replace(/^.+(?=\.)/s, '*')])
    .find((word) => Object.hasOwn(becomes, word));
  if (other !== undefined) {
    const program = { word: textWord(becomes[other] ?? ''), span: call.span, at: undefined };
    const words = args.slice(operand?.arg ?? args.length);
    return walker.runCommand([program, ...words], innerPlace(call, spec, undefined, walker));
  }
  const from = args.findIndex((arg) => spec.from?.split(' ').includes(knownText(arg.word) ?? '') === true);
  if (spec.from !== undefined && from < 0) return undefined;
  const start = from >= 0 ? from + 1 : (parsed.operands[0]?.arg ?? args.length);
  const name = knownText(args[start]?.word ?? EMPTY_WORD);
  if (spec.subcommands !== undefined) {
    const inner = name === undefined ? undefined : spec.subcommands[name];
    const innerTables = tables.inner.get(name ?? '');
    if (inner !== undefined && innerTables !== undefined)
      return runWrapped(call, args.slice(start + 1), inner, innerTables, walker, name ?? subcommand);
    if (spec.skip === undefined || programSpec(name, walker.context.programs) === undefined) return undefined;
  }
  for (const { value } of named(spec.writes))
    if (value !== undefined) walker.path(call.command, 'write', value);
  const place = innerPlace(call, spec, named(spec.directory).at(-1)?.value, walker);
  let printed: Word | undefined;
  for (const flag of named(spec.script)) {
    if (flag.value !== undefined)
      printed = runText(call, valueAsArgument(args, flag, call.span), place, walker);
  }
  for (const flag of named('-S --split-string')) {
    if (flag.value === undefined || call.command.name !== 'env') continue;
    const isNext = args[flag.arg + 1]?.word === flag.value;
    const behind = args.slice(flag.arg + (isNext ? 2 : 1));
    const words = joinList([flag.value, ...behind.map((arg) => arg.word)]);
    return runText(
      call,
      { ...valueAsArgument(args, flag, call.span), word: words, at: undefined },
      place,
      walker,
    );
  }
  const operands = args.slice(start - dashesBefore(args, start, spec));
  if (spec.flagsAfter !== true) return runRest(call, operands, spec, place, walker) ?? printed;
  const behind = operands.slice(spec.skip ?? 0);
  for (const flag of parseArguments(behind, tables.own).flags) {
    if (flag.value !== undefined && spec.script?.split(' ').includes(flag.name) === true)
      printed = runText(call, valueAsArgument(behind, flag, call.span), place, walker);
  }
  return runRest(call, withoutFlagsAfter(operands, spec, tables), spec, place, walker) ?? printed;
}

/** `ssh host -t command`: flags count up to the first operand behind those to skip. */
function withoutFlagsAfter(operands: readonly Arg[], spec: WrapperSpec, tables: FlagTables): readonly Arg[] {
  const { skip = 0 } = spec;
  const rest = operands.slice(skip);
  const start = parseArguments(rest, tables.own).operands[0]?.arg ?? rest.length;
  return [...operands.slice(0, skip), ...rest.slice(start - dashesBefore(rest, start, spec))];
}

/** The dashes in front of the first operand are dropped, unless they tell where the command begins. */
function dashesBefore(args: readonly Arg[], start: number, { afterDashes }: WrapperSpec): number {
  return afterDashes === true && knownText(args[start - 1]?.word ?? EMPTY_WORD) === '--' ? 1 : 0;
}

/** The operands: those to skip, assignments, then the command. */
function runRest(
  call: Call,
  operands: readonly Arg[],
  spec: WrapperSpec,
  place: Place,
  walker: Walker,
): Word | undefined {
  let rest = operands.slice(spec.skip ?? 0);
  const dashes = rest.findIndex((arg) => knownText(arg.word) === '--');
  if (spec.afterDashes === true && dashes < 0) return undefined;
  // Flags of `kubectl exec` may stand between the pod and the dashes.
  const cut =
    spec.afterDashes === true ||
    dashes === 0 ||
    (dashes > 0 && leadingText(rest[0]?.word ?? []).startsWith('-'));
  if (cut) rest = rest.slice(dashes + 1);
  // `env -` is `env -i`.
  if (spec.assignments === true && knownText(rest[0]?.word ?? []) === '-') rest = rest.slice(1);
  const environment: Assignment[] = [];
  while (spec.assignments === true) {
    const assignment = asAssignment(rest[0]?.word ?? EMPTY_WORD);
    if (assignment === undefined) break;
    environment.push(assignment);
    rest = rest.slice(1);
  }
  const inner =
    environment.length === 0 ? place : { ...place, environment: [...place.environment, ...environment] };
  if (rest.length === 0)
    return spec.shell === true && !isUsedUp(call, spec) ? runInput(call, inner, walker) : undefined;
  const [first, second] = rest;
  if (leadingText(first?.word ?? []).startsWith('-')) {
    // `flock file -c script`; otherwise what begins with a dash is no command: `docker run image --help`.
    const isScript = spec.script?.split(' ').includes(knownText(first?.word ?? []) ?? '') === true;
    return isScript && second !== undefined ? runText(call, second, inner, walker) : undefined;
  }
  call.command.wrapper = true;
  if (spec.scripts === true) {
    for (const script of rest) runShellText(call, script, inner, 'a script', walker);
    return undefined;
  }
  if (spec.joins === true) return runJoined(call, rest, inner, walker);
  return walker.runCommand(rest, inner);
}

/** Has an input been read as something else? What is known of one is read all the same: a file can be read twice. */
function isUsedUp({ command, parsed }: Call, { inputFlags }: WrapperSpec): boolean {
  const flags = inputFlags?.split(' ') ?? [];
  const isRead = parsed.flags.some(
    ({ name, value }) => flags.includes(name) && value !== undefined && isStandardInput(value),
  );
  return isRead && command.input?.every((part) => part.type === 'unknown') === true;
}

/** Without a command there is a shell, which reads its input. */
function runInput(call: Call, place: Place, walker: Walker): Word | undefined {
  const { input } = call.command;
  if (input === undefined) return undefined;
  return runText(call, inputScript(input, call.span, walker), { ...place, input: undefined }, walker);
}

function runJoined(call: Call, given: readonly Arg[], place: Place, walker: Walker): Word {
  // Another command of tmux stands behind a semicolon.
  const end = call.command.name === 'tmux' ? given.findIndex(({ word }) => knownText(word) === ';') : -1;
  const words = end < 0 ? given : given.slice(0, end);
  if (words.length === 0) return EMPTY_WORD;
  const [only] = words;
  if (only !== undefined && words.length === 1)
    return runShellText(call, only, place, 'the command that is run', walker);
  const span = { start: only?.span.start ?? call.span.start, end: words.at(-1)?.span.end ?? call.span.end };
  const script = { word: joinList(words.map((arg) => arg.word)), span, at: undefined };
  return runShellText(call, script, place, 'the command that is run', walker);
}

function runText(call: Call, script: Arg, place: Place, walker: Walker): Word {
  call.command.wrapper = true;
  return runShellText(call, script, place, 'the command that is run', walker);
}

function innerPlace(call: Call, spec: WrapperSpec, directory: Word | undefined, walker: Walker): Place {
  const { place, command } = call;
  const remote = spec.remote === true;
  const loaded = loadedFor(command, walker);
  const inner: Place = {
    ...place,
    scope: spec.sameShell === true ? place.scope : newScope('process', place.scope),
    via: [...place.via, { kind: remote ? 'remote' : 'wrapper', name: command.name ?? '' }],
    parent: call.index,
    privileged: place.privileged || spec.privileged === true,
    remote: place.remote || remote,
    environment: loaded.length === 0 ? place.environment : [...place.environment, ...loaded],
  };
  if (directory === undefined) return inner;
  inner.scope.cwd = resolvePath(directory, { cwd: cwdOf(place.scope), home: walker.context.home });
  return inner;
}

/** `NAME=value` as an argument. */
export function asAssignment(word: Word): Assignment | undefined {
  const lead = leadingText(word);
  // bash hands functions on in variables of such names.
  const match = /^([A-Za-z_][A-Za-z0-9_]*|BASH_FUNC_[^=]*)=/.exec(lead);
  const name = match?.[1];
  if (name === undefined) return undefined;
  return { name, value: wordFrom(word, name.length + 1) };
}
