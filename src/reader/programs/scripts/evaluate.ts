import { fillPlaceholders } from '../../reading/placeholders.ts';
import { knownChars, knownText, outsideVariable } from '../../reading/word.ts';
import { call, define, enterFunction, pass } from './functions.ts';
import { matchingPaths } from './results.ts';
import { callRow, syntaxOf } from './rows.ts';
import { operated } from './text-calls.ts';
import { type GroupNode, type Item, inBlock, type LoopNode, type Node, targetName } from './tree.ts';
import {
  callOf,
  concatenated,
  ENVIRONMENTS,
  eitherOf,
  elementOf,
  type FoundCall,
  functionNamed,
  isEnvironment,
  itemOf,
  listOf,
  listValue,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';
import {
  maybe,
  noteChanged,
  noteNames,
  noteUse,
  partsOf,
  type Run,
  readTarget,
  reportCall,
  setTarget,
  withVariables,
} from './variables.ts';

/** The limit of nested expressions. */
const MAX_NESTING = 1_000;

/** The value of a piece of code; reports its calls. */
export function evaluate(run: Run, node: Node): Value {
  const value = inside(run, () => valueFor(run, node)) ?? UNKNOWN_VALUE;
  if (value.type === 'any') run.work -= value.values.length;
  if (value.type === 'text') run.work -= knownChars(value.word) >> 8;
  return value;
}

/** Evaluates a part, unless it is nested too deep. */
function inside<T>(run: Run, work: () => T): T | undefined {
  if (run.nesting > MAX_NESTING) run.work = -1;
  if (--run.work < 0) return undefined;
  run.nesting++;
  const found = work();
  run.nesting--;
  return found;
}

function valueFor(run: Run, node: Node): Value {
  switch (node.type) {
    case 'text': {
      const value = textFor(run, node);
      // Calls in an interpolation are reported when that is evaluated.
      const written = node.word.filter((_, index) => !node.interpolations.has(index));
      noteNames(run, written);
      if (node.isCommand) reportCall(run, { runs: 'shell' }, callOf([], [value]));
      return node.isCommand ? UNKNOWN_VALUE : value;
    }
    case 'group':
      return groupValue(run, node);
    case 'function':
      return define(run, node);
    case 'operation': {
      const left = evaluate(run, node.left);
      const right = maybe(run, node.right);
      const isKnown = syntaxOf(run.language).operators.includes(node.operator);
      return isKnown ? operated(node.operator, left, right) : UNKNOWN_VALUE;
    }
    case 'choice':
      return choose(run, node);
    case 'assignment': {
      const value = evaluate(run, node.value);
      readTarget(run, node.target);
      setTarget(run, node.target, value, node.operator);
      return node.operator === '=' || node.operator === ':=' ? value : UNKNOWN_VALUE;
    }
    case 'loop':
      return loop(run, node);
    case 'unknown':
      return UNKNOWN_VALUE;
    default:
      return follow(run, node).value;
  }
}

function textFor(run: Run, { word, interpolations }: Extract<Node, { type: 'text' }>): Value {
  return word.reduce<Value>((value, part, index) => {
    const interpolation = interpolations.get(index);
    const found = interpolation === undefined ? undefined : evaluate(run, interpolation);
    const filled = part.type === 'text' ? fillPlaceholders(part.text, run.placeholders) : [part];
    const isFollowed = found?.type === 'text' || found?.type === 'any' || isEnvironment(found);
    return concatenated(value, isFollowed ? found : textValue(filled));
  }, textValue([]));
}

function choose(run: Run, { condition, values }: Extract<Node, { type: 'choice' }>): Value {
  if (condition !== undefined) evaluate(run, condition);
  const [first = UNKNOWN_VALUE, ...others] = values.map((node, index) =>
    condition === undefined && index === 0 ? evaluate(run, node) : maybe(run, node),
  );
  // A non-empty text is true, so the values after it do not matter.
  const isTrue = condition === undefined && first.type === 'text' && (knownText(first.word) ?? '') !== '';
  return isTrue ? first : others.reduce(eitherOf, first);
}

/** The values of a list; `key: value` is kept by its key. A call reads the functions among its arguments. */
function valuesOf(run: Run, items: readonly Item[], isCall = false): Pick<FoundCall, 'args' | 'named'> {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  for (const { key, value: node, isSpread } of items) {
    const written = isCall && node.type === 'function' ? node : undefined;
    const value = written === undefined ? evaluate(run, node) : { ...functionNamed([]), written };
    if (key !== undefined) named.set(key, value);
    else if (value.type === 'list' && (isSpread === true || run.language === 'perl'))
      args.push(...value.items);
    else args.push(value);
  }
  return { args, named };
}

function groupValue(run: Run, { bracket, items, endsWithComma }: GroupNode): Value {
  const isBlock = bracket === '{' || bracket === '';
  if (bracket === '{') run.depth++;
  const { args, named } = valuesOf(run, items);
  if (bracket === '{') run.depth--;
  const [one = UNKNOWN_VALUE] = args;
  if (isBlock) return { type: 'object', entries: named, isPartial: args.length > 0 };
  if (items.length === 1 && items[0]?.value.type === 'loop') return one;
  // `(a, b)` of JavaScript is b.
  if (run.language === 'javascript' && bracket === '(' && !endsWithComma) return args.at(-1) ?? UNKNOWN_VALUE;
  return bracket === '[' || args.length !== 1 || endsWithComma ? listValue(args) : one;
}

/** A value and the names on the way to it: those of `a.b(c).d` are `a`, `b` and `d`. */
interface ResolvedName {
  readonly names: readonly string[];
  readonly value: Value;
}

function follow(run: Run, node: Node): ResolvedName {
  return inside(run, () => followed(run, node)) ?? { names: [''], value: UNKNOWN_VALUE };
}

function followed(run: Run, node: Node): ResolvedName {
  if (node.type === 'name') {
    const value = run.variables.get(node.name);
    noteUse(run, value);
    const names =
      value?.type === 'function' && value.written === undefined
        ? value.names
        : (run.aliases.get(node.name) ?? [node.name]);
    const row = run.language === 'perl' && value === undefined ? callRow('perl', names) : undefined;
    const topic = row?.topic === true ? run.variables.get('$_') : undefined;
    if (row !== undefined && topic !== undefined)
      return { names, value: call(run, row, callOf(names, [topic])) };
    // In other languages any variable may have that name.
    const isOther = node.name === 'ENV' && run.language !== 'ruby';
    return { names, value: value ?? (isOther ? UNKNOWN_VALUE : functionNamed(names)) };
  }
  if (node.type === 'member') return memberOf(run, follow(run, node.owner), node.name);
  if (node.type === 'index') return indexed(run, node.owner, node.items);
  if (node.type === 'call') return called(run, node);
  // A method of an unknown value is not a known function.
  return { names: node.type === 'unknown' ? [''] : [], value: evaluate(run, node) };
}

/** Methods that return the whole environment in another form. */
const WHOLE = /^(?:items|values|copy|encode|entries|inspect|sort|to_\w+)$/;

function memberOf(run: Run, owner: ResolvedName, name: string): ResolvedName {
  const names = [...owner.names, name];
  const last = owner.names.at(-1) ?? '';
  const receiver = valueBefore(owner);
  // A call without parentheses.
  const row = run.language === 'ruby' ? callRow('ruby', names) : undefined;
  const qualified = run.variables.get(`${last}.${name}`);
  if (qualified !== undefined) return { names, value: qualified };
  if (run.language === 'ruby' && isEnvironment(owner.value) && WHOLE.test(name)) return owner;
  if (ENVIRONMENTS.has(last)) return { names, value: textValue(outsideVariable(name)) };
  if (row !== undefined) return { names, value: call(run, row, callOf(names, [], receiver)) };
  if (receiver === undefined) return { names, value: functionNamed(names) };
  // Entries of a folder: `entry.path`, `entry.name`.
  if (receiver.type === 'text' && name === 'path') return { names, value: receiver };
  if (receiver.type === 'text' && name === 'name')
    return { names, value: textValue(receiver.word.slice(-1)) };
  const entry = receiver.type === 'object' || receiver.type === 'any' ? itemOf(receiver, name) : undefined;
  // The arguments of a function in an object are not followed.
  const isFunction = (entry?.type === 'any' ? entry.values : [entry]).some((one) => one?.type === 'function');
  return { names, value: isFunction ? UNKNOWN_VALUE : (entry ?? UNKNOWN_VALUE) };
}

/** The value that a method is called on; undefined for a module or an unknown value. */
function valueBefore({ value }: ResolvedName): Value | undefined {
  return value.type === 'function' ? undefined : value;
}

function indexed(run: Run, node: Node, items: readonly Item[]): ResolvedName {
  // `$a[0]` of Perl is one of `@a`.
  const list = run.language === 'perl' && node.type === 'name' ? `@${node.name.slice(1)}` : '';
  const owner = follow(run, run.variables.has(list) ? { type: 'name', name: list } : node);
  const { names } = owner;
  const last = names.at(-1) ?? '';
  const before = valueBefore(owner);
  const { args, named } = valuesOf(run, items);
  const [first] = args;
  if (last === 'Dir' && run.language === 'ruby') return { names, value: matchingPaths(args, 'ruby') };
  const [[from, to] = []] = named;
  if (from !== undefined || args.length > 1) {
    // `list[1:]`
    const isRest = /^[0-9]+$/.test(from ?? '') && to?.type === 'unknown' && before?.type === 'list';
    return { names: [], value: isRest ? listValue(before.items.slice(Number(from))) : UNKNOWN_VALUE };
  }
  const word = run.language === 'perl' && first?.type === 'function' ? first.names.at(-1) : undefined;
  const index = knownText(wordOf(first)) ?? word;
  if (index === undefined) return { names, value: itemOf(before, index) ?? UNKNOWN_VALUE };
  const all = [...names, index];
  if (ENVIRONMENTS.has(last)) return { names: all, value: textValue(outsideVariable(index)) };
  return { names: all, value: itemOf(before, index) ?? functionNamed(all) };
}

function called(run: Run, { callee, items }: Extract<Node, { type: 'call' }>): ResolvedName {
  const owner = callee.type === 'member' ? follow(run, callee.owner) : undefined;
  const isWhole = callee.type === 'member' && items.length === 0 && WHOLE.test(callee.name);
  if (isWhole && owner !== undefined && isEnvironment(owner.value)) return owner;
  const target: ResolvedName =
    owner !== undefined && callee.type === 'member'
      ? { names: [...owner.names, callee.name], value: UNKNOWN_VALUE }
      : callee.type === 'name'
        ? {
            names: run.aliases.get(callee.name) ?? [callee.name],
            value: run.variables.get(callee.name) ?? UNKNOWN_VALUE,
          }
        : follow(run, callee);
  // PHP calls functions by texts.
  const text = run.language === 'php' ? knownText(wordOf(target.value)) : undefined;
  const written = target.value.type === 'function' ? target.value.written : undefined;
  const names =
    target.value.type === 'function' && written === undefined
      ? target.value.names
      : text === undefined
        ? target.names
        : [text];
  const { args, named } = valuesOf(run, items, true);
  if (written !== undefined) enterFunction(run, written, args, named);
  const found = { names, args, named, receiver: owner === undefined ? undefined : valueBefore(owner) };
  noteChanged(run, found);
  const row = callRow(run.language, names);
  if (row === undefined) {
    // `runner.go(…)` may be a method that is called `go`.
    if (callee.type !== 'name') noteUse(run, run.variables.get(names.at(-1) ?? ''));
    for (const value of [...args, ...named.values()]) pass(run, value, [UNKNOWN_VALUE]);
    // `exec.call(null, "ls")`: a method of a function.
    if (owner !== undefined) pass(run, owner.value, [UNKNOWN_VALUE]);
    return { names, value: UNKNOWN_VALUE };
  }
  const value = call(run, row, found);
  const module = row.names === undefined ? undefined : knownText(wordOf(args[row.names - 1]));
  if (module === undefined) return { names, value };
  return { names: [...names, module], value: functionNamed([...names, module]) };
}

function loop(run: Run, { target, list, body, isScoped }: LoopNode): Value {
  const parts = partsOf(target, elementOf(evaluate(run, list)));
  const values = new Map(parts.map(([node, value]) => [targetName(node) ?? '', value]));
  const read = () => listOf(maybe(run, inBlock(body)));
  if (isScoped) return withVariables(run, values, read);
  for (const [name, value] of values) run.variables.set(name, value);
  return read();
}
