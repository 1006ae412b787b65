import type { Assignment } from '../../reading/reading.ts';
import { knownText, leadingText, showWord, type Word, type WordPart, wordFrom } from '../../reading/word.ts';
import { type CodeRow, callRow, type Language } from './rows.ts';
import { type Aliases, type FunctionNode, type Node, targetName } from './tree.ts';
import {
  addition,
  alternatives,
  eitherOf,
  type FoundCall,
  functionNamed,
  isEnvironment,
  itemOf,
  listValue,
  UNKNOWN_VALUE,
  type Value,
} from './values.ts';

/** Code while it is gone through. */
export interface Run {
  /** Works out an expression: functions have some in them. */
  readonly evaluate: (run: Run, node: Node) => Value;
  readonly language: Language;
  readonly aliases: Aliases;
  readonly placeholders: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** Those of the environment that the code sets. */
  readonly environment: Map<string, Assignment>;
  /** In how many blocks the variables were set. */
  readonly setAt: Map<string, number>;
  /** Told of every call that has a row, for each of the values that its arguments may have. */
  readonly onCall: ((row: CodeRow, call: FoundCall) => void) | undefined;
  /** The state of each function that is written down. `open`: there may be calls that cannot be seen. */
  readonly functions: Map<FunctionNode, 'defined' | 'called' | 'open'>;
  /** Those that are being read with the arguments of a call. */
  readonly entered: Set<FunctionNode>;
  /** True if the code may reach its functions by other ways than their names. */
  readonly isDynamic: boolean;
  /** How many blocks that may not be run are around. */
  depth: number;
  /** How many expressions are around. */
  nesting: number;
  /** How many values may still be computed. */
  work: number;
}

/** Sets the variables that the left side of an assignment names. */
export function setTarget(run: Run, target: Node, value: Value, operator = '='): void {
  for (const [one, part] of partsOf(target, value)) setOne(run, one, part, operator);
}

/** The variables that an assignment sets by taking a value apart: `a, (b, c) = value`, `{ a, b } = value`. */
export function partsOf(target: Node, value: Value): readonly (readonly [Node, Value])[] {
  if (target.type !== 'group') return [[target, value]];
  return target.items.flatMap(({ key, value: item, isSpread }, index) => {
    const name = key ?? targetName(item) ?? '';
    const isEntry = target.bracket === '{';
    if (isSpread === true) return partsOf(item, UNKNOWN_VALUE);
    if (isEntry && value.type === 'function') return partsOf(item, functionNamed([...value.names, name]));
    const isKnown =
      value.type === 'any' || value.type === (isEntry ? 'object' : 'list') || isEnvironment(value);
    return partsOf(
      item,
      (isKnown ? itemOf(value, isEntry ? name : String(index)) : undefined) ?? UNKNOWN_VALUE,
    );
  });
}

function setOne(run: Run, target: Node, value: Value, operator: string): void {
  const { variables, setAt, depth } = run;
  const isPart = target.type === 'index' || target.type === 'member';
  if (isPart && value.type === 'text') setInEnvironment(run, target, value.word);
  const name = targetName(isPart ? target.owner : target);
  if (name === undefined) return;
  const before = variables.get(name);
  // `module.exports = a`
  if (target.type === 'member' && before === undefined) return;
  if (isPart && (before?.type === 'list' || before?.type === 'object')) change(run, before, UNKNOWN_VALUE);
  const isMore = operator === '+=' && before !== undefined;
  const isSet = target.type === 'name' && (isMore || operator === '=' || operator === ':=');
  const known = !isSet ? UNKNOWN_VALUE : isMore ? addition(before, value) : value;
  // In a block that may not be run, the one before may stay.
  const outer = setAt.get(name) ?? depth;
  variables.set(name, before !== undefined && depth > outer ? eitherOf(before, known) : known);
  setAt.set(name, Math.min(depth, outer));
}

/** `os.environ["A"] = "b"`, `process.env.A = "b"` */
function setInEnvironment(run: Run, target: Extract<Node, { type: 'index' | 'member' }>, word: Word): void {
  const { owner } = target;
  const isNamed = owner.type === 'name' || (owner.type === 'member' && owner.owner.type === 'name');
  if (!isNamed || !isEnvironment(run.evaluate(run, owner))) return;
  if (target.type === 'member') {
    noteVariable(run.environment, target.name, word);
    return;
  }
  const key = target.items[0]?.value;
  const name = key === undefined ? UNKNOWN_VALUE : run.evaluate(run, key);
  // `$ENV{A}` of Perl has no quotes.
  if (key?.type === 'name' && run.language === 'perl') noteVariable(run.environment, key.name, word);
  else if (name.type === 'text') noteVariable(run.environment, knownText(name.word) ?? '', word);
}

/** Keeps the values that it has had: a command may see any of them. */
export function noteVariable(environment: Map<string, Assignment>, name: string, value: Word): void {
  environment.set(`${name}=${showWord(value)}`, { name, value });
}

const SETTERS = /^(?:update|setdefault|__setitem__|store|merge!|replace|assign|putenv)$/;

/** `os.environ.update(A="b")`, `os.putenv("A", "b")`, `Object.assign(process.env, { A: "b" })` */
function noteSetters({ environment }: Run, { names, args, named }: FoundCall): void {
  const [call = '', owner = ''] = names.toReversed();
  if (!SETTERS.test(call)) return;
  if (call !== 'putenv' && !/^(?:environ|ENV|env)$/.test(owner) && !args.some(isEnvironment)) return;
  const objects = args.flatMap((arg) => (arg.type === 'object' ? [...arg.entries] : []));
  for (const [name, value] of [...objects, ...named])
    if (value.type === 'text') noteVariable(environment, name, value.word);
  const [first, second] = args.map((arg) => (arg.type === 'text' ? arg.word : undefined));
  const [, name] = /^(\w+)=?/.exec(leadingText(first ?? [])) ?? [];
  if (first === undefined || name === undefined) return;
  noteVariable(environment, name, second ?? wordFrom(first, name.length + 1));
}

/** Sets variables for as long as something is read; behind it their names have their old values. */
export function withVariables<T>(
  { variables }: Run,
  values: ReadonlyMap<string, Value | undefined>,
  read: () => T,
): T {
  const set = (name: string, value: Value | undefined) => {
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  };
  const before = [...values.keys()].map((name) => [name, variables.get(name)] as const);
  for (const [name, value] of values) set(name, value);
  const found = read();
  for (const [name, value] of before) set(name, value);
  return found;
}

/** Methods of an object that change nothing. */
const READS = /^(?:get|has|keys|copy)$/;

/** `words.append("x")`; an unknown call may change its receiver and its arguments in any way. */
export function noteChanged(run: Run, { names, args, receiver, named }: FoundCall): void {
  const call = names.at(-1) ?? '';
  const isKnown = callRow(run.language, names) !== undefined;
  noteSetters(run, { names, args, receiver, named });
  if (!isKnown) for (const arg of args) if (arg.type === 'object') change(run, arg, UNKNOWN_VALUE);
  if ((receiver?.type !== 'list' && receiver?.type !== 'object') || names.length !== 2) return;
  const more = call === 'extend' ? args.flatMap((arg) => (arg.type === 'list' ? arg.items : [arg])) : args;
  if (receiver.type === 'list' && /^(?:append|push|add|extend)$/.test(call))
    change(run, receiver, listValue([...receiver.items, ...more]));
  else if (!isKnown && !READS.test(call)) change(run, receiver, UNKNOWN_VALUE);
}

/** Several variables may hold the same list or object. */
function change(run: Run, before: Value, after: Value): void {
  run.work -= run.variables.size >> 4;
  for (const [name, value] of run.variables) if (value === before) run.variables.set(name, after);
}

/** Code that has a function other than to call it may call it with anything. */
export function noteUse({ functions }: Run, value: Value | undefined): void {
  if (value?.type === 'function' && value.written !== undefined) functions.set(value.written, 'open');
}

/** `setTimeout('go(x)', 1)`: a text may be the name of a function, or code that calls it. */
export function noteNames(run: Run, text: Word): void {
  const isName = run.language !== 'python' && run.language !== 'javascript';
  for (const [, whole, called = ''] of showWord(text).matchAll(/^([\w$]+)$|(?<![\w$])([\w$]{1,64})\(/g))
    if (isName || whole === undefined) noteUse(run, run.variables.get(whole ?? called));
}

/** Tells of a call, for each of the values that it may be given. */
export function reportCall(run: Run, row: CodeRow, found: FoundCall): void {
  const { receiver, args } = found;
  for (const [own, ...some] of alternatives([receiver ?? UNKNOWN_VALUE, ...args])) {
    if (--run.work < 0) return;
    run.onCall?.(row, { ...found, args: some, receiver: receiver === undefined ? undefined : own });
  }
}

/** Reads the calls in a target: `a[f()] = 1`, `let { a = f() } = b`. */
export function readTarget(run: Run, target: Node): void {
  if (target.type === 'assignment') run.evaluate(run, target.value);
  else if (target.type === 'group') for (const { value } of target.items) readTarget(run, value);
  else if (target.type === 'operation') for (const side of [target.left, target.right]) readTarget(run, side);
  else if (target.type !== 'name') run.evaluate(run, target);
}

/** The value of something that may not be run. */
export function maybe(run: Run, node: Node): Value {
  run.depth++;
  const value = run.evaluate(run, node);
  run.depth--;
  return value;
}
