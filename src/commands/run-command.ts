import type { ProgramSpec } from '../model/program-spec.ts';
import { parseArguments, withoutWordsBesideHelp } from '../programs/interpret/arguments.ts';
import { addMentions, addTableEffects, isIdle } from '../programs/interpret/effects.ts';
import { noteFetchedRuns } from '../programs/interpret/fetched-runs.ts';
import { addLoadedReads } from '../programs/interpret/loaded-environment.ts';
import { finishNetwork } from '../programs/interpret/network.ts';
import { programReader } from '../programs/readers/registry.ts';
import { wrapperReader } from '../programs/readers/wrappers.ts';
import { mayBuild } from '../programs/spec/build-tools.ts';
import { isGnuName } from '../programs/spec/gnu-names.ts';
import { programFamily, programRow, programSpec, specLevels } from '../programs/spec/rows.ts';
import { LIMITS, takeChars, takeStep } from '../reading/bounds.ts';
import { programName } from '../reading/program-name.ts';
import type { Assignment, Via } from '../reading/reading.ts';
import {
  boundedOrigins,
  EMPTY_WORD,
  knownText,
  leadingText,
  mixedWord,
  type Origin,
  originsOf,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { isForked, startOf, stateAt, stateCovers } from '../shell/control/recursion.ts';
import { noteManyMeanings, runAlias, spanOf } from '../shell/run/aliases.ts';
import { linkPrinted, printedBy } from '../shell/run/links.ts';
import { addRedirectionEffects } from '../shell/run/redirections.ts';
import { addRemoteCode, runFileText } from '../shell/run/shell-text.ts';
import type { FunctionCall } from '../shell/scope/function-call.ts';
import {
  cwdOf,
  filesOf,
  functionsOf,
  mergeReturns,
  newScope,
  type ShellFunction,
  setLocal,
  single,
  variableOf,
} from '../shell/scope/scope.ts';
import type { Arg, Call, CommandExtras, Draft, Place, Walker } from '../shell/scope/walker.ts';
import { forgetTrees } from '../shell/scope/written-files.ts';

/** Reads words as a command: what it is, what it does, what it runs in turn. Returns what it prints. */
export function runCommand(
  argv: readonly Arg[],
  place: Place,
  walker: Walker,
  extras: CommandExtras | undefined,
): Word {
  const [head] = argv;
  if (head === undefined) return EMPTY_WORD;
  const span = extras?.span ?? spanOf(argv);
  const { budget } = walker;
  budget.steps -= argv.length >> 2;
  if (!takeStep(budget) || --budget.commands < 0) return unknownWord('the output of a command');
  if (place.via.length > LIMITS.wrapperDepth) {
    walker.gap('too_deep', span, 'Too many programs run each other');
    return unknownWord('the output of a command');
  }
  const known = knownText(head.word);
  const defined = extras?.direct === true && known !== undefined ? functionsOf(place.scope, known) : [];
  if (known !== undefined && defined.length > 0) {
    noteManyMeanings(known, defined.length, span, walker);
    const printed = defined.map((each) => callFunction(known, each, argv, place, walker));
    const [only] = printed;
    return only !== undefined && printed.length === 1
      ? only
      : mixedWord('the output of one of several functions', printed);
  }
  return runProgram(head, argv, place, walker, extras, span);
}

/** What a command costs, as characters that are read. */
const CHARS_PER_COMMAND = 300;

function runProgram(
  head: Arg,
  argv: readonly Arg[],
  place: Place,
  walker: Walker,
  extras: CommandExtras | undefined,
  span: Call['span'],
): Word {
  const subcommand = dashedSubcommand(head.word);
  if (subcommand !== undefined) {
    const words = [textWord('git'), textWord(subcommand)];
    const git = words.map((word) => ({ word, span: head.span, at: undefined }));
    return walker.runCommand([...git, ...argv.slice(1)], place, extras);
  }
  if (!takeChars(walker.budget, CHARS_PER_COMMAND)) return unknownWord('the output of a command');
  const name = tableName(programName(head.word)) ?? conventionalName(head.word);
  const row = programRow(name, walker.context.programs);
  const spec = row?.spec;
  const args = argv.slice(1);
  const given = parseArguments(args, spec);
  const parsed = spec === undefined ? given : withoutWordsBesideHelp(given, specLevels(spec, given));
  const levels = spec === undefined ? undefined : specLevels(spec, parsed);
  const command = newDraft(head, name, args, parsed, place, walker, span);
  command.rows = levels ?? [];
  command.idle = levels !== undefined && isIdle(parsed, levels);
  command.added = row?.added === true;
  command.redirections = extras?.redirections ?? [];
  const index = walker.commands.push(command) - 1;
  addRedirectionEffects(command, command.redirections, walker);
  const call: Call = { command, index, args, parsed, place, span };
  const reader = programReader(name) ?? (row?.runs === undefined ? undefined : wrapperReader(row.runs));
  if (levels !== undefined) addTableEffects(call, levels, walker);
  else if (reader === undefined && name !== '') addMentions(call, walker);
  const printed = overNetwork(reader?.(call, walker), call, spec);
  if (levels !== undefined) finishNetwork(call, levels);
  if (name !== undefined && !place.remote && builds(name, parsed)) forgetTrees(filesOf(place.scope));
  if (name === undefined) noteUnknownProgram(head, call, walker);
  else if (leadingText(head.word).includes('/')) runFile(head, call, walker);
  else if (spec === undefined || programFamily(name) !== 'shell')
    runWrittenFile(head, name, spec === undefined && reader === undefined, call, walker);
  noteFetchedRuns(call, walker);
  addLoadedReads(call, walker);
  linkPrinted(call, walker);
  if (extras?.direct === true) runAlias(head, argv, place, walker);
  if (!place.captured) return EMPTY_WORD;
  return printedBy(
    index,
    printed ??
      unknownWord(`the output of ${name ?? showWord(head.word)}`, outputOrigins(call, spec?.output, walker)),
  );
}

function builds(name: string, { flags, operands }: Call['parsed']): boolean {
  const [first] = operands;
  const word = first === undefined ? undefined : (knownText(first.word) ?? '');
  return mayBuild(
    name,
    flags.map((flag) => flag.name),
    word,
  );
}

function newDraft(
  head: Arg,
  name: string | undefined,
  args: readonly Arg[],
  parsed: Call['parsed'],
  place: Place,
  walker: Walker,
  span: Call['span'],
): Draft {
  const known = knownText(head.word);
  return {
    name,
    program: head.word,
    programSpan:
      head.at === undefined || known === undefined
        ? undefined
        : { start: head.at, end: head.at + known.length },
    programPlace: head,
    args: args.map((arg) => arg.word),
    argPlaces: args,
    flags: parsed.flags,
    operands: parsed.operands.map((operand) => operand.word),
    subcommands: parsed.subcommands,
    rows: [],
    idle: false,
    added: false,
    uncertain: parsed.uncertain,
    openEnded: parsed.openEnded,
    assignments: assignmentsInForce(place, walker),
    redirections: [],
    input: place.input,
    output: undefined,
    feeds: [],
    fedBy: [],
    span,
    via: place.via,
    parent: place.parent,
    wrapper: false,
    privileged: place.privileged,
    remote: place.remote,
    mayGoUnseen: false,
    cwd: cwdOf(place.scope),
    effects: [],
    substitutions: place.substitutions,
  };
}

/** What another machine prints comes from there, as far as it is not known. */
function overNetwork(
  printed: Word | undefined,
  { command }: Call,
  spec: ProgramSpec | undefined,
): Word | undefined {
  if (printed === undefined || spec?.scheme !== 'ssh' || knownText(printed) !== undefined) return printed;
  const origins = boundedOrigins(
    command.effects.flatMap((effect) =>
      effect.type === 'network' ? [{ type: 'network' as const, source: effect.target }] : [],
    ),
  );
  return printed.map((part) => (part.type === 'unknown' ? { ...part, origins } : part));
}

const MAX_EXPORTS = 64;

function assignmentsInForce(place: Place, walker: Walker): readonly Assignment[] {
  if (walker.exported.size === 0) return place.environment;
  const found: Assignment[] = [];
  for (const name of walker.exported) {
    if (found.length >= MAX_EXPORTS) break;
    const variable = variableOf(place.scope, name);
    if (variable?.exported === true) found.push({ name, value: variable.values.at(-1) ?? EMPTY_WORD });
  }
  return [...found, ...place.environment];
}

/** `git-reset` is `git reset`, by its name or in the folder where git keeps it. */
function dashedSubcommand(program: Word): string | undefined {
  const known = knownText(program);
  const name =
    known === undefined ? undefined : /^(?:.*\/git-core\/|\/usr\/bin\/)?git-([a-z-]+)$/.exec(known)?.[1];
  const subcommands = name === undefined ? undefined : programSpec('git')?.subcommands;
  return name !== undefined && subcommands !== undefined && Object.hasOwn(subcommands, name)
    ? name
    : undefined;
}

/** Where file names have no case, `GIT` is git; elsewhere there is no such program. */
function tableName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (isGnuName(name)) return name.slice(1);
  if (!/[A-Z]/.test(name)) return name;
  const lower = name.toLowerCase();
  const spec = programSpec(lower);
  return spec !== undefined && spec === programSpec(name) ? lower : name;
}

/** `$SHELL` is a shell, whichever it is. */
function conventionalName(program: Word): string | undefined {
  const [only] = program;
  const isShell = program.length === 1 && only?.type === 'unknown' && only.variable === 'SHELL';
  return isShell ? 'sh' : undefined;
}

function noteUnknownProgram(head: Arg, call: Call, walker: Walker): void {
  const { word, span } = head;
  addRemoteCode(call.command, originsOf(word), span, walker);
  walker.gap('unknown_program', span, `Cannot tell which program "${showWord(word)}" is`);
  if (walker.fileAt(call, word) !== undefined) runFile(head, call, walker);
  // An unquoted variable may be empty: then the next word is the program.
  const [only] = word;
  const next = call.args[0];
  const mayVanish = word.length === 1 && only?.type === 'unknown' && only.splits;
  if (
    !mayVanish ||
    next === undefined ||
    programSpec(programName(next.word), walker.context.programs) === undefined
  )
    return;
  const via: readonly Via[] = [...call.place.via, { kind: 'wrapper', name: showWord(word) }];
  walker.runCommand(call.args, { ...call.place, via, parent: call.index });
}

/** Folders whose programs are what their names say. */
const PROGRAM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt\/homebrew|\/opt\/local|\/snap)?\/s?bin\/[^/]+$/;

/** A program named by its path: a file that is run. What the script itself put there is read. */
function runFile(head: Arg, call: Call, walker: Walker): void {
  const content = walker.fileAt(call, head.word);
  if (content === undefined && PROGRAM_FOLDER.test(knownText(head.word) ?? '')) return;
  walker.path(call.command, 'execute', head.word, { span: head.span });
  if (content === undefined) return;
  const via: readonly Via[] = [...call.place.via, { kind: 'source', name: showWord(head.word) }];
  const program = copiedProgram(content);
  if (program !== undefined)
    walker.runCommand([{ ...head, word: program }, ...call.args], { ...call.place, via, parent: call.index });
  const inner = { ...call.place, via, parent: call.index, scope: newScope('subshell', call.place.scope) };
  setLocal(inner.scope, '0', single(head.word));
  runFileText(call, head, content, inner, 'the file that is run', walker);
}

/** The program that a file is a copy of, or a link to. */
function copiedProgram(content: Word): Word | undefined {
  const [origin, ...others] = originsOf(content);
  if (origin?.type !== 'file' || others.length > 0 || content.length > 1) return undefined;
  return PROGRAM_FOLDER.test(knownText(origin.source) ?? '') ? origin.source : undefined;
}

/**
 * A program may be one that the script has put into a folder where programs are looked for. If no table has it, that may
 * be any folder.
 */
function runWrittenFile(head: Arg, name: string, isForeign: boolean, call: Call, walker: Walker): void {
  const path = name === '' ? undefined : filesOf(call.place.scope).named.get(name);
  if (path === undefined || !(isForeign || isLookedThrough(path.slice(0, path.lastIndexOf('/')), call)))
    return;
  runFile({ ...head, word: textWord(path) }, call, walker);
}

/** Is a folder one of those that programs are looked for in, as usual or because the script says so? */
function isLookedThrough(folder: string, { place }: Call): boolean {
  if (/(?:^|\/)s?bin$/.test(folder)) return true;
  const folders = variableOf(place.scope, 'PATH')?.values.at(-1) ?? EMPTY_WORD;
  return folders.some((part) => part.type === 'text' && part.text.split(':').includes(folder));
}

function callFunction(
  name: string,
  found: ShellFunction,
  argv: readonly Arg[],
  place: Place,
  walker: Walker,
): Word {
  const span = argv[0]?.span ?? { start: 0, end: 0 };
  const output = unknownWord(`the output of ${name}`);
  const around = place.calls.filter((call) => call.name === name);
  const [outer] = around;
  if (outer !== undefined && isForked(place, outer)) {
    walker.gap('too_deep', span, `The function "${name}" starts itself beside itself`);
    return output;
  }
  const given = argv.slice(1).map((arg) => arg.word);
  const start = outer === undefined ? undefined : startOf(given, around, place, walker);
  const same = around.find(
    (call) => start !== undefined && call.start !== undefined && stateCovers(call.start, start, walker),
  );
  if (same !== undefined) {
    same.repeats = true;
    return output;
  }
  if (!walker.enter(place, span, 0)) return output;
  const scope = newScope('function', place.scope);
  scope.positional = start?.args ?? given;
  for (const { name: variable, value } of place.environment) setLocal(scope, variable, single(value, true));
  const call: FunctionCall = { name, scope, substitutions: place.substitutions, start, repeats: false };
  const before = cwdOf(place.scope);
  walker.seen.add(found.node);
  const printed = walker.runBody(found.node.body, found.source, {
    ...place,
    scope,
    via: [...place.via, { kind: 'function', name }],
    calls: [...place.calls, call],
    depth: place.depth + 1,
    scriptDepth: place.scriptDepth + 1,
  });
  mergeReturns(scope, before);
  // What follows such a call was read as if the call had changed nothing.
  if (call.repeats && start !== undefined && !stateCovers(start, stateAt(start.args, place, walker), walker))
    walker.gap('too_deep', span, `The function "${name}" calls itself, and changes what it starts from`);
  return printed;
}

/** Where the text comes from that a command prints: its input, the files it reads, what it fetches. */
function outputOrigins(call: Call, output: ProgramSpec['output'], walker: Walker): readonly Origin[] {
  if (output === 'own') return [];
  const origins: Origin[] = [...originsOf(call.command.input ?? EMPTY_WORD)];
  for (const effect of call.command.effects) {
    if (effect.type === 'path' && effect.use === 'read' && output !== 'made') {
      const content = walker.fileAt(call, effect.written);
      if (content === undefined) origins.push({ type: 'file', source: effect.path });
      else origins.push(...originsOf(content));
    }
    // What the person has set up to be asked is no more foreign than other programs' output.
    if (effect.type === 'network' && effect.use !== 'listen' && effect.target.length > 0)
      origins.push({ type: 'network', source: effect.target });
  }
  return output === 'made' ? origins.filter(({ type }) => type !== 'file') : origins;
}
