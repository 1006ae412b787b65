import type { Command, Command as SyntaxCommand } from 'unbash';
import { isExhausted } from '../../reading/bounds.ts';
import { resolvePath } from '../../reading/path.ts';
import type { Assignment } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  isBlank,
  joinWords,
  mixedWord,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { assign, assignedValue, noteEvaluated, undoAssignments, withVariables } from '../expand/assign.ts';
import { expandArgument, forEachExpansion } from '../expand/expand.ts';
import type { Expansion } from '../expand/expansion.ts';
import { type Source, spanIn } from '../parse/source.ts';
import { either, type KnownSuccesses, setOutcome } from '../scope/flow.ts';
import type { Arg, CommandBuilder, Frame, Interpreter } from '../scope/interpreter.ts';
import { hideStatus } from '../scope/run-certainty.ts';
import { certaintyOf, changeDirectory, cwdOf, filesOf } from '../scope/scope.ts';
import { contentAt, keepContentAt } from '../scope/written-files.ts';
import { linkSubstitutions } from './links.ts';
import { sendText } from './network-effects.ts';
import {
  isConnection,
  mayFail,
  type Redirected,
  readRedirections,
  rememberDescriptors,
} from './redirections.ts';

/** Reads a simple command, once for every combination of the values that its words may have. Returns its output. */
export function readSimpleCommand(node: SyntaxCommand, frame: Frame): Word {
  noteMisread(node, frame.source, frame.interpreter);
  const { scope } = frame;
  const before = cwdOf(scope);
  const { flow, interpreter } = frame;
  const { commands } = interpreter;
  const start = commands.length;
  const { known } = flow;
  let [yes, no]: [KnownSuccesses, KnownSuccesses] = ['never', 'never'];
  const after: Word[] = [];
  const printed: Word[] = [];
  forEachExpansion(frame, (expansion) => {
    const { choices } = expansion;
    if (choices.combination > 1) {
      undoAssignments(choices);
      if (cwdOf(scope) !== before) changeDirectory(scope, before);
    }
    flow.known = known;
    printed.push(readOnce(node, expansion));
    yes = either(yes, flow.succeeded);
    no = either(no, flow.failed);
    after.push(cwdOf(scope));
  });
  setOutcome(flow, yes, no);
  const [first = EMPTY_WORD] = printed;
  if (printed.length === 1) return first;
  // Nobody knows which one of them it is.
  for (const command of commands.slice(start))
    command.certainty = { ...hideStatus(frame.runCertainty, 'condition', false), own: false };
  if (new Set(after.map(showWord)).size > 1) changeDirectory(scope, unknownWord('$PWD'));
  return frame.captured ? mixedWord('the output of one of several commands', printed) : EMPTY_WORD;
}

function readOnce(node: SyntaxCommand, frame: Expansion): Word {
  const { source, interpreter } = frame;
  const firstInside = interpreter.commands.length;
  const argv: Arg[] = [];
  let end: number | undefined;
  for (const argument of node.name === undefined ? node.suffix : [node.name, ...node.suffix]) {
    if (isExhausted(interpreter.budget)) break;
    const first = argv.length;
    if (argument.type === 'Word') expandArgument(argument, frame, argv);
    else if (argument.type === 'Assignment') argv.push(declaration(argument, frame));
    // `--file=<(date)` is two words to the parser.
    if (argument.pos === end) joinArguments(argv, first);
    end = argument.end;
  }
  const redirected = readRedirections(node.redirects, frame);
  if (argv.length === 0) return readWithoutProgram(node, redirected, frame);
  const environment = prefixOf(node, frame);
  const index = interpreter.commands.length;
  const span = spanIn(source, node.pos, node.end);
  const isBare = environment.length === 0 && redirected.redirections.length === 0;
  const inner = {
    environment: [...frame.environment, ...environment],
    input: redirected.input ?? frame.input,
    captured: redirected.output === undefined ? frame.captured : true,
  };
  const extras = { redirections: redirected.redirections, span, direct: true };
  const printed = interpreter.runCommand(argv, isBare ? frame : { ...frame, ...inner }, extras);
  if (index > firstInside) linkSubstitutions(firstInside, index, interpreter);
  if (redirected.redirections.length === 0) return printed;
  if (mayFail(redirected.redirections)) frame.flow.failed = either(frame.flow.failed, frame.flow.known);
  const command = interpreter.commands[index];
  // A function takes no redirections itself.
  const isTaken = command?.redirections === redirected.redirections;
  const carrier = isTaken ? command : readRedirectionsOnly(redirected, span, frame);
  if (isExecAlone(carrier)) rememberDescriptors(redirected, carrier, frame);
  return deliver(printed, redirected, carrier, frame);
}

/** Makes one argument of two that nothing is between; `at` is where the second is. */
function joinArguments(argv: Arg[], at: number): void {
  const [before, after] = [argv[at - 1], argv[at]];
  if (before === undefined || after === undefined) return;
  const span = { start: before.span.start, end: after.span.end };
  argv.splice(at - 1, 2, { word: joinWords(before.word, after.word), span });
}

/** `exec > file`: the redirections hold for the next commands. */
function isExecAlone(command: CommandBuilder | undefined): command is CommandBuilder {
  return command?.name === 'exec' && command.operands.length === 0;
}

/** `A=1 B=2` before a program. */
function prefixOf(node: SyntaxCommand, frame: Expansion): readonly Assignment[] {
  const found: Assignment[] = [];
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') continue;
    const inner = withVariables({ ...frame, environment: found });
    const { value } = assignedValue(item, inner);
    noteEvaluated(item.name, value, inner);
    found.push({ name: item.name, value });
  }
  return found;
}

/** `export A=1`, `declare A=(1 2)`: the builtin's reader sets the variables of the word, arrays are set here. */
function declaration(
  assignment: Extract<SyntaxCommand['suffix'][number], { type: 'Assignment' }>,
  frame: Expansion,
): Arg {
  const span = spanIn(frame.source, assignment.pos, assignment.end);
  const { value, elements, arrays } = assignedValue(assignment, frame);
  if (elements === undefined && arrays === undefined) {
    return { word: joinWords(textWord(`${assignment.name}=`), value), span };
  }
  assign(frame, assignment.name, value, elements, { arrays });
  return { word: textWord(assignment.name), span };
}

/** Assignments and redirections on their own. */
function readWithoutProgram(node: SyntaxCommand, redirected: Redirected, frame: Expansion): Word {
  const { source, interpreter, flow } = frame;
  const { known } = flow;
  flow.substituted = undefined;
  for (const item of node.prefix) {
    if (isExhausted(interpreter.budget)) break;
    if (item.type !== 'Assignment') continue;
    const { value, elements, arrays } = assignedValue(item, frame);
    assign(frame, item.name, value, elements, { arrays });
  }
  const { succeeded, failed } = flow.substituted ?? { succeeded: known, failed: known };
  setOutcome(flow, succeeded, failed);
  if (redirected.redirections.length === 0) return EMPTY_WORD;
  const carrier = readRedirectionsOnly(redirected, spanIn(source, node.pos, node.end), frame);
  return deliver(redirected.input ?? EMPTY_WORD, redirected, carrier, frame);
}

/**
 * Adds redirections without a program, as of a compound command. Returns the command listed for them; undefined if they use no
 * files.
 */
export function readRedirectionsOnly(
  redirected: Redirected,
  span: { readonly start: number; readonly end: number },
  frame: Frame,
): CommandBuilder | undefined {
  const { interpreter } = frame;
  const { redirections } = redirected;
  const usesFiles = redirections.some(({ kind }) => kind !== 'duplicate' && !kind.startsWith('here'));
  if (!usesFiles) return undefined;
  const nameless: Arg = { word: EMPTY_WORD, span };
  const input = redirected.input ?? frame.input;
  const index = interpreter.commands.length;
  interpreter.runCommand(
    [nameless],
    { ...frame, input, captured: false },
    { redirections, span, direct: false },
  );
  return interpreter.commands[index];
}

/**
 * Delivers the output of a command: into a file that is remembered, or to the caller.
 *
 * @param carrier the command that carries the redirections: the emptying of a file is its effect
 */
export function deliver(
  printed: Word,
  { redirections, output, append }: Redirected,
  carrier: CommandBuilder | undefined,
  frame: Frame,
): Word {
  const { interpreter } = frame;
  if (output === undefined) return printed;
  if (output.length === 0) return EMPTY_WORD;
  if (carrier !== undefined) sendText(carrier, isConnection(output) ? printed : undefined);
  const path = resolvePath(output, { cwd: cwdOf(frame.scope), home: interpreter.context.home });
  const files = filesOf(frame.scope);
  const { budget } = interpreter;
  const before = append ? contentAt(files, path, budget) : undefined;
  // The output of the commands behind `exec > file` goes there too.
  const staysOpen = isExecAlone(carrier);
  const added = staysOpen ? unknownWord('what is printed') : printed;
  if (carrier !== undefined) carrier.output = added;
  const content = before === undefined ? added : joinWords(before, added);
  const certainty = append ? 'certain' : certaintyOf(frame.scope);
  keepContentAt(files, path, content, { certainty, budget });
  const span = redirections.findLast(({ target }) => target === output)?.span;
  const options = span === undefined ? {} : { span };
  // After `exec > file` later output goes there: nobody knows which, but the old content is gone.
  const left = staysOpen ? EMPTY_WORD : printed;
  if (carrier !== undefined && !append && isBlank(left)) interpreter.path(carrier, 'empty', output, options);
  return EMPTY_WORD;
}

/** Says where the parser takes a simple command for another one than shells do. */
function noteMisread(
  { prefix, name, suffix, redirects }: Command,
  source: Source,
  interpreter: Interpreter,
): void {
  const note = (start: number, end: number, message: string) =>
    interpreter.gap('syntax', spanIn(source, start, end), message);
  if (name !== undefined) {
    // `ls ( x`: no shell takes it, but the parser passes over the parenthesis.
    const isWritten = source.text.startsWith(name.text, name.pos);
    if (isWritten && source.text[afterBlanks(source.text, name.end)] === '(')
      note(name.end, source.text.length, 'Cannot parse the command to its end: unexpected token "("');
    // A brace that nothing closes: the parser ended an expansion too early.
    if (/^\{[^}\s]+$/.test(name.text)) note(name.pos, name.end, `Cannot read the name "${name.text}"`);
  }
  if (redirects.length === 0 && prefix.length === 0) return;
  // `> <(date)] program`, `x=<(date) program`: to the parser, the text behind the target is a word of its own.
  const ends = new Set([...redirects, ...prefix].map(({ end }) => end));
  for (const { type, pos, end } of [...prefix, ...(name === undefined ? [] : [name]), ...suffix])
    if (ends.has(pos) && (type === 'Word' || type === 'Assignment'))
      note(pos, end, 'Cannot read what is attached to a redirection or an assignment');
}

/** The end of the blanks and continued lines that start at a place. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === ' ' || text[at] === '\t') at++;
    else if (text[at] === '\\' && text[at + 1] === '\n') at += 2;
    else return at;
  }
}
