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
import { expandArgument, expandWhole, forEachExpansion } from '../expand/expand.ts';
import { runRest } from '../expand/expand-parts.ts';
import { spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import {
  mergeBranches,
  newScope,
  positionalOf,
  type Scope,
  setVariable,
  variableOf,
} from '../scope/scope.ts';
import { hidden } from '../scope/standing.ts';
import type { Arg, Place } from '../scope/walker.ts';
import { isForkingLoop } from './endless-loop.ts';
import { readTest } from './test-command.ts';

/** Reads a group, a conditional, a loop or a test; returns what it prints. */
export function readCompound(node: CompoundCommand, place: Place): Word {
  switch (node.type) {
    case 'BraceGroup':
      return readBlock(node.body, place);
    case 'Subshell':
      noteDocumentInSum(node, place);
      return readBlock(node.body, { ...place, scope: newScope('subshell', place.scope) });
    case 'If':
      return readIf(node, place);
    case 'While':
      noteForks(node, place);
      return readLoop([...node.clause.commands, ...node.body.commands], place);
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) compute(part, place);
      noteForks(node, place);
      return readLoop(node.body.commands, place);
    case 'For':
    case 'Select':
      return readFor(node, place);
    case 'Case':
      return readCase(node, place);
    case 'TestCommand':
      return readTest(node.expression, spanIn(place.source, node.pos, node.end), place);
    case 'ArithmeticCommand':
      compute(node.expression, place);
      return EMPTY_WORD;
    default:
      return node satisfies never;
  }
}

/** `((` is read as a sum first: of a here-document in it bash then takes the lines for commands. */
function noteDocumentInSum({ pos, end }: SyntaxNode, { source, walker }: Place): void {
  if (!source.text.startsWith('((', pos) || !source.text.slice(pos, end).includes('<<')) return;
  walker.gap('syntax', spanIn(source, pos, end), 'Cannot read a here-document behind "(("');
}

/** Of as many processes as such a loop starts, nobody can say what they do. */
function noteForks(node: While | ArithmeticFor, place: Place): void {
  if (!isForkingLoop(node, place)) return;
  const span = spanIn(place.source, node.pos, node.end);
  place.walker.gap(
    'too_deep',
    span,
    'A loop without an end starts more and more programs and waits for none',
  );
}

/** What is in a conditional or a loop may not run, and its status need not be that of the script. */
function inCondition(place: Place): Place {
  return { ...place, standing: hidden(place.standing, 'condition', false) };
}

function readIf(node: If, around: Place): Word {
  const place = inCondition(around);
  const branches: Scope[] = [];
  const printed: Word[] = [];
  const branch = (list: CompoundList) => {
    const scope = newScope('branch', place.scope);
    branches.push(scope);
    printed.push(readBlock(list, { ...place, scope }));
  };
  for (const { clause, then } of [node, ...node.elif]) {
    const { ran } = clause === node.clause ? around.standing : place.standing;
    readBlock(clause, { ...place, standing: { ...place.standing, ran }, captured: false });
    branch(then);
  }
  if (node.else !== undefined) branch(node.else);
  mergeBranches(place.scope, branches, node.else !== undefined);
  return mixedWord('the output of a conditional', printed);
}

/** A loop whose rounds are not known: a variable that it sets may have its old value or one of an earlier round. */
function readLoop(statements: readonly Statement[], around: Place): Word {
  const place = inCondition(around);
  const scope = newScope('branch', place.scope);
  for (const name of assignedNames(statements)) {
    const before = variableOf(place.scope, name);
    if (before === undefined) continue;
    const values = [...before.values, unknownWord(`$${name}`)];
    const { elements, arrays, exported } = before;
    setVariable(scope, name, { values, elements, arrays, exported });
  }
  const printed = place.walker.runStatements(statements, { ...place, scope });
  mergeBranches(place.scope, [scope], false);
  return mixedWord('the output of a loop', [printed]);
}

/** How many rounds of a loop are read one by one where they depend on each other, or something is substituted in each. */
const MAX_ROUNDS = 16;

function readFor(node: For | Select, around: Place): Word {
  const place = inCondition(around);
  const { source, walker } = place;
  const { left } = place.scope;
  const values = valuesOf(node, place);
  const { commands } = node.body;
  const substitutes = /\$\(|`/.test(source.text.slice(node.body.pos, node.body.end));
  const dependent = (substitutes || assignedNames(commands).size > 0) && values.length <= MAX_ROUNDS;
  const rounds = dependent ? values.map((value) => [value]) : values.length > 0 ? [values] : [];
  if (rounds.length === 0) walker.seen.add(node.body);
  let printed: Word = EMPTY_WORD;
  for (const round of rounds) {
    for (const value of round) noteEvaluated(node.name.value, value, place);
    setVariable(place.scope, node.name.value, { values: round, elements: undefined, exported: false });
    const output = walker.runStatements(commands, place);
    if (place.captured) printed = boundedWord(joinWords(printed, output));
  }
  place.scope.left = left;
  return rounds.length === 1 && values.length > 1 ? mixedWord('the output of a loop', [printed]) : printed;
}

/** The values a loop runs through, for every combination that its list may have. */
function valuesOf(node: For | Select, place: Place): readonly Word[] {
  if (node.wordlist === undefined) return positionalOf(place.scope) ?? [outsideVariable('@')];
  const args: Arg[] = [];
  const { wordlist } = node;
  forEachExpansion(place, (expansion) => {
    for (const word of wordlist) expandArgument(word, expansion, args);
  });
  return args.map((arg) =>
    arg.word.map((part) => (part.type === 'unknown' ? { ...part, splits: false } : part)),
  );
}

function readCase(node: Case, around: Place): Word {
  const place = inCondition(around);
  const patterns = node.items.flatMap((item) => item.pattern);
  forEachExpansion(place, (expansion) => {
    for (const word of [node.word, ...patterns]) expandWhole(word, expansion);
  });
  const branches: Scope[] = [];
  const printed: Word[] = [];
  for (const item of node.items) {
    const scope = newScope('branch', place.scope);
    branches.push(scope);
    printed.push(readBlock(item.body, { ...place, scope }));
  }
  const exhaustive = patterns.some(({ text }) => text === '*');
  mergeBranches(place.scope, branches, exhaustive);
  return mixedWord('the output of a conditional', printed);
}

/** Runs what is substituted in an arithmetic expression, and sets what it sets. */
function compute(expression: ArithmeticExpression | undefined, place: Place): void {
  forEachExpansion(place, (expansion) => {
    runSum(expression, expansion);
    if (expression !== undefined) runRest(expression, expansion);
  });
}

function readBlock(list: CompoundList, place: Place): Word {
  return place.walker.runStatements(list.commands, place);
}

/** Builtins that set the variables they are given as arguments. */
const SETTERS = new Set('read mapfile readarray getopts export declare local typeset printf let'.split(' '));

/**
 * The variables that statements may set, without looking into words. Directory changes count as `PWD`. Used for loops,
 * where a variable may have a value of an earlier round. Iterative: the statements may be nested deeply.
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
