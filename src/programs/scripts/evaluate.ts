import { fillPlaceholders } from '../../reading/placeholders.ts';
import { knownChars, knownText, outsideVariable, type WordPart } from '../../reading/word.ts';
import { SYNTAX } from './language.ts';
import { fitting, resultOf } from './results.ts';
import { type CodeLanguage, type CodeRow, callRow } from './rows.ts';
import { percent } from './text-calls.ts';
import {
  type Aliases,
  type AssignmentNode,
  type CallNode,
  type ChoiceNode,
  type FunctionNode,
  type GroupNode,
  type Item,
  type LoopNode,
  type Node,
  type TextNode,
  targetName,
} from './tree.ts';
import {
  alternatives,
  concatenated,
  ENVIRONMENTS,
  eitherOf,
  elementOf,
  type FoundCall,
  itemOf,
  joinedPath,
  listOf,
  listValue,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** Code while it is gone through. */
export interface Run {
  readonly language: CodeLanguage;
  readonly aliases: Aliases;
  readonly placeholders: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** In how many blocks the variables were set. */
  readonly setAt: Map<string, number>;
  /** Told of every call and every shell command, for each of the values that it may have. */
  readonly listener: CallListener | undefined;
  /** How many blocks that may not be run are around. */
  depth: number;
  /** How many values may still be worked out. */
  work: number;
}

export interface CallListener {
  readonly call: (row: CodeRow, call: FoundCall) => void;
  readonly shell: (script: Value) => void;
}

/** The value of a piece of code; tells of the calls in it. */
export function evaluate(run: Run, node: Node): Value {
  if (--run.work < 0) return UNKNOWN_VALUE;
  const value = work(run, node);
  run.work -=
    value.type === 'any' ? value.values.length : value.type === 'text' ? knownChars(value.word) >> 8 : 0;
  return value;
}

function work(run: Run, node: Node): Value {
  switch (node.type) {
    case 'text':
      return textOf(run, node);
    case 'name': {
      const row = run.language === 'perl' ? callRow('perl', [node.name]) : undefined;
      const topic = row?.topic === true ? run.variables.get('$_') : undefined;
      if (row === undefined || topic === undefined) return follow(run, node).value;
      return callNow(run, row, { names: [node.name], args: [topic], named: new Map(), receiver: undefined });
    }
    case 'member':
    case 'index':
    case 'call':
      return follow(run, node).value;
    case 'group':
      return groupValue(run, node);
    case 'function':
      enter(run, node, []);
      return UNKNOWN_VALUE;
    case 'operation': {
      const left = evaluate(run, node.left);
      const isMaybe = /^(?:&&|and)$/.test(node.operator);
      return operated(run, node.operator, left, isMaybe ? maybe(run, node.right) : evaluate(run, node.right));
    }
    case 'choice':
      return choose(run, node);
    case 'assignment':
      return assign(run, node);
    case 'loop':
      return loop(run, node);
    default:
      return UNKNOWN_VALUE;
  }
}

/** The value of something that may not be run. */
function maybe(run: Run, node: Node): Value {
  run.depth++;
  const value = evaluate(run, node);
  run.depth--;
  return value;
}

function textOf(run: Run, { word, holes, isCommand }: TextNode): Value {
  let value: Value = textValue([]);
  word.forEach((part, index) => {
    const hole = holes.get(index);
    const found = hole === undefined ? undefined : evaluate(run, hole);
    const isText = found?.type === 'text' || found?.type === 'any';
    const filled = part.type === 'text' ? fillPlaceholders(part.text, run.placeholders) : [part];
    value = concatenated(value, isText ? found : textValue(filled));
  });
  if (isCommand) run.listener?.shell(value);
  return isCommand ? UNKNOWN_VALUE : value;
}

function operated({ language }: Run, operator: string, left: Value, right: Value): Value {
  if (!SYNTAX[language].operators.split(' ').includes(operator) || operator === '*') return UNKNOWN_VALUE;
  if (operator === '/') return joinedPath([left, right]);
  return operator === '%' ? percent(left, right) : concatenated(left, right);
}

function choose(run: Run, { condition, values }: ChoiceNode): Value {
  if (condition !== undefined) evaluate(run, condition);
  return values
    .map((node, index) => (condition === undefined && index === 0 ? evaluate(run, node) : maybe(run, node)))
    .reduce((first, second) => {
      // A text that is not empty is true, so that what stands behind it does not matter.
      const isTrue = condition === undefined && first.type === 'text' && (knownText(first.word) ?? '') !== '';
      return isTrue ? first : eitherOf(first, second);
    });
}

/** The values of a list; `key: value` is kept by its key. */
function valuesOf(
  run: Run,
  items: readonly Item[],
  evaluateItem = evaluate,
): Pick<FoundCall, 'args' | 'named'> {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  for (const { key, value: node, isSpread } of items) {
    const value = evaluateItem(run, node);
    if (key !== undefined) named.set(key, value);
    else if (value.type === 'list' && (isSpread === true || run.language === 'perl'))
      args.push(...value.items);
    else args.push(value);
  }
  return { args, named };
}

function groupValue(run: Run, { bracket, items, endsWithComma }: GroupNode): Value {
  if (bracket === '{') run.depth++;
  const { args, named } = valuesOf(run, items);
  if (bracket === '{') run.depth--;
  const [one = UNKNOWN_VALUE] = args;
  if (bracket === '' || bracket === '{') return { type: 'object', entries: named };
  if (items.length === 1 && items[0]?.value.type === 'loop') return one;
  // `(a, b)` of JavaScript is b.
  if (run.language === 'javascript' && bracket === '(' && !endsWithComma) return args.at(-1) ?? UNKNOWN_VALUE;
  return bracket === '[' || args.length !== 1 || endsWithComma ? listValue(args) : one;
}

/** A value, and the names that lead to it: those of `a.b(c).d` are `a`, `b` and `d`. */
interface Followed {
  readonly names: readonly string[];
  readonly value: Value;
}

function functionNamed(names: readonly string[]): Value {
  return { type: 'function', names };
}

function follow(run: Run, node: Node): Followed {
  if (node.type === 'name') {
    const value = run.variables.get(node.name);
    const names = value?.type === 'function' ? value.names : (run.aliases.get(node.name) ?? [node.name]);
    return { names, value: value ?? functionNamed(names) };
  }
  if (node.type === 'member') {
    const owner = follow(run, node.owner);
    return { names: [...owner.names, node.name], value: memberOf(run, owner, node.name) };
  }
  if (node.type === 'index') return indexed(run, node.owner, node.items);
  if (node.type === 'call') return called(run, node);
  // A method of nobody knows what has no function's name.
  return { names: node.type === 'unknown' ? [''] : [], value: evaluate(run, node) };
}

function memberOf(run: Run, { names, value }: Followed, name: string): Value {
  const owner = names.at(-1) ?? '';
  const all = [...names, name];
  const qualified = run.variables.get(`${owner}.${name}`);
  if (qualified !== undefined) return qualified;
  if (ENVIRONMENTS.has(owner)) return textValue(outsideVariable(name));
  // A call without parentheses.
  const row = run.language === 'ruby' ? callRow('ruby', all) : undefined;
  if (row !== undefined)
    return callNow(run, row, { names: all, args: [], named: new Map(), receiver: ownValue(value) });
  if (value.type === 'function' && value.written === undefined) return functionNamed(all);
  if (value.type !== 'text') return UNKNOWN_VALUE;
  // Of what a folder holds: `entry.path`, `entry.name`.
  return name === 'path' ? value : name === 'name' ? textValue(value.word.slice(-1)) : UNKNOWN_VALUE;
}

/** What a method is called on; undefined for a module, or what nobody has seen. */
function ownValue(value: Value): Value | undefined {
  return value.type === 'function' ? undefined : value;
}

function indexed(run: Run, node: Node, items: readonly Item[]): Followed {
  // `$a[0]` of Perl is one of `@a`.
  const isElement =
    run.language === 'perl' && node.type === 'name' && run.variables.has(`@${node.name.slice(1)}`);
  const { names, value } = follow(run, isElement ? { ...node, name: `@${node.name.slice(1)}` } : node);
  const last = names.at(-1) ?? '';
  const { args, named } = valuesOf(run, items);
  const [first] = args;
  if (last === 'Dir' && run.language === 'ruby') return { names, value: fitting(args, 'ruby') };
  // `list[1:]`
  const [[from, to] = []] = named;
  if (from !== undefined || args.length > 1) {
    const isRest =
      named.size === 1 && to?.type === 'unknown' && /^[0-9]+$/.test(from ?? '') && value.type === 'list';
    return { names: [], value: isRest ? listValue(value.items.slice(Number(from))) : UNKNOWN_VALUE };
  }
  const index =
    knownText(wordOf(first)) ??
    (run.language === 'perl' && first?.type === 'function' ? first.names.at(-1) : undefined);
  if (index === undefined) return { names, value: itemOf(ownValue(value), index) ?? UNKNOWN_VALUE };
  const all = [...names, index];
  if (ENVIRONMENTS.has(last)) return { names: all, value: textValue(outsideVariable(index)) };
  return { names: all, value: itemOf(ownValue(value), index) ?? functionNamed(all) };
}

function called(run: Run, { callee, items, isBare }: CallNode): Followed {
  const owner = callee.type === 'member' ? follow(run, callee.owner) : undefined;
  const { names: own, value } =
    callee.type === 'member' ? { names: [], value: undefined } : follow(run, callee);
  // PHP calls functions by texts.
  const isText = value?.type === 'text' && run.language === 'php';
  const names =
    callee.type === 'member' && owner !== undefined
      ? [...owner.names, callee.name]
      : isText
        ? [knownText(value.word) ?? '']
        : value?.type === 'function'
          ? value.names
          : own;
  const row = callRow(run.language, names);
  const receiver = owner === undefined ? undefined : ownValue(owner.value);
  const { args, named } = valuesOf(run, items, evaluateArgument);
  const call: FoundCall = { names, args, named, receiver };
  noteChanged(run, call);
  // `system in_place`
  const isProse =
    isBare &&
    run.language === 'perl' &&
    args.length > 0 &&
    args.every((arg) => arg.type === 'function' && /^[a-z]/.test(arg.names.at(-1) ?? ''));
  if (
    row === undefined ||
    (isProse && row.runs !== 'code' && row.opens === undefined && row.shows === undefined)
  ) {
    for (const arg of args) enterPassed(run, arg);
    return { names, value: UNKNOWN_VALUE };
  }
  const module = row.names === undefined ? undefined : knownText(wordOf(args[row.names - 1]));
  const result = callNow(run, row, call);
  if (module === undefined) return { names, value: result };
  return { names: [...names, module], value: functionNamed([...names, module]) };
}

/** A function that is written among arguments is not read where it stands, but with what it is called with. */
function evaluateArgument(run: Run, node: Node): Value {
  return node.type === 'function' ? { type: 'function', names: [], written: node } : evaluate(run, node);
}

/** Reads what a call does with a function that it is given, of which nothing is known. */
function enterPassed(run: Run, value: Value, given: readonly Value[] = []): void {
  if (value.type !== 'function') return;
  if (value.written !== undefined) enter(run, value.written, given);
  const row = callRow(run.language, value.names);
  // `answer.pipe(eval)`
  if (row?.runs === 'code')
    run.listener?.call(row, {
      names: value.names,
      args: [UNKNOWN_VALUE],
      named: new Map(),
      receiver: undefined,
    });
}

/** Tells of a call, and of those of the functions that it is given. */
function callNow(run: Run, row: CodeRow, call: FoundCall): Value {
  const { receiver, args } = call;
  for (const [own, ...some] of alternatives([receiver ?? UNKNOWN_VALUE, ...args])) {
    if (--run.work < 0) return UNKNOWN_VALUE;
    run.listener?.call(row, { ...call, args: some, receiver: receiver === undefined ? undefined : own });
  }
  const passed = passedCall(run, row, call);
  const result = resultOf(row, call, run.language);
  // `readdir(path, (error, names) => …)`
  for (const arg of args)
    if (arg !== passed?.target) enterPassed(run, arg, row.calls === undefined ? [UNKNOWN_VALUE, result] : []);
  const given = passed === undefined ? UNKNOWN_VALUE : apply(run, passed);
  return row.gives === 'mapped' ? mapped(given, receiver) : result;
}

/** A list of what a function gives for each item of another. */
function mapped(value: Value, list: Value | undefined): Value {
  const count = value.type === 'any' ? value.values.length : 1;
  // With values that are one of several it cannot be told which belongs to which item.
  return list?.type === 'list' && list.items.length !== count ? UNKNOWN_VALUE : listOf(value);
}

/** A function that a call is given, and what it is called with. */
interface Passed {
  readonly target: Value;
  readonly call: FoundCall;
}

/** The function that a call calls in turn: `map(os.remove, files)`, `send(:system, "ls")`. */
function passedCall(run: Run, row: CodeRow, { names, args, named, receiver }: FoundCall): Passed | undefined {
  const { calls, each, given, skip, spread } = row;
  if (calls === undefined) return undefined;
  const owner = names.slice(0, -1);
  const at = typeof calls === 'number' ? calls : 0;
  const valueAt = (index: number) => (index === 0 ? (receiver ?? functionNamed(owner)) : args[index - 1]);
  const target = typeof calls === 'number' ? valueAt(calls) : named.get(calls);
  const list = spread === undefined ? named.get('args') : args[spread - 1];
  const rest = list?.type === 'list' ? list.items : args.slice(at + (skip ?? 0));
  const values =
    given !== undefined
      ? [valueAt(given) ?? UNKNOWN_VALUE]
      : each === undefined
        ? rest
        : [elementOf(valueAt(each))];
  const call: FoundCall = { names: [], args: values, named, receiver: undefined };
  if (target?.type === 'function') return { target, call: { ...call, names: target.names } };
  // PHP and Ruby give functions by their names.
  const name = run.language === 'php' || run.language === 'ruby' ? knownText(wordOf(target)) : undefined;
  return name === undefined || target === undefined
    ? undefined
    : { target, call: { ...call, names: [...owner, name], receiver } };
}

function apply(run: Run, { target, call }: Passed): Value {
  if (target.type === 'function' && target.written !== undefined)
    return enter(run, target.written, call.args);
  const row = callRow(run.language, call.names);
  return row === undefined ? UNKNOWN_VALUE : callNow(run, row, call);
}

/** Reads a function with values for its parameters, behind which their names stand for what they did before. */
function enter(run: Run, { parameters, body }: FunctionNode, given: readonly Value[]): Value {
  const [first] = given;
  const values = parameters.length > 1 && given.length === 1 && first?.type === 'list' ? first.items : given;
  const before = new Map<string, Value | undefined>();
  const setName = (name: string, value: Value | undefined) => {
    before.set(name, run.variables.get(name));
    restore(run, name, value);
  };
  parameters.forEach(({ key, value: node, isSpread }, index) => {
    if (key !== undefined) evaluate(run, node);
    if (node.type === 'assignment') evaluate(run, node.value);
    const name = key ?? targetName(node);
    if (name !== undefined) setName(name, (isSpread === true ? undefined : values[index]) ?? UNKNOWN_VALUE);
    // `({ exec }) => …`: its names stand for themselves.
    for (const item of node.type === 'group' ? node.items : [])
      setName(item.key ?? targetName(item.value) ?? '', undefined);
  });
  if (body === undefined) return UNKNOWN_VALUE;
  const value = maybe(run, inBlock(body));
  for (const [name, old] of before) restore(run, name, old);
  return value;
}

/** The only statement of a block. */
function inBlock(body: Node): Node {
  const [only] =
    body.type === 'group' && body.bracket !== '(' && body.bracket !== '[' && body.items.length === 1
      ? body.items
      : [];
  return only === undefined || only.key !== undefined ? body : only.value;
}

function restore({ variables }: Run, name: string, value: Value | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

function loop(run: Run, { names, list, body, isScoped }: LoopNode): Value {
  const element = elementOf(ownValue(evaluate(run, list)));
  const before = names.map((name) => run.variables.get(name));
  names.forEach((name, index) => {
    const part = element.type === 'list' ? element.items[index] : index === 0 ? element : undefined;
    run.variables.set(name, names.length === 1 ? element : (part ?? UNKNOWN_VALUE));
  });
  const value = body === undefined ? UNKNOWN_VALUE : maybe(run, inBlock(body));
  for (const [index, name] of names.entries()) if (isScoped) restore(run, name, before[index]);
  return listOf(value);
}

function assign(run: Run, { target, operator, value: node }: AssignmentNode): Value {
  const value = evaluate(run, node);
  setTarget(run, target, value, operator);
  return value;
}

function setTarget(run: Run, target: Node, value: Value, operator = '='): void {
  const { variables, setAt } = run;
  if (target.type === 'group') {
    target.items.forEach(({ key, value: item, isSpread }, index) => {
      const name = key ?? targetName(item) ?? '';
      const entry =
        value.type === 'object'
          ? value.entries.get(name)
          : value.type === 'function'
            ? functionNamed([...value.names, name])
            : undefined;
      const part = target.bracket === '{' ? entry : value.type === 'list' ? value.items[index] : undefined;
      setTarget(run, item, (isSpread === true ? undefined : part) ?? UNKNOWN_VALUE);
    });
    return;
  }
  const name = targetName(target.type === 'index' ? target.owner : target);
  if (target.type !== 'name') evaluate(run, target);
  if (name === undefined) return;
  const before = variables.get(name);
  const isSet = target.type === 'name' && (operator === '=' || operator === ':=');
  const isMore = target.type === 'name' && operator === '+=' && before !== undefined;
  const known = isSet ? value : isMore ? concatenated(before, value) : UNKNOWN_VALUE;
  // In a block that may not be run, the one before may stay.
  const outer = setAt.get(name) ?? run.depth;
  variables.set(name, before !== undefined && run.depth > outer ? eitherOf(before, known) : known);
  setAt.set(name, Math.min(run.depth, outer));
}

/** `words.append("x")`; another method of which nothing is known may make anything of them. */
function noteChanged({ variables, language }: Run, { names, args, receiver }: FoundCall): void {
  const [variable = '', call = ''] = names;
  if (receiver?.type !== 'list' || names.length !== 2) return;
  const more = call === 'extend' ? args.flatMap((arg) => (arg.type === 'list' ? arg.items : [arg])) : args;
  if (/^(?:append|push|add|extend)$/.test(call))
    variables.set(variable, listValue([...receiver.items, ...more]));
  else if (callRow(language, names) === undefined) variables.set(variable, UNKNOWN_VALUE);
}
