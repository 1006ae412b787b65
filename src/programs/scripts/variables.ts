import { showWord, type Word, type WordPart } from '../../reading/word.ts';
import { type CodeRow, callRow, type Language } from './rows.ts';
import { type Aliases, type FunctionNode, type Node, targetName } from './tree.ts';
import {
  added,
  alternatives,
  eitherOf,
  type FoundCall,
  functionNamed,
  listValue,
  UNKNOWN_VALUE,
  type Value,
} from './values.ts';

/** Code while it is gone through. */
export interface Run {
  readonly language: Language;
  readonly aliases: Aliases;
  readonly placeholders: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** In how many blocks the variables were set. */
  readonly setAt: Map<string, number>;
  /** Told of every call that has a row, for each of the values that its arguments may have. */
  readonly onCall: ((row: CodeRow, call: FoundCall) => void) | undefined;
  /** What has been seen of the functions that are written down. `open`: there may be calls that cannot be seen. */
  readonly functions: Map<FunctionNode, 'defined' | 'called' | 'open'>;
  /** Those that are being read with what they are called with. */
  readonly entered: Set<FunctionNode>;
  /** True if the code may reach its functions by other ways than their names. */
  readonly isDynamic: boolean;
  /** How many blocks that may not be run are around. */
  depth: number;
  /** How many expressions are around. */
  nesting: number;
  /** How many values may still be worked out. */
  work: number;
}

/** Sets what the left side of an assignment names. */
export function setTarget(run: Run, target: Node, value: Value, operator = '='): void {
  const { variables, setAt } = run;
  if (target.type === 'group') {
    target.items.forEach(({ key, value: item, isSpread }, index) => {
      const name = key ?? targetName(item) ?? '';
      const member = value.type === 'function' ? functionNamed([...value.names, name]) : undefined;
      const entry = value.type === 'object' ? value.entries.get(name) : member;
      const part = value.type === 'list' && isSpread !== true ? value.items[index] : undefined;
      setTarget(run, item, (target.bracket === '{' ? entry : part) ?? UNKNOWN_VALUE);
    });
    return;
  }
  const name = targetName(target.type === 'index' ? target.owner : target);
  if (name === undefined) return;
  const before = variables.get(name);
  const isMore = operator === '+=' && before !== undefined;
  const isSet = target.type === 'name' && (isMore || operator === '=' || operator === ':=');
  const known = !isSet ? UNKNOWN_VALUE : isMore ? added(before, value) : value;
  // In a block that may not be run, the one before may stay.
  const outer = setAt.get(name) ?? run.depth;
  variables.set(name, before !== undefined && run.depth > outer ? eitherOf(before, known) : known);
  setAt.set(name, Math.min(run.depth, outer));
}

/** Sets variables for as long as something is read, behind which their names stand for what they did before. */
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

/** `words.append("x")`; another method of which nothing is known may make anything of them. */
export function noteChanged({ variables, language }: Run, { names, args, receiver }: FoundCall): void {
  const [variable = '', call = ''] = names;
  if (receiver?.type !== 'list' || names.length !== 2) return;
  const more = call === 'extend' ? args.flatMap((arg) => (arg.type === 'list' ? arg.items : [arg])) : args;
  if (/^(?:append|push|add|extend)$/.test(call))
    variables.set(variable, listValue([...receiver.items, ...more]));
  else if (callRow(language, names) === undefined) variables.set(variable, UNKNOWN_VALUE);
}

/** Whoever has a function other than to call it may call it with anything. */
export function noteUse({ functions }: Run, value: Value | undefined): void {
  if (value?.type === 'function' && value.written !== undefined) functions.set(value.written, 'open');
}

/** `setTimeout('go(x)', 1)`: a text may be the name of a function, or code that calls it. */
export function noteNames(run: Run, text: Word): void {
  for (const [, whole, called = ''] of showWord(text).matchAll(/^([\w$]+)$|(?<![\w$])([\w$]{1,64})\(/g))
    noteUse(run, run.variables.get(whole ?? called));
}

/** Tells of a call, for each of the values that it may be given. */
export function report(run: Run, row: CodeRow, found: FoundCall): void {
  const { receiver, args } = found;
  for (const [own, ...some] of alternatives([receiver ?? UNKNOWN_VALUE, ...args])) {
    if (--run.work < 0) return;
    run.onCall?.(row, { ...found, args: some, receiver: receiver === undefined ? undefined : own });
  }
}
