import type {
  ArithmeticExpression,
  ArithmeticFor,
  Case,
  Command,
  CompoundCommand,
  CompoundList,
  For,
  If,
  Select,
  Statement,
  SyntaxNode,
  While,
} from 'unbash';
import { boundedWord } from '../../reading/bounds.ts';
import {
  EMPTY_WORD,
  joinWords,
  mixedWord,
  outsideVariable,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { runSum } from '../expand/arithmetic.ts';
import { noteEvaluated } from '../expand/assign.ts';
import { expandArgument, expandToOneWord, forEachExpansion } from '../expand/expand.ts';
import { runRest } from '../expand/expand-parts.ts';
import { spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import { either, enter, type KnownSuccesses, newFlow, outcomeOf, setOutcome } from '../scope/flow.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';
import { mergeBranches, mergeState } from '../scope/merge-scopes.ts';
import { hideStatus, ignoringErrexit } from '../scope/run-certainty.ts';
import { copyOf, newScope, positionalOf, type Scope, setVariable, variableOf } from '../scope/scope.ts';
import { isForkingLoop } from './endless-loop.ts';
import { readTest } from './read-test.ts';

/** Reads a group, a conditional, a loop or a test; returns its output. */
export function readCompound(node: CompoundCommand, frame: Frame): Word {
  switch (node.type) {
    case 'BraceGroup':
      return readBlock(node.body, frame);
    case 'Subshell': {
      noteDocumentInSum(node, frame);
      const { flow } = frame;
      const inside = newFlow(flow.known);
      const printed = readBlock(node.body, {
        ...frame,
        flow: inside,
        scope: newScope('subshell', frame.scope),
      });
      const { succeeded, failed } = outcomeOf(inside, flow.known);
      setOutcome(flow, succeeded, failed);
      return printed;
    }
    case 'If':
      return readIf(node, frame);
    case 'While':
      noteForks(node, frame);
      return inRounds(frame, (inner) => readLoop(node.body.commands, inner, node));
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) compute(part, frame);
      noteForks(node, frame);
      return inRounds(frame, (inner) => readLoop(node.body.commands, inner));
    case 'For':
    case 'Select':
      return inRounds(frame, (inner) => readFor(node, inner));
    case 'Case':
      return readCase(node, frame);
    case 'TestCommand':
      return readTest(node.expression, spanIn(frame.source, node.pos, node.end), frame);
    case 'ArithmeticCommand':
      compute(node.expression, frame);
      setOutcome(frame.flow, frame.flow.known, frame.flow.known);
      return EMPTY_WORD;
    default:
      return node satisfies never;
  }
}

/** `((` is read as a sum first: of a here-document in it bash then takes the lines for commands. */
function noteDocumentInSum({ pos, end }: SyntaxNode, { source, interpreter }: Frame): void {
  if (!source.text.startsWith('((', pos) || !source.text.slice(pos, end).includes('<<')) return;
  interpreter.gap('syntax', spanIn(source, pos, end), 'Cannot read a here-document behind "(("');
}

/** Notes a loop that starts processes without end: nobody can say which work they do. */
function noteForks(node: While | ArithmeticFor, frame: Frame): void {
  if (!isForkingLoop(node, frame)) return;
  const span = spanIn(frame.source, node.pos, node.end);
  frame.interpreter.gap(
    'too_deep',
    span,
    'A loop without an end starts more and more programs and waits for none',
  );
}

/** A round of a loop knows nothing of the commands before the loop: another round may have come in between. */
function inRounds(frame: Frame, read: (frame: Frame) => Word): Word {
  const { flow } = frame;
  const { known, loop } = flow;
  flow.loop = {};
  enter(flow, { succeeded: undefined, failed: undefined });
  const printed = read(frame);
  flow.loop = loop;
  setOutcome(flow, known, known);
  return printed;
}

/** The frame of a body in a conditional or a loop: it may not run, and its status need not be that of the script. */
function inCondition(frame: Frame): Frame {
  return { ...frame, runCertainty: hideStatus(frame.runCertainty, 'condition', false) };
}

function readIf(node: If, around: Frame): Word {
  const frame = inCondition(around);
  const branches: Scope[] = [];
  const printed: Word[] = [];
  const branch = (list: CompoundList) => {
    const scope = newScope('branch', frame.scope);
    branches.push(scope);
    printed.push(readBlock(list, { ...frame, scope }));
  };
  const { flow } = frame;
  let [yes, no]: [KnownSuccesses, KnownSuccesses] = ['never', 'never'];
  const noteBranch = () => {
    yes = either(yes, flow.succeeded);
    no = either(no, flow.failed);
  };
  for (const { clause, then } of [node, ...node.elif]) {
    const { ran } = clause === node.clause ? around.runCertainty : frame.runCertainty;
    readBlock(clause, {
      ...frame,
      runCertainty: ignoringErrexit({ ...frame.runCertainty, ran }),
      captured: false,
    });
    const { succeeded, failed } = flow;
    enter(flow, { succeeded, failed: 'never' });
    branch(then);
    noteBranch();
    enter(flow, { succeeded: 'never', failed });
  }
  if (node.else === undefined) yes = either(yes, flow.known);
  else {
    branch(node.else);
    noteBranch();
  }
  setOutcome(flow, yes, no);
  mergeBranches(frame.scope, branches, node.else !== undefined);
  return mixedWord('the output of a conditional', printed);
}

/** A loop whose rounds are not known: a variable that it sets may have its old value or one of an earlier round. */
function readLoop(body: readonly Statement[], around: Frame, conditional?: While): Word {
  const clause = conditional?.clause.commands ?? [];
  const statements = [...clause, ...body];
  const frame = inCondition(around);
  const scope = newScope('branch', frame.scope);
  for (const name of assignedNames(statements)) {
    const before = variableOf(frame.scope, name);
    if (before === undefined) continue;
    setVariable(scope, name, { ...before, values: [...before.values, unknownWord(`$${name}`)] });
  }
  const { flow } = frame;
  const inner = { ...frame, scope };
  const asked = frame.interpreter.runStatements(clause, {
    ...inner,
    runCertainty: ignoringErrexit(inner.runCertainty),
  });
  const { succeeded, failed } = flow;
  if (conditional?.kind === 'while') enter(flow, { succeeded, failed: 'never' });
  if (conditional?.kind === 'until') enter(flow, { succeeded: 'never', failed });
  const printed = frame.interpreter.runStatements(body, inner);
  mergeBranches(frame.scope, [scope], false);
  return mixedWord('the output of a loop', clause.length === 0 ? [printed] : [asked, printed]);
}

/** How many rounds of a loop are read one by one where they depend on each other, or something is substituted in each. */
const MAX_ROUNDS = 16;

function readFor(node: For | Select, around: Frame): Word {
  const frame = inCondition(around);
  const { source, interpreter } = frame;
  const { left } = frame.scope;
  const values = valuesOf(node, frame);
  const { commands } = node.body;
  const mayBeEmpty = values.every((value) => value.some(({ type }) => type === 'unknown'));
  const before = mayBeEmpty ? copyOf(frame.scope) : undefined;
  const substitutes = /\$\(|`/.test(source.text.slice(node.body.pos, node.body.end));
  const dependent = (substitutes || assignedNames(commands).size > 0) && values.length <= MAX_ROUNDS;
  const rounds = dependent ? values.map((value) => [value]) : values.length > 0 ? [values] : [];
  if (rounds.length === 0) interpreter.seen.add(node.body);
  let printed: Word = EMPTY_WORD;
  for (const round of rounds) {
    for (const value of round) noteEvaluated(node.name.value, value, frame);
    setVariable(frame.scope, node.name.value, { values: round, elements: undefined, exported: false });
    const output = interpreter.runStatements(commands, frame);
    if (frame.captured) printed = boundedWord(joinWords(printed, output));
  }
  if (before !== undefined) mergeState(frame.scope, before);
  frame.scope.left = left;
  return rounds.length === 1 && values.length > 1 ? mixedWord('the output of a loop', [printed]) : printed;
}

/** The values a loop runs through, for every combination that its list may have. */
function valuesOf(node: For | Select, frame: Frame): readonly Word[] {
  if (node.wordlist === undefined) return positionalOf(frame.scope) ?? [outsideVariable('@')];
  const args: Arg[] = [];
  const { wordlist } = node;
  forEachExpansion(frame, (expansion) => {
    for (const word of wordlist) expandArgument(word, expansion, args);
  });
  return args.map((arg) =>
    arg.word.map((part) => (part.type === 'unknown' ? { ...part, splits: false } : part)),
  );
}

function readCase(node: Case, around: Frame): Word {
  const frame = inCondition(around);
  const patterns = node.items.flatMap((item) => item.pattern);
  forEachExpansion(frame, (expansion) => {
    for (const word of [node.word, ...patterns]) expandToOneWord(word, expansion);
  });
  const branches: Scope[] = [];
  const printed: Word[] = [];
  const exhaustive = patterns.some(({ text }) => text === '*');
  const { flow } = frame;
  const { known } = flow;
  let [yes, no]: [KnownSuccesses, KnownSuccesses] = [exhaustive ? 'never' : known, 'never'];
  for (const item of node.items) {
    const scope = newScope('branch', frame.scope);
    branches.push(scope);
    enter(flow, { succeeded: known, failed: known });
    printed.push(readBlock(item.body, { ...frame, scope }));
    yes = either(yes, flow.succeeded);
    no = either(no, flow.failed);
  }
  setOutcome(flow, yes, no);
  mergeBranches(frame.scope, branches, exhaustive);
  return mixedWord('the output of a conditional', printed);
}

/** Runs the substitutions in an arithmetic expression, and sets its variables. */
function compute(expression: ArithmeticExpression | undefined, frame: Frame): void {
  forEachExpansion(frame, (expansion) => {
    runSum(expression, expansion);
    if (expression !== undefined) runRest(expression, expansion);
  });
}

function readBlock(list: CompoundList, frame: Frame): Word {
  return frame.interpreter.runStatements(list.commands, frame);
}

/** Builtins that set the variables they are given as arguments. */
const SETTERS = new Set('read mapfile readarray getopts export declare local typeset printf let'.split(' '));

/**
 * The variables that statements may set, `PWD` for changes of directory; words are not searched. Iterative, as nesting may be
 * deep.
 */
function assignedNames(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: SyntaxNode[] = [...statements];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Command') addNames(node, names);
    else if (node.type !== 'Word' && node.type !== 'Function') {
      if (node.type === 'For' || node.type === 'Select') names.add(node.name.value);
      pending.push(...childrenOf(node));
    }
  }
  return names;
}

function addNames({ name: program, prefix, suffix }: Command, names: Set<string>): void {
  for (const item of prefix) if (item.type === 'Assignment' && program === undefined) names.add(item.name);
  const name = program?.value ?? '';
  if (name === 'cd' || name === 'pushd' || name === 'popd') names.add('PWD');
  if (!SETTERS.has(name)) return;
  for (const item of suffix) {
    if (item.type === 'Assignment') names.add(item.name);
    else if (item.type === 'Word' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(item.value)) names.add(item.value);
  }
}
