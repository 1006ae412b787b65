import { parseArguments } from './arguments.ts';
import { LIMITS, takeStep } from './bounds.ts';
import { addMentions, addTableEffects } from './effects.ts';
import { programSpec, subcommandSpec } from './knowledge/registry.ts';
import { programName } from './program-name.ts';
import { programReader } from './programs/registry.ts';
import type { Assignment, Via } from './reading.ts';
import { addRedirectionEffects } from './redirections.ts';
import {
  aliasOf,
  cwdOf,
  fileContent,
  functionOf,
  newScope,
  type ShellFunction,
  setLocal,
  single,
  variableOf,
} from './scope.ts';
import { addRemoteCode, runShellText } from './shell-text.ts';
import type { Arg, Call, CommandExtras, Draft, Place, Walker } from './walker.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  type Origin,
  originsOf,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from './word.ts';

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
  const defined = extras?.direct === true && known !== undefined ? functionOf(place.scope, known) : undefined;
  if (defined !== undefined && known !== undefined) return callFunction(known, defined, argv, place, walker);
  return runProgram(head, argv, place, walker, extras, span);
}

function spanOf(argv: readonly Arg[]): Call['span'] {
  const first = argv[0]?.span ?? { start: 0, end: 0 };
  return { start: first.start, end: Math.max(first.end, argv.at(-1)?.span.end ?? 0) };
}

function runProgram(
  head: Arg,
  argv: readonly Arg[],
  place: Place,
  walker: Walker,
  extras: CommandExtras | undefined,
  span: Call['span'],
): Word {
  const name = tableName(programName(head.word)) ?? conventionalName(head.word);
  const spec = programSpec(name);
  const args = argv.slice(1);
  const parsed = parseArguments(args, spec);
  const command = newDraft(head, name, args, parsed, place, walker, span);
  command.redirections = extras?.redirections ?? [];
  const index = walker.commands.push(command) - 1;
  addRedirectionEffects(command, command.redirections, walker);
  const call: Call = { command, index, args, parsed, place, span };
  const reader = programReader(name);
  if (spec !== undefined) addTableEffects(call, subcommandSpec(spec, parsed), walker);
  else if (reader === undefined && name !== '') addMentions(call, walker);
  const printed = reader?.(call, walker);
  if (name === undefined) noteUnknownProgram(head, call, walker);
  else if (leadingText(head.word).includes('/')) runFile(head, call, walker);
  if (extras?.direct === true) runAlias(head, argv, place, walker);
  if (!place.captured) return EMPTY_WORD;
  return (
    printed ??
    unknownWord(
      `the output of ${name ?? showWord(head.word)}`,
      spec?.output === 'own' ? [] : outputOrigins(call),
    )
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
    openEnded: parsed.openEnded,
    assignments: assignmentsInForce(place, walker),
    redirections: [],
    input: place.input,
    feeds: [],
    fedBy: [],
    span,
    via: place.via,
    parent: place.parent,
    wrapper: false,
    privileged: place.privileged,
    elsewhere: place.elsewhere,
    cwd: cwdOf(place.scope),
    effects: [],
    substitutions: place.substitutions,
  };
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

/** Where file names have no case, `GIT` is git; elsewhere there is no such program. */
function tableName(name: string | undefined): string | undefined {
  if (name === undefined || !/[A-Z]/.test(name)) return name;
  const lower = name.toLowerCase();
  const spec = programSpec(lower);
  return spec !== undefined && spec === programSpec(name) ? lower : name;
}

/** `$SHELL` is a shell, whichever it is. */
function conventionalName(program: Word): string | undefined {
  const [only] = program;
  const isShell =
    program.length === 1 &&
    only?.type === 'unknown' &&
    (only.variable === 'SHELL' || only.variable === 'BASH');
  return isShell ? 'sh' : undefined;
}

function noteUnknownProgram(head: Arg, call: Call, walker: Walker): void {
  const { word, span } = head;
  addRemoteCode(call.command, originsOf(word), span);
  walker.gap('unknown_program', span, `Cannot tell which program "${showWord(word)}" is`);
  // An unquoted variable may be empty: then the next word is the program.
  const [only] = word;
  const next = call.args[0];
  const mayVanish = word.length === 1 && only?.type === 'unknown' && only.splits;
  if (!mayVanish || next === undefined || programSpec(programName(next.word)) === undefined) return;
  const via: readonly Via[] = [...call.place.via, { kind: 'wrapper', name: showWord(word) }];
  walker.runCommand(call.args, { ...call.place, via, parent: call.index });
}

/** Folders whose programs are what their names say. */
const PROGRAM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt\/homebrew|\/opt\/local|\/snap)?\/s?bin\/[^/]+$/;

/** A program named by its path: a file that is run. What the script itself put there is read. */
function runFile(head: Arg, call: Call, walker: Walker): void {
  if (PROGRAM_FOLDER.test(knownText(head.word) ?? '')) return;
  walker.path(call.command, 'execute', head.word, { span: head.span });
  const content = fileContent(call.place.scope, walker.resolve(head.word, call.command));
  if (content === undefined) return;
  const via: readonly Via[] = [...call.place.via, { kind: 'source', name: showWord(head.word) }];
  const inner = { ...call.place, via, parent: call.index, scope: newScope('subshell', call.place.scope) };
  runShellText(
    call,
    { word: content, span: head.span, at: undefined },
    inner,
    'the file that is run',
    walker,
  );
}

/** Shells expand aliases only when they are interactive: both readings are listed. */
function runAlias(head: Arg, argv: readonly Arg[], place: Place, walker: Walker): void {
  const name = knownText(head.word);
  const text = name === undefined ? undefined : aliasOf(place.scope, name);
  if (name === undefined || text === undefined) return;
  if (place.via.some((via) => via.kind === 'alias' && via.name === name)) return;
  let script: Word = textWord(text);
  for (const arg of argv.slice(1)) script = joinWords(joinWords(script, textWord(' ')), quoted(arg.word));
  const via: readonly Via[] = [...place.via, { kind: 'alias', name }];
  walker.runScript({ word: script, span: spanOf(argv), at: undefined }, { ...place, via });
}

/** A word as it must be written in a script to stay one word. */
function quoted(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(`'${known.replaceAll("'", "'\\''")}'`);
}

function callFunction(
  name: string,
  found: ShellFunction,
  argv: readonly Arg[],
  place: Place,
  walker: Walker,
): Word {
  const span = argv[0]?.span ?? { start: 0, end: 0 };
  if (place.calls.includes(name)) {
    walker.gap('too_deep', span, `The function "${name}" calls itself`);
    return unknownWord(`the output of ${name}`);
  }
  if (!walker.enter(place, span, 0)) return unknownWord(`the output of ${name}`);
  const scope = newScope('function', place.scope);
  scope.positional = argv.slice(1).map((arg) => arg.word);
  for (const { name: variable, value } of place.environment) setLocal(scope, variable, single(value, true));
  return walker.runBody(found.node.body, found.source, {
    ...place,
    scope,
    via: [...place.via, { kind: 'function', name }],
    calls: [...place.calls, name],
    depth: place.depth + 1,
    scriptDepth: place.scriptDepth + 1,
  });
}

/** Where the text comes from that a command prints: its input, the files it reads, what it fetches. */
function outputOrigins(call: Call): readonly Origin[] {
  const origins: Origin[] = [...originsOf(call.command.input ?? EMPTY_WORD)];
  for (const effect of call.command.effects) {
    if (effect.type === 'path' && effect.use === 'read') origins.push({ type: 'file', source: effect.path });
    if (effect.type === 'network' && effect.use !== 'listen')
      origins.push({ type: 'network', source: effect.target });
  }
  return origins;
}
