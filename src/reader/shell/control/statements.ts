import type {
  AndOr,
  CommandNode,
  CompoundList,
  Pipeline,
  PipelineNode,
  Redirected as RedirectedNode,
  Statement,
} from 'unbash';
import { boundedWord, isExhausted, LIMITS, takeStep } from '../../reading/bounds.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  mixedWord,
  oneAfterTheOther,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { forEachExpansion } from '../expand/expand.ts';
import { spanIn } from '../parse/source.ts';
import { linkStages } from '../run/links.ts';
import { MAX_SUCCEEDED, ownCommands } from '../run/own-commands.ts';
import { type Redirected, readRedirections } from '../run/redirections.ts';
import { deliver, readRedirectionsOnly, readSimpleCommand } from '../run/simple-command.ts';
import type { CommandBuilder, Frame, Interpreter } from '../scope/interpreter.ts';
import {
  cwdOf,
  defineFunction,
  functionsOf,
  mayHaveStayed,
  mergeBranches,
  newScope,
  type Scope,
} from '../scope/scope.ts';
import { conditional, hasOption, hidden, type Standing } from '../scope/standing.ts';
import { readCompound } from './compound.ts';

/** Reads statements one after the other; returns what they print. */
export function readStatements(statements: readonly Statement[], frame: Frame): Word {
  const { interpreter } = frame;
  let printed: Word = EMPTY_WORD;
  const last = statements.at(-1);
  for (const statement of statements) {
    if (!takeStep(interpreter.budget) || isExhausted(interpreter.budget))
      return unknownWord('the output of a script');
    const scope = statement.background === true ? newScope('subshell', frame.scope) : frame.scope;
    const standing = standingOf(statement, statement === last, frame);
    const isSame = scope === frame.scope && standing === frame.standing;
    const inner = isSame ? frame : { ...frame, scope, standing };
    const before = cwdOf(scope);
    const output = readPipelineNode(statement.command, inner);
    if (mayFailToEnter(statement, before, scope, interpreter)) mayHaveStayed(scope, before);
    if (frame.captured) printed = boundedWord(joinWords(printed, output));
  }
  return printed;
}

/** What is certain of a statement of several: the status of the last is that of the script, or of one that ends it if it fails. */
function standingOf(
  { background, command }: Statement,
  isLast: boolean,
  { standing, scope }: Frame,
): Standing {
  if (background === true) return hidden(standing, 'background', false);
  if (isLast) return standing;
  const stops =
    command.type === 'AndOr' ? endsIfFailed(command) : standing.stops && hasOption(scope, 'errexit');
  return stops ? standing : hidden(standing, 'sequence');
}

/** `… || exit 1`: if anything before has failed, so has the script. */
function endsIfFailed({ commands, operators }: AndOr): boolean {
  const last = commands.at(-1);
  if (operators.at(-1) !== '||' || last?.type !== 'Command') return false;
  const { name, suffix, redirects, prefix } = last;
  const [code, ...others] = suffix;
  const isPlain = redirects.length === 0 && prefix.length === 0 && others.length === 0;
  const ends = /^(?:exit|return)$/.test(name?.text ?? '');
  return isPlain && ends && (code === undefined || ('text' in code && /^[1-9]\d?$/.test(code.text)));
}

/** How far back a folder is looked for that the script itself has made. */
const LOOKS_BACK = 32;

/** A `cd` on its own into a folder that need not be there: nothing keeps what follows from running where the shell was. */
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

/** Reads the body of a function. */
export function readBody(body: CommandNode | CompoundList, frame: Frame): Word {
  if (body.type === 'CompoundList') return readStatements(body.commands, frame);
  return readCommandNode(body, frame);
}

function readPipelineNode(node: PipelineNode | AndOr, frame: Frame): Word {
  if (node.type === 'AndOr') return readAndOr(node, frame);
  return node.type === 'Pipeline' ? readPipeline(node, frame) : readCommandNode(node, frame);
}

/** Commands that are asked a question: what follows `&&` may well not run. */
const QUESTIONS = new Set(
  '[ test grep egrep fgrep rg which type command hash false diff cmp pgrep'.split(' '),
);

/**
 * A list of `&&` and `||`. A directory change or an assignment before `&&` is taken to succeed; what is after a
 * question or after `||` may or may not run, so that variables keep their other values too.
 */
function readAndOr(node: AndOr, frame: Frame): Word {
  let scope: Scope = frame.scope;
  let before = cwdOf(scope);
  let printed: Word = EMPTY_WORD;
  const { interpreter } = frame;
  let { succeeded } = frame;
  const standings = standingsIn(node, frame);
  const branches: Scope[] = [];
  const merge = () => {
    for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
      mergeBranches(branch.parent ?? frame.scope, [branch], false);
    }
    scope = frame.scope;
  };
  for (const [index, command] of node.commands.entries()) {
    if (isExhausted(frame.interpreter.budget)) break;
    const operator = node.operators[index - 1];
    const previous = node.commands[index - 1];
    if (operator === '||') merge();
    const asked =
      operator === '&&' &&
      previous !== undefined &&
      (isQuestion(previous) || takesAway(command)) &&
      branches.length < LIMITS.scriptDepth;
    if (operator === '||' || asked) {
      scope = newScope('branch', scope);
      branches.push(scope);
      if (operator === '||') scope.cwd = before;
    }
    before = cwdOf(scope);
    if (operator === '||') succeeded = frame.succeeded;
    const start = interpreter.commands.length;
    const output = readPipelineNode(command, {
      ...frame,
      scope,
      succeeded,
      standing: standings[index] ?? frame.standing,
    });
    if (command.type === 'Command' && operator !== '||')
      succeeded = [...succeeded, ...ownCommands(start, frame)].slice(-MAX_SUCCEEDED);
    if (frame.captured)
      printed =
        operator === '||'
          ? output.length === 0 || printed.length === 0
            ? joinWords(printed, output)
            : mixedWord('the output of a command', [printed, output])
          : boundedWord(joinWords(printed, output));
  }
  merge();
  return printed;
}

/** What is certain of the commands of a list: behind the last `||` and what follows it, each must have succeeded. */
function standingsIn(node: AndOr, { standing }: Frame): readonly Standing[] {
  const ends = endsIfFailed(node);
  const or = ends ? -1 : node.operators.lastIndexOf('||');
  const last = node.commands.length - 1;
  return node.commands.map((_, index) => {
    const ran = index === 0 && standing.ran;
    if (ends && index === last) return { ...hidden(standing, 'or', false), isAfterFailure: true };
    if (index <= or + 1 && or >= 0) return hidden(standing, 'or', ran);
    const stops = index === last;
    return index === 0 ? { ...standing, stops: standing.stops && stops } : conditional(standing, stops);
  });
}

/** Does it take a function or an alias away? It may not be run, and what it takes away is still there then. */
function takesAway(node: PipelineNode): boolean {
  if (node.type !== 'Command') return false;
  const flagged = node.suffix.some((part) => 'text' in part && part.text.startsWith('-f'));
  return node.name?.value === 'unalias' || (node.name?.value === 'unset' && flagged);
}

function isQuestion(node: PipelineNode): boolean {
  if (node.type === 'Pipeline') {
    const last = node.commands.at(-1);
    return (
      node.prefixes.some((prefix) => prefix.type === 'Negation') || (last !== undefined && isQuestion(last))
    );
  }
  if (node.type === 'Command') return QUESTIONS.has(node.name?.value ?? '');
  return node.type === 'TestCommand' || node.type === 'ArithmeticCommand';
}

function readPipeline(node: Pipeline, frame: Frame): Word {
  const { interpreter } = frame;
  const commands = withTimeProgram(node);
  const [only] = commands;
  const isNegated = node.prefixes.some((prefix) => prefix.type === 'Negation');
  const standing = isNegated ? hidden(frame.standing, 'negation') : frame.standing;
  if (commands.length === 1 && only !== undefined)
    return readCommandNode(only, isNegated ? { ...frame, standing } : frame);
  const isOwn = hasOption(frame.scope, 'pipefail');
  let carried = frame.input;
  let stageBefore = interpreter.commands.length;
  for (const [index, command] of commands.entries()) {
    if (isExhausted(interpreter.budget)) return unknownWord('the output of a script');
    const start = interpreter.commands.length;
    const last = index === commands.length - 1;
    carried = readCommandNode(command, {
      ...frame,
      scope: newScope('subshell', frame.scope),
      input: carried,
      captured: last ? frame.captured : true,
      standing: last || isOwn ? standing : hidden(standing, 'pipe'),
      depth: frame.depth + 1,
    });
    if (index > 0) linkStages(stageBefore, start, frame.substitutions, interpreter);
    stageBefore = start;
  }
  return carried ?? EMPTY_WORD;
}

/**
 * The commands of a pipeline. `time -v x`: shells that have no keyword of this name run the program, and to others an
 * option that the keyword does not know would be the name of a program.
 */
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
    input: inputs.length === 0 ? frame.input : boundedWord(inputs.reduce(oneAfterTheOther)),
    captured: isCaptured ? true : frame.captured,
  };
  const printed = readCommandNode(node.command, inner);
  return found.map(([each, carrier]) => deliver(printed, each, carrier, frame)).at(-1) ?? printed;
}
