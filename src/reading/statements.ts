import type {
  AndOr,
  Case,
  CommandNode,
  CompoundCommand,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  Pipeline,
  PipelineNode,
  Redirected as RedirectedNode,
  Select,
  Statement,
  Word as SyntaxWord,
  TestExpression,
} from 'unbash';
import { evaluate } from './arithmetic.ts';
import { assignedNames } from './assigned-names.ts';
import { LIMITS, takeStep } from './bounds.ts';
import { MAX_COMBINATIONS, newChoices, nextChoice } from './choices.ts';
import { expandArguments, expandQuoted, expandWhole } from './expand.ts';
import { linkStages } from './links.ts';
import type { Span } from './reading.ts';
import { readRedirections } from './redirections.ts';
import {
  boundedWord,
  cwdOf,
  defineFunction,
  mergeBranches,
  newScope,
  positionalOf,
  type Scope,
  setVariable,
  variableOf,
} from './scope.ts';
import { deliver, expansionAt, readRedirectionsOnly, readSimpleCommand } from './simple-command.ts';
import { type Source, spanIn } from './source.ts';
import type { Arg, Place, Walker } from './walker.ts';
import {
  EMPTY_WORD,
  joinWords,
  mixedWord,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from './word.ts';

/** Reads statements one after the other; returns what they print. */
export function readStatements(
  statements: readonly Statement[],
  source: Source,
  place: Place,
  walker: Walker,
): Word {
  let printed: Word = EMPTY_WORD;
  for (const statement of statements) {
    if (!takeStep(walker.budget)) return unknownWord('the output of a script');
    const scope = statement.background === true ? newScope('subshell', place.scope) : place.scope;
    const inner = scope === place.scope ? place : { ...place, scope };
    const output = readPipelineNode(statement.command, source, inner, walker);
    if (place.captured) printed = boundedWord(joinWords(printed, output));
  }
  return printed;
}

/** Reads the body of a function. */
export function readBody(body: FunctionNode['body'], source: Source, place: Place, walker: Walker): Word {
  if (body.type === 'CompoundList') return readList(body, source, place, walker);
  return readCommandNode(body, source, place, walker);
}

function readList(list: CompoundList, source: Source, place: Place, walker: Walker): Word {
  return readStatements(list.commands, source, place, walker);
}

function readPipelineNode(node: PipelineNode | AndOr, source: Source, place: Place, walker: Walker): Word {
  if (node.type === 'AndOr') return readAndOr(node, source, place, walker);
  return node.type === 'Pipeline'
    ? readPipeline(node, source, place, walker)
    : readCommandNode(node, source, place, walker);
}

/** Commands that are asked a question: what follows `&&` may well not run. */
const QUESTIONS = new Set([
  '[',
  'test',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'which',
  'type',
  'command',
  'hash',
  'false',
  'diff',
  'cmp',
  'pgrep',
]);

/**
 * A list of `&&` and `||`. A directory change or an assignment before `&&` is taken to succeed; what stands after a
 * question or after `||` may or may not run, so that variables keep their other values too.
 */
function readAndOr(node: AndOr, source: Source, place: Place, walker: Walker): Word {
  let scope: Scope = place.scope;
  let before = cwdOf(scope);
  let printed: Word = EMPTY_WORD;
  const branches: Scope[] = [];
  const merge = () => {
    for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
      mergeBranches(branch.parent ?? place.scope, [branch], false);
    }
    scope = place.scope;
  };
  node.commands.forEach((command, index) => {
    const operator = node.operators[index - 1];
    const previous = node.commands[index - 1];
    if (operator === '||') merge();
    const asked =
      operator === '&&' &&
      previous !== undefined &&
      isQuestion(previous) &&
      branches.length < LIMITS.scriptDepth;
    if (operator === '||' || asked) {
      scope = newScope('branch', scope);
      branches.push(scope);
      if (operator === '||') scope.cwd = before;
    }
    before = cwdOf(scope);
    const output = readPipelineNode(
      command,
      source,
      scope === place.scope ? place : { ...place, scope },
      walker,
    );
    if (place.captured)
      printed =
        operator === '||'
          ? mixedWord('the output of a command', [printed, output])
          : boundedWord(joinWords(printed, output));
  });
  merge();
  return printed;
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

function readPipeline(node: Pipeline, source: Source, place: Place, walker: Walker): Word {
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) return readCommandNode(only, source, place, walker);
  let carried = place.input;
  let stageBefore = walker.commands.length;
  node.commands.forEach((command, index) => {
    const start = walker.commands.length;
    const last = index === node.commands.length - 1;
    carried = readCommandNode(
      command,
      source,
      {
        ...place,
        scope: newScope('subshell', place.scope),
        input: carried,
        captured: last ? place.captured : true,
        depth: place.depth + 1,
      },
      walker,
    );
    if (index > 0) linkStages(stageBefore, start, place.substitutions, walker);
    stageBefore = start;
  });
  return carried ?? EMPTY_WORD;
}

function readCommandNode(node: CommandNode, source: Source, place: Place, walker: Walker): Word {
  if (node.type === 'Command') return readSimpleCommand(node, source, place, walker);
  if (!takeStep(walker.budget)) return unknownWord('the output of a command');
  if (!walker.enter(place, spanIn(source, node.pos, node.end), 0))
    return unknownWord('the output of a command');
  const inner = { ...place, depth: place.depth + 1 };
  switch (node.type) {
    case 'Redirected':
      return readRedirected(node, source, inner, walker);
    case 'Function':
      defineFunction(place.scope, node.name.value, { node, source });
      return EMPTY_WORD;
    case 'Coproc': {
      const scope = newScope('subshell', place.scope);
      const { body } = node;
      if (body.type === 'CompoundList') return readList(body, source, { ...inner, scope }, walker);
      return readCommandNode(body, source, { ...inner, scope }, walker);
    }
    default:
      return readCompound(node, source, inner, walker);
  }
}

/** Redirections of a compound command apply to everything inside. */
function readRedirected(node: RedirectedNode, source: Source, place: Place, walker: Walker): Word {
  const redirected = readRedirections(node.redirects, expansionAt(source, place, walker));
  const last = node.redirects.at(-1);
  const span = spanIn(source, node.redirects[0]?.pos ?? node.pos, last?.end ?? node.end);
  readRedirectionsOnly(redirected, span, place, walker);
  const inner = {
    ...place,
    input: redirected.input ?? place.input,
    captured: redirected.output === undefined ? place.captured : true,
  };
  return deliver(readCommandNode(node.command, source, inner, walker), redirected, place, walker);
}

function readCompound(node: CompoundCommand, source: Source, place: Place, walker: Walker): Word {
  switch (node.type) {
    case 'BraceGroup':
      return readList(node.body, source, place, walker);
    case 'Subshell':
      return readList(node.body, source, { ...place, scope: newScope('subshell', place.scope) }, walker);
    case 'If':
      return readIf(node, source, place, walker);
    case 'While':
      return readLoop([...node.clause.commands, ...node.body.commands], source, place, walker);
    case 'ArithmeticFor': {
      const expansion = expansionAt(source, place, walker);
      for (const part of [node.initialize, node.test, node.update]) {
        evaluate(part, expansion, (parts) => expandQuoted(parts, expansion));
      }
      return readLoop(node.body.commands, source, place, walker);
    }
    case 'For':
    case 'Select':
      return readFor(node, source, place, walker);
    case 'Case':
      return readCase(node, source, place, walker);
    case 'TestCommand':
      return readTest(node.expression, spanIn(source, node.pos, node.end), source, place, walker);
    case 'ArithmeticCommand': {
      const expansion = expansionAt(source, place, walker);
      evaluate(node.expression, expansion, (parts) => expandQuoted(parts, expansion));
      return EMPTY_WORD;
    }
    default:
      return node satisfies never;
  }
}

function readIf(node: If, source: Source, place: Place, walker: Walker): Word {
  readList(node.clause, source, { ...place, captured: false }, walker);
  const branches: Scope[] = [];
  const printed: Word[] = [];
  const branch = (list: CompoundList) => {
    const scope = newScope('branch', place.scope);
    branches.push(scope);
    printed.push(readList(list, source, { ...place, scope }, walker));
  };
  branch(node.then);
  for (const elif of node.elif) {
    readList(elif.clause, source, { ...place, captured: false }, walker);
    branch(elif.then);
  }
  if (node.else !== undefined) branch(node.else);
  mergeBranches(place.scope, branches, node.else !== undefined);
  return mixedWord('the output of a conditional', printed);
}

/** A loop whose rounds are not known: a variable that it sets may have its old value or one of an earlier round. */
function readLoop(statements: readonly Statement[], source: Source, place: Place, walker: Walker): Word {
  const scope = newScope('branch', place.scope);
  for (const name of assignedNames(statements)) {
    const before = variableOf(place.scope, name);
    if (before === undefined) continue;
    const values = [...before.values, unknownWord(`$${name}`)];
    setVariable(scope, name, { values, elements: undefined, exported: before.exported });
  }
  const printed = readStatements(statements, source, { ...place, scope }, walker);
  mergeBranches(place.scope, [scope], false);
  return mixedWord('the output of a loop', [printed]);
}

/** How many rounds of a loop are read one by one where they depend on each other. */
const MAX_ROUNDS = 16;

function readFor(node: For | Select, source: Source, place: Place, walker: Walker): Word {
  const { left } = place.scope;
  const values = valuesOf(node, source, place, walker);
  const { commands } = node.body;
  const dependent = assignedNames(commands).size > 0 && values.length <= MAX_ROUNDS;
  const rounds = dependent ? values.map((value) => [value]) : values.length > 0 ? [values] : [];
  let printed: Word = EMPTY_WORD;
  for (const round of rounds) {
    setVariable(place.scope, node.name.value, { values: round, elements: undefined, exported: false });
    const output = readStatements(commands, source, place, walker);
    if (place.captured) printed = boundedWord(joinWords(printed, output));
  }
  place.scope.left = left;
  return rounds.length === 1 && values.length > 1 ? mixedWord('the output of a loop', [printed]) : printed;
}

/** The values a loop runs through, for every combination that its list may have. */
function valuesOf(node: For | Select, source: Source, place: Place, walker: Walker): readonly Word[] {
  if (node.wordlist === undefined) return positionalOf(place.scope) ?? [outsideVariable('@')];
  const choices = newChoices(place.choices);
  const expansion = expansionAt(source, place, walker, choices);
  const args: Arg[] = [];
  do expandArguments(node.wordlist, expansion, args);
  while (nextChoice(choices) && choices.combination <= MAX_COMBINATIONS && takeStep(walker.budget));
  return args.map((arg) =>
    arg.word.map((part) => (part.type === 'unknown' ? { ...part, splits: false } : part)),
  );
}

function readCase(node: Case, source: Source, place: Place, walker: Walker): Word {
  const expansion = expansionAt(source, place, walker);
  expandWhole(node.word, expansion);
  const branches: Scope[] = [];
  const printed: Word[] = [];
  let exhaustive = false;
  for (const item of node.items) {
    for (const pattern of item.pattern) {
      expandWhole(pattern, expansion);
      if (pattern.text === '*') exhaustive = true;
    }
    const scope = newScope('branch', place.scope);
    branches.push(scope);
    printed.push(readList(item.body, source, { ...place, scope }, walker));
  }
  mergeBranches(place.scope, branches, exhaustive);
  return mixedWord('the output of a conditional', printed);
}

/** `[[ … ]]` is listed as a command of that name. */
function readTest(
  expression: TestExpression,
  span: Span,
  source: Source,
  place: Place,
  walker: Walker,
): Word {
  const expansion = expansionAt(source, place, walker);
  const argv: Arg[] = [{ word: textWord('[['), span, at: undefined }];
  const pending: TestExpression[] = [expression];
  for (let test = pending.pop(); test !== undefined; test = pending.pop()) {
    switch (test.type) {
      case 'TestUnary':
        argv.push(operator(test.operator, span), operandOf(test.operand));
        break;
      case 'TestBinary':
        argv.push(operandOf(test.left), operator(test.operator, span), operandOf(test.right));
        break;
      case 'TestLogical':
        pending.push(...test.operands);
        break;
      case 'TestNot':
        pending.push(test.operand);
        break;
      case 'TestGroup':
        pending.push(test.expression);
        break;
      default:
        return test satisfies never;
    }
  }
  walker.runCommand(argv, { ...place, captured: false }, { redirections: [], span, direct: false });
  return EMPTY_WORD;

  function operandOf(word: SyntaxWord): Arg {
    return { word: expandWhole(word, expansion), span: spanIn(source, word.pos, word.end), at: undefined };
  }
}

function operator(text: string, span: Span): Arg {
  return { word: textWord(text), span, at: undefined };
}
