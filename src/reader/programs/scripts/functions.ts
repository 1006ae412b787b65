import { knownText } from '../../reading/word.ts';
import { resultOf } from './results.ts';
import { type CodeRow, callRow } from './rows.ts';
import { type FunctionNode, inBlock, targetName } from './tree.ts';
import {
  callOf,
  elementOf,
  type FoundCall,
  functionNamed,
  listOf,
  listValue,
  NO_NAMES,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';
import { maybe, type Run, readTarget, reportCall, withVariables } from './variables.ts';

/** Tells of a call, and of those of the functions that it is given. */
export function call(run: Run, row: CodeRow, found: FoundCall): Value {
  reportCall(run, row, found);
  const { args, named, names, receiver } = found;
  const result = resultOf(row, found, run.language);
  if (row.gives === 'function' && result.type === 'function') return result;
  const list = row.each === 0 ? (receiver ?? functionNamed(names.slice(0, -1))) : args[(row.each ?? 0) - 1];
  // `readdir(path, (error, names) => …)`
  const given = row.each === undefined ? [UNKNOWN_VALUE, result] : [elementOf(list)];
  const results = [...args, ...named.values()].map((value) =>
    pass(run, value, given, row.each !== undefined),
  );
  const mapped = results.find((value) => value !== undefined);
  if (row.gives !== 'mapped' || mapped === undefined) return result;
  // With values that are one of several nobody knows which belongs to which item.
  const count = mapped.type === 'any' ? mapped.values.length : 1;
  return list?.type === 'list' && list.items.length !== count ? UNKNOWN_VALUE : listOf(mapped);
}

/** Reads a function that is passed on, with its arguments; undefined if it is none. `isCalled`: it is surely called. */
export function pass(run: Run, value: Value, given: readonly Value[], isCalled = false): Value | undefined {
  const name = isCalled && run.language === 'php' ? knownText(wordOf(value)) : undefined;
  if (value.type !== 'function' && name === undefined) return undefined;
  if (value.type === 'function' && value.written !== undefined) return enter(run, value.written, given);
  const names = value.type === 'function' ? value.names : [name ?? ''];
  const row = callRow(run.language, names);
  // A variable may have the name of a function that is imported.
  const isMeant = isCalled || names.length > 1 || row?.runs === 'code';
  if (row === undefined || given.length === 0 || !isMeant) return undefined;
  return call(run, row, callOf(names, given.slice(0, 1)));
}

/** A function that is written down: it may be called with anything, unless all that was seen of it are calls. */
export function define(run: Run, node: FunctionNode): Value {
  const { functions, isDynamic, variables } = run;
  if (functions.get(node) !== 'called') enter(run, node, []);
  if (node.body === undefined) return UNKNOWN_VALUE;
  if (!functions.has(node)) functions.set(node, isDynamic ? 'open' : 'defined');
  const value: Value = { ...functionNamed([]), written: node };
  if (node.name !== undefined) variables.set(node.name, value);
  return value;
}

export function enterFunction(
  run: Run,
  node: FunctionNode,
  args: readonly Value[],
  named: FoundCall['named'],
): void {
  // The arguments of a call to itself are not followed.
  const isOpen = run.functions.get(node) === 'open' || run.entered.has(node) || run.isDynamic;
  run.functions.set(node, isOpen ? 'open' : 'called');
  enter(run, node, args, named);
}

/** Reads a function with values for its first parameters; the arguments of a call to itself are not followed. */
function enter(
  run: Run,
  node: FunctionNode,
  given: readonly Value[],
  named: FoundCall['named'] = NO_NAMES,
): Value {
  const { parameters, body } = node;
  if (run.entered.has(node)) return UNKNOWN_VALUE;
  run.entered.add(node);
  const values = new Map<string, Value | undefined>();
  parameters.forEach(({ key, value: parameter, isSpread }, index) => {
    if (key === undefined) readTarget(run, parameter);
    else run.evaluate(run, parameter);
    const name = key ?? targetName(parameter);
    const rest = given.length > 0 ? listValue(given.slice(index)) : undefined;
    const value = isSpread === true ? rest : (given[index] ?? named.get(name ?? ''));
    if (name !== undefined) values.set(name, value ?? UNKNOWN_VALUE);
    // `({ exec }) => …`: its names mean themselves.
    for (const item of parameter.type === 'group' ? parameter.items : [])
      values.set(item.key ?? targetName(item.value) ?? '', undefined);
  });
  let result = UNKNOWN_VALUE;
  if (body !== undefined) result = withVariables(run, values, () => maybe(run, inBlock(body)));
  else for (const [name, value = UNKNOWN_VALUE] of values) run.variables.set(name, value);
  run.entered.delete(node);
  return result;
}
