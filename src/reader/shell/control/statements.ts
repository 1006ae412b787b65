import type {
  AndOr,
  CommandNode,
  CompoundList,
  Pipeline,
  PipelineNode,
  Redirected as RedirectedNode,
  Statement,
} from 'unbash';
import { boundedWord, isExhausted, takeStep } from '../../reading/bounds.ts';
import { EMPTY_WORD, eitherText, joinWords, knownText, unknownWord, type Word } from '../../reading/word.ts';
import { forEachExpansion } from '../expand/expand.ts';
import { spanIn } from '../parse/source.ts';
import { linkStages, MAX_LINKS } from '../run/links.ts';
import { mayFail, type Redirected, readRedirections } from '../run/redirections.ts';
import { deliver, readRedirectionsOnly, readSimpleCommand } from '../run/simple-command.ts';
import { type BranchOutcome, both, either, newFlow, outcomeOf, setOutcome } from '../scope/flow.ts';
import type { CommandBuilder, Frame, Interpreter } from '../scope/interpreter.ts';
import { hideStatus, ignoringErrexit, noteEnd, optionOf, type RunCertainty } from '../scope/run-certainty.ts';
import { cwdOf, defineFunction, functionsOf, mayHaveStayed, newScope, type Scope } from '../scope/scope.ts';
import { readAndOr } from './and-or.ts';
import { readCompound } from './compound.ts';

/** Reads statements one after the other; returns their output. */
export function readStatements(statements: readonly Statement[], frame: Frame): Word {
  const { interpreter, flow } = frame;
  let printed: Word = EMPTY_WORD;
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined) setOutcome(flow, flow.known, flow.known);
  for (const statement of statements) {
    if (!takeStep(interpreter.budget) || isExhausted(interpreter.budget))
      return unknownWord('the output of a script');
    const scope = statement.background === true ? newScope('subshell', frame.scope) : frame.scope;
    const runCertainty = certaintyOf(statement, statement === last, frame);
    if (statement !== first) flow.known = either(flow.succeeded, flow.failed);
    const { known } = flow;
    const isSame = scope === frame.scope && runCertainty === frame.runCertainty;
    const inner = isSame ? frame : { ...frame, scope, runCertainty };
    const before = cwdOf(scope);
    const output =
      statement.background === true
        ? readPipelineNode(statement.command, { ...inner, flow: newFlow(known) })
        : readPipelineNode(statement.command, inner);
    if (statement.background === true) setOutcome(flow, known, known);
    if (mayFailToEnter(statement, before, scope, interpreter)) mayHaveStayed(scope, before);
    if (frame.captured) printed = boundedWord(joinWords(printed, output));
  }
  return printed;
}

/** The reasons that may hide the status of a statement of several: only that of the last is that of the script. */
function certaintyOf({ background }: Statement, isLast: boolean, { runCertainty }: Frame): RunCertainty {
  if (background === true) return hideStatus(runCertainty, 'background', false);
  return isLast ? runCertainty : hideStatus(runCertainty, 'sequence');
}

/** The commands that `set -e` checks: another group may have failed by a command that it does not check. */
const STOPPING: ReadonlySet<CommandNode['type']> = new Set([
  'Command',
  'Subshell',
  'TestCommand',
  'ArithmeticCommand',
]);

/** `set -e`: a command that has failed has ended its shell. */
function stopIfFailed(wasSet: ReturnType<typeof optionOf>, { flow, runCertainty, scope }: Frame): void {
  const isSet = optionOf(scope, 'errexit');
  if (!runCertainty.errexitApplies || flow.failed === 'never' || wasSet === false || isSet === false) return;
  noteEnd(scope, 'failed');
  if (wasSet === true && isSet === true) flow.failed = 'never';
}

/** How far back a folder is looked for that the script itself has made. */
const LOOKS_BACK = 32;

/** A `cd` on its own into a folder that need not be there: nothing keeps the next commands from running in the old folder. */
function mayFailToEnter(
  { command }: Statement,
  before: Word,
  scope: Scope,
  interpreter: Interpreter,
): boolean {
  if (interpreter.stopsOnErrors || command.type !== 'Command' || command.name?.value !== 'cd') return false;
  const from = knownText(before);
  const to = knownText(cwdOf(scope));
  if (from === undefined || to === undefined || `${from}/`.startsWith(`${to}/`) || /^\/(?:tmp)?$/.test(to))
    return false;
  return !interpreter.commands
    .slice(-LOOKS_BACK)
    .some(({ effects }) =>
      effects.some(
        (effect) => effect.type === 'path' && effect.use === 'write' && knownText(effect.path) === to,
      ),
    );
}

export function readBody(body: CommandNode | CompoundList, frame: Frame): Word {
  if (body.type === 'CompoundList') return readStatements(body.commands, frame);
  return readCommandNode(body, frame);
}

function readPipelineNode(node: PipelineNode | AndOr, frame: Frame): Word {
  if (node.type === 'AndOr') return readAndOr(node, frame, readPipelineNode);
  if (node.type === 'Pipeline') return readPipeline(node, frame);
  const stops = optionOf(frame.scope, 'errexit');
  const printed = readCommandNode(node, frame);
  if (STOPPING.has(node.type)) stopIfFailed(stops, frame);
  const { succeeded, failed } = frame.flow;
  frame.flow.stages = node.type === 'Command' ? [{ succeeded, failed }] : [];
  return printed;
}

function readPipeline(node: Pipeline, frame: Frame): Word {
  const { interpreter } = frame;
  const commands = withTimeProgram(node);
  const [only] = commands;
  const { flow } = frame;
  const isNegated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  const isAnyNegated = node.prefixes.some((prefix) => prefix.type === 'Negation');
  const runCertainty = isAnyNegated
    ? ignoringErrexit(hideStatus(frame.runCertainty, 'negation'))
    : frame.runCertainty;
  const inner = isAnyNegated ? { ...frame, runCertainty } : frame;
  if (commands.length === 1 && only !== undefined) {
    const printed = readPipelineNode(only, inner);
    if (isNegated) setOutcome(flow, flow.failed, flow.succeeded);
    return printed;
  }
  const { known } = flow;
  const stages: BranchOutcome[] = [];
  let succeeded = known;
  const stops = optionOf(frame.scope, 'errexit');
  const isOwn = optionOf(frame.scope, 'pipefail') === true;
  let carried = frame.input;
  const begin = interpreter.commands.length;
  let stageBefore = begin;
  for (const [index, command] of commands.entries()) {
    if (isExhausted(interpreter.budget)) return unknownWord('the output of a script');
    const start = interpreter.commands.length;
    const last = index === commands.length - 1;
    const inside = newFlow(known);
    carried = readPipelineNode(command, {
      ...frame,
      flow: inside,
      scope: newScope('subshell', frame.scope),
      input: carried,
      captured: last ? frame.captured : true,
      runCertainty: last || isOwn ? runCertainty : hideStatus(runCertainty, 'pipe'),
      depth: frame.depth + 1,
    });
    if (index > 0) linkStages(stageBefore, start, frame.substitutions, interpreter);
    stageBefore = start;
    const outcome = outcomeOf(inside, known);
    stages.push(outcome);
    // The stages in front run beside this one: of few commands it is known which those are.
    if (start - begin > MAX_LINKS) succeeded = isOwn ? succeeded : known;
    else if (last || isOwn) succeeded = both(succeeded, outcome.succeeded);
  }
  if (isNegated) setOutcome(flow, known, succeeded);
  else setOutcome(flow, succeeded, known);
  flow.stages = stages;
  stopIfFailed(stops, inner);
  return carried ?? EMPTY_WORD;
}

/** The commands of a pipeline. `time -v x`: some shells run a program of this name, or a program named like the option. */
function withTimeProgram({ commands, prefixes }: Pipeline): Pipeline['commands'] {
  const [first, ...others] = commands;
  const prefix = prefixes.at(-1);
  if (prefix?.type !== 'Time' || first?.type !== 'Command' || first.name === undefined) return commands;
  if (first.prefix.length > 0 || !first.name.text.startsWith('-')) return commands;
  const { pos, keywordEnd, posix } = prefix;
  const name = { type: 'Word', text: 'time', value: 'time', pos, end: keywordEnd } as const;
  const portable = posix === undefined ? [] : [{ type: 'Word', text: '-p', value: '-p', ...posix } as const];
  // The parser's nodes do not have all of their fields as their own.
  const { type, end, prefix: assignments, redirects } = first;
  const suffix = [...portable, first.name, ...first.suffix];
  const args = [...portable, first.name, ...first.args];
  return [{ type, pos, end, prefix: assignments, name, suffix, args, redirects }, ...others];
}

function readCommandNode(node: CommandNode, frame: Frame): Word {
  if (node.type === 'Command') return readSimpleCommand(node, frame);
  const { source, interpreter } = frame;
  if (!takeStep(interpreter.budget)) return unknownWord('the output of a command');
  if (!interpreter.enter(frame, spanIn(source, node.pos, node.end), 0))
    return unknownWord('the output of a command');
  const inner = { ...frame, depth: frame.depth + 1 };
  switch (node.type) {
    case 'Redirected':
      return readRedirected(node, inner);
    case 'Function': {
      const before = functionsOf(frame.scope, node.name.value);
      const exported = interpreter.exportsAll || before.some((each) => each.exported === true);
      defineFunction(frame.scope, node.name.value, { node, source, exported });
      setOutcome(frame.flow, frame.flow.known, frame.flow.known);
      if (node.name.value === 'command_not_found_handle')
        interpreter.gap(
          'unknown_script',
          spanIn(source, node.pos, node.end),
          'Cannot tell which commands are not found',
        );
      return EMPTY_WORD;
    }
    case 'Coproc':
      interpreter.gap('unknown_script', spanIn(source, node.pos, node.end), 'Cannot follow a coprocess');
      return EMPTY_WORD;
    default:
      return readCompound(node, inner);
  }
}

/** Redirections of a compound command apply to everything inside. */
function readRedirected(node: RedirectedNode, frame: Frame): Word {
  const span = spanIn(
    frame.source,
    node.redirects[0]?.pos ?? node.pos,
    node.redirects.at(-1)?.end ?? node.end,
  );
  const found: (readonly [Redirected, CommandBuilder | undefined])[] = [];
  forEachExpansion(frame, (expansion) => {
    const each = readRedirections(node.redirects, expansion);
    found.push([each, readRedirectionsOnly(each, span, frame)]);
  });
  const inputs = found.flatMap(([{ input }]) => (input === undefined ? [] : [input]));
  const isCaptured = found.some(([{ output }]) => output !== undefined);
  const inner = {
    ...frame,
    input: inputs.length === 0 ? frame.input : boundedWord(inputs.reduce(eitherText)),
    captured: isCaptured ? true : frame.captured,
  };
  const { flow } = frame;
  const { known } = flow;
  const isCertain = !found.some(([{ redirections }]) => mayFail(redirections));
  const runCertainty = isCertain ? frame.runCertainty : { ...frame.runCertainty, ran: false };
  const printed = readCommandNode(node.command, { ...inner, runCertainty });
  if (!isCertain) flow.failed = either(flow.failed, known);
  return found.map(([each, carrier]) => deliver(printed, each, carrier, frame)).at(-1) ?? printed;
}
