import { boundedWord, isExhausted, takeStep } from '../reading/bounds.ts';
import { EMPTY_WORD, textWord, unknownWord, type Word } from '../reading/word.ts';
import { spanIn } from '../shell/parse/source.ts';
import { ownCommands } from '../shell/run/links.ts';
import { after, newFlow } from '../shell/scope/flow.ts';
import { mergeBranches } from '../shell/scope/merge-scopes.ts';
import { newScope, setLocal, setVariable, variableOf } from '../shell/scope/scope.ts';
import { variableValue } from './expressions.ts';
import { readPipeline } from './pipeline.ts';
import { objectsOf, objectWord } from './runtime-objects.ts';
import type { PsArguments, PsFrame, Value } from './state.ts';
import type { Block, Expression, Statement } from './syntax.ts';
import {
  boundedValue,
  isPathLike,
  joinedValues,
  knownValue,
  listValue,
  unknownValue,
  variableFor,
} from './values.ts';

/** Reads statements one after the other; returns their output. */
export function readStatements(body: readonly Statement[], at: PsFrame): Value {
  const put: Word[] = [];
  let before: readonly number[] = [];
  for (const statement of body) {
    if (!takeStep(at.interpreter.budget) || isExhausted(at.interpreter.budget))
      return unknownValue('the output of a script');
    const start = at.interpreter.commands.length;
    put.push(...readStatement(statement, at, asksForSuccess(statement) ? before : []));
    before = ownCommands(start, at);
  }
  return listValue(put);
}

/** Rounds of a loop that are read: a variable may be set at its end. */
const ROUNDS = 2;
const MAX_LOOPS = 3;

/** `if ($?) { }`, `if ($LASTEXITCODE -eq 0) { }`: has the statement before it succeeded? */
function asksForSuccess(statement: Statement): boolean {
  const [asked, ...others] = statement.type === 'branches' ? statement.before : [];
  if (asked?.type !== 'pipeline' || others.length > 0) return false;
  const { expression } = asked.stages[0] ?? {};
  if (expression?.type === 'variable') return expression.name === '?';
  const { left, right, operator } = expression?.type === 'binary' ? expression : {};
  const isCode = left?.type === 'variable' && left.name === 'lastexitcode';
  return isCode && operator === '-eq' && right?.type === 'text' && right.text === '0';
}

/** `done`: the commands that have succeeded if the first of several branches runs. */
function readStatement(statement: Statement, at: PsFrame, done: readonly number[] = []): Value {
  switch (statement.type) {
    case 'pipeline':
      return readPipeline(statement, at);
    case 'assignment': {
      const value = readStatement(statement.value, { ...at, captured: true });
      assign(statement.target, statement.operator, value, at);
      return [];
    }
    case 'chain':
      return readChain(statement, at);
    case 'branches': {
      readStatements(statement.before, { ...at, captured: true });
      return inBranches(statement.branches, statement.isComplete, at, done);
    }
    case 'loop': {
      readStatements(statement.before, { ...at, captured: true });
      return rounds(statement.body, at);
    }
    case 'foreach': {
      const items = readStatement(statement.items, { ...at, captured: true });
      const put: Word[] = [];
      for (const item of items) {
        const scope = newScope('branch', at.scope);
        setLocal(scope, statement.variable, variableFor([item]));
        put.push(...deeper(statement.body, { ...at, scope, loops: at.loops + 1 }));
        mergeBranches(at.scope, [scope], false);
      }
      return boundedValue(put);
    }
    case 'sequence': {
      const [first, ...others] = statement.blocks;
      const put = first === undefined ? [] : deeper(first, at);
      return [...put, ...inBranches(others, false, at)];
    }
    case 'function': {
      const known = at.state.functions.get(statement.name) ?? [];
      at.state.functions.set(statement.name, [...known, statement.block]);
      return [];
    }
    case 'jump':
      return statement.value === undefined ? [] : readStatement(statement.value, at);
    default:
      return statement satisfies never;
  }
}

/** Behind `&&` the command before it has succeeded. */
function readChain({ items, operators }: Extract<Statement, { type: 'chain' }>, at: PsFrame): Value {
  let { known } = at.flow;
  return items.flatMap((item, index) => {
    if (operators[index - 1] === '||') ({ known } = at.flow);
    const start = at.interpreter.commands.length;
    const put = readStatement(item, { ...at, flow: newFlow(known) });
    known = after(known, ...ownCommands(start, at));
    return put;
  });
}

function inBranches(
  blocks: readonly Block[],
  isComplete: boolean,
  at: PsFrame,
  done: readonly number[] = [],
): Value {
  const scopes = blocks.map(() => newScope('branch', at.scope));
  const put = blocks.flatMap((block, index) => {
    const { known } = at.flow;
    const flow = newFlow(index === 0 ? after(known, ...done) : known);
    return deeper(block, { ...at, flow, scope: scopes[index] ?? at.scope });
  });
  mergeBranches(at.scope, scopes, isComplete);
  return boundedValue(put);
}

function rounds(body: Block, at: PsFrame): Value {
  const put: Word[] = [];
  for (let round = 0; round < (at.loops < MAX_LOOPS ? ROUNDS : 1); round++) {
    const scope = newScope('branch', at.scope);
    put.push(...deeper(body, { ...at, scope, loops: at.loops + 1 }));
    const { size } = scope.variables;
    mergeBranches(at.scope, [scope], false);
    if (size === 0) break;
  }
  return boundedValue(put);
}

function deeper(block: Block, at: PsFrame): Value {
  if (!at.interpreter.enter(at, at.source.span, 0)) return unknownValue('the output of a block');
  return readStatements(block.body, { ...at, depth: at.depth + 1 });
}

/** Runs a block with the values of its parameters. */
export function callBlock(block: Block, { named, values = [], topic }: PsArguments, at: PsFrame): Value {
  if (!at.interpreter.enter(at, at.source.span, 0)) return unknownValue('the output of a block');
  const scope = newScope('function', at.scope);
  const rest = [...values];
  for (const { name, initial } of block.parameters) {
    const isNamed = [...(named?.keys() ?? [])].find((each) => name.startsWith(each));
    const value =
      (isNamed === undefined ? rest.shift() : named?.get(isNamed)) ??
      (initial === undefined ? undefined : at.read.expression(initial, at));
    setLocal(scope, name, variableFor(value ?? [unknownWord(`$${name}`)]));
  }
  // An argument that no parameter takes is among the words, with its name.
  const others = [...(named ?? [])].filter(
    ([each]) => !block.parameters.some(({ name }) => name.startsWith(each)),
  );
  const words = [...rest, ...others.flatMap(([name, value]) => [[textWord(`-${name}`)], value])];
  setLocal(scope, 'args', variableFor(words.flat()));
  if (topic !== undefined) {
    for (const name of ['_', 'psitem', 'input']) setLocal(scope, name, variableFor(topic));
  }
  return readStatements(block.body, { ...at, scope, depth: at.depth + 1, scriptDepth: at.scriptDepth + 1 });
}

function assign(target: Expression, operator: string, value: Value, at: PsFrame): void {
  switch (target.type) {
    case 'cast':
      assign(target.value, operator, value, at);
      return;
    case 'list':
      target.items.forEach((item, index) => {
        const own = value[index];
        assign(
          item,
          '=',
          own === undefined || target.items.length - 1 === index ? value.slice(index) : [own],
          at,
        );
      });
      return;
    case 'variable':
      assignVariable(target.name, operator, value, at);
      return;
    case 'member':
    case 'index':
      assignPart(target, value, at);
      return;
    default:
  }
}

function assignVariable(name: string, operator: string, value: Value, at: PsFrame): void {
  const before = operator === '=' ? [] : variableValue(name, at);
  const after =
    operator === '='
      ? value
      : operator === '+='
        ? added(before, value)
        : operator === '??='
          ? [...before, ...value]
          : [unknownWord('a number')];
  if (name === 'whatifpreference') at.state.looksOnly = /^(?:true|1)$/i.test(knownValue(value) ?? '');
  const definition = /^function:(.+)$/.exec(name)?.[1];
  if (definition !== undefined)
    for (const thing of objectsOf(value, at))
      if (thing.type === 'block')
        at.state.functions.set(definition, [...(at.state.functions.get(definition) ?? []), thing.block]);
  const environment = /^env:(.+)$/s.exec(name)?.[1];
  if (environment === undefined) {
    setVariable(at.scope, name, variableFor(boundedValue(after)));
    return;
  }
  const word = joinedValues([[textWord(`${environment.toUpperCase()}=`)], after])[0] ?? EMPTY_WORD;
  const span = spanIn(at.source, 0, 0);
  at.interpreter.runCommand(
    [textWord('export'), word].map((each) => ({ word: each, span })),
    { ...at, captured: false },
  );
}

function added(before: Value, value: Value): Value {
  const [only] = before;
  if (before.length !== 1 || value.length !== 1 || only === undefined) return [...before, ...value];
  return [
    ...joinedValues([before, value]),
    ...(only.length > 0 && isItem(only) ? [...before, ...value] : []),
  ];
}

/** True if it may be the only item of a list, to which another is added. */
function isItem(word: Word): boolean {
  return word.some((part) => part.type === 'unknown');
}

/** `$table.name = value`, `$list[0] = value`. */
function assignPart(
  target: Extract<Expression, { type: 'member' | 'index' }>,
  value: Value,
  at: PsFrame,
): void {
  // `$process.StartInfo.FileName` says something of the process.
  const of = target.of.type === 'member' && target.of.args === undefined ? target.of.of : target.of;
  if (of.type !== 'variable') return;
  const key = knownValue(at.read.expression(target.type === 'member' ? target.name : target.at, at));
  const before = variableOf(at.scope, of.name) === undefined ? [] : variableValue(of.name, at);
  const table = objectsOf(before, at).find((thing) => thing.type === 'table');
  // An unknown object has the values that it is given. A path stays one.
  const isObject = before.length > 0 && target.type === 'member' && !before.every(isPathLike);
  if ((table?.type === 'table' || isObject) && key !== undefined) {
    const known = table?.type === 'table' ? table.entries : [];
    const entries = new Map([...known, [key.toLowerCase(), value] as const]);
    const made = table === undefined ? before.flat() : [];
    const word = boundedWord([
      ...objectWord('@{ }', { type: 'table', entries }, at),
      ...made,
      ...value.flat(),
    ]);
    setVariable(at.scope, of.name, variableFor([word]));
  } else if (target.type === 'index')
    setVariable(at.scope, of.name, variableFor(boundedValue([...before, ...value])));
}
