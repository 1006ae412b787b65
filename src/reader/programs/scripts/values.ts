import {
  isSameWord,
  joinWords,
  knownChars,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { FunctionNode } from './tree.ts';

/**
 * A value without running the program. `any`: one of several; `function`: an uncalled one; `isPartial`: there may be more
 * entries.
 */
export type Value =
  | { readonly type: 'text'; readonly word: Word }
  | { readonly type: 'list'; readonly items: readonly Value[] }
  | { readonly type: 'object'; readonly entries: ReadonlyMap<string, Value>; readonly isPartial: boolean }
  | { readonly type: 'any'; readonly values: readonly Value[] }
  | { readonly type: 'function'; readonly names: readonly string[]; readonly written?: FunctionNode }
  | { readonly type: 'unknown' };

/** A call, with the parts of its name. `receiver`: the value before its dot, if there is one. */
export interface FoundCall {
  readonly names: readonly string[];
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly receiver: Value | undefined;
}

/** For a call without named arguments. */
export const NO_NAMES: ReadonlyMap<string, Value> = new Map();

/** A call with nothing but these. */
export function callOf(names: readonly string[], args: readonly Value[], receiver?: Value): FoundCall {
  return { names, args, named: NO_NAMES, receiver };
}

/** Names of the objects that hold all variables of the environment. */
export const ENVIRONMENTS: ReadonlySet<string> = new Set(
  'env environ ENV $ENV %ENV $_ENV $_SERVER'.split(' '),
);

/** True for all of the environment, as text too, and for nothing else that somebody calls so: `config.env`. */
export function isEnvironment(value: Value | undefined): value is Extract<Value, { type: 'function' }> {
  return value?.type === 'function' && SURE.test(value.names.join('.'));
}

const SURE = /^(?:(?:process|Bun)\.env|os\.environ|[$%]?ENV|\$_(?:ENV|SERVER))$/;

/** A value that nobody knows. */
export const UNKNOWN_VALUE: Value = { type: 'unknown' };

/** A text with more parts or characters is not followed. */
export const MAX_PARTS = 256;
const MAX_CHARS = 1 << 16;
/** How many items of a list are followed, and how many values a variable may have at once. */
const MAX_ITEMS = 256;
const MAX_VALUES = 64;

/** A text; unknown if it is too long to be followed. */
export function textValue(word: Word): Value {
  const isShort = word.length <= MAX_PARTS && knownChars(word) <= MAX_CHARS;
  return isShort ? { type: 'text', word } : UNKNOWN_VALUE;
}

export function wordOf(value: Value | undefined): Word {
  return value?.type === 'text' ? value.word : unknownWord('a computed value');
}

/** A function that has not been called, by the parts of its name. */
export function functionNamed(names: readonly string[]): Extract<Value, { type: 'function' }> {
  return { type: 'function', names };
}

/** Values that are too many are followed by one that may be anything, a text too. */
function upTo(most: number, values: readonly Value[]): readonly Value[] {
  return values.length > most ? [...values.slice(0, most), textValue(wordOf(undefined))] : values;
}

/** A list; items beyond its bound are at its end as one that nobody knows. */
export function listValue(items: readonly Value[]): Value {
  return { type: 'list', items: upTo(MAX_ITEMS, items) };
}

function allOf(value: Value): readonly Value[] {
  return value.type === 'any' ? value.values : [value];
}

export function anyOf(values: readonly Value[]): Value {
  const all = values.flatMap(allOf);
  return all.length > 1 ? { type: 'any', values: upTo(MAX_VALUES, all) } : (all[0] ?? UNKNOWN_VALUE);
}

/** One of two, each of which may be one of several. */
export function eitherOf(a: Value, b: Value): Value {
  const isSame = (first: Value, second: Value) =>
    first.type === 'text' && second.type === 'text'
      ? isSameWord(first.word, second.word)
      : first.type === 'unknown' && second.type === 'unknown';
  return anyOf([a, ...allOf(b).filter((value) => !allOf(a).some((other) => isSame(other, value)))]);
}

/** The items that a loop over a value goes through. A text is every text that its wildcards fit. */
export function elementOf(value: Value | undefined): Value {
  if (value?.type === 'list') return anyOf(value.items);
  if (value?.type === 'any') return anyOf(value.values.map(elementOf));
  return value?.type === 'text' || value?.type === 'function' ? value : UNKNOWN_VALUE;
}

/** The item of a value that is at an index or key; undefined if nothing is known of the value. */
export function itemOf(value: Value | undefined, index: string | undefined): Value | undefined {
  // One of the paths that fit a pattern.
  if (value?.type === 'text' && value.word.some(({ type }) => type === 'glob')) return value;
  if (value?.type === 'any') return anyOf(value.values.map((one) => itemOf(one, index) ?? UNKNOWN_VALUE));
  if (isEnvironment(value)) return value;
  if (value?.type === 'list')
    return index === undefined
      ? elementOf(value)
      : (/^-?[0-9]+$/.test(index) && value.items.at(Number(index))) || UNKNOWN_VALUE;
  if (value?.type === 'object' && index === undefined)
    return value.isPartial ? UNKNOWN_VALUE : anyOf([...value.entries.values()]);
  if (value?.type === 'object') return value.entries.get(index ?? '') ?? UNKNOWN_VALUE;
  return value === undefined && index !== undefined && !/^[0-9]+$/.test(index) ? undefined : UNKNOWN_VALUE;
}

/** All the values that one of several may be, as a list. */
export function listOf(value: Value): Value {
  return value.type === 'any' ? listValue(value.values) : value;
}

/** Combinations of values. Those that are one of several vary together, as they come from the same loop. */
export function alternatives(values: readonly Value[]): readonly (readonly Value[])[] {
  const isOpen = ({ type }: Value) => type === 'any';
  const parts = values.flatMap((value) => (value.type === 'list' ? value.items : [value]));
  const count = Math.max(1, ...parts.map((part) => allOf(part).length));
  const pick = (value: Value, index: number): Value => {
    const all = allOf(value);
    return all[index % all.length] ?? UNKNOWN_VALUE;
  };
  return Array.from({ length: count }, (_, index) =>
    values.map((value) =>
      value.type === 'list' && value.items.some(isOpen)
        ? { type: 'list', items: value.items.map((item) => pick(item, index)) }
        : pick(value, index),
    ),
  );
}

/** A value made of others, for each way in which they may come together. */
export function combined(values: readonly Value[], combine: (values: readonly Value[]) => Value): Value {
  return anyOf(alternatives(values).map(combine));
}

/** Two values put together by `+` and the like. */
export function concatenated(a: Value, b: Value): Value {
  if (a.type === 'list' && b.type === 'list') return listValue([...a.items, ...b.items]);
  return combined([a, b], ([left, right]) => {
    if (left?.type === 'list' && right?.type === 'list') return listValue([...left.items, ...right.items]);
    if (isEnvironment(left)) return left;
    if (isEnvironment(right)) return right;
    if (left?.type !== 'text' && right?.type !== 'text') return UNKNOWN_VALUE;
    return textValue(joinWords(wordOf(left), wordOf(right)));
  });
}

/** Two values put together by a plus sign; of numbers nobody knows whether it adds them. */
export function addition(a: Value, b: Value): Value {
  const isNumber = (value: Value) => /^[0-9.]+$/.test(knownText(wordOf(value)) ?? '');
  return isNumber(a) && isNumber(b) ? UNKNOWN_VALUE : concatenated(a, b);
}

/** Paths joined by slashes; an absolute one starts anew. */
export function joinedPath(parts: readonly Value[]): Value {
  return combined(parts, (some) => {
    const words = some.map(wordOf).filter((word, index) => index > 0 || word.length > 0);
    const path = words.reduce<Word | undefined>((before, word) => {
      const isFirst = before === undefined || before.length === 0 || leadingText(word).startsWith('/');
      return isFirst ? word : joinWords(joinWords(before, textWord('/')), word);
    }, undefined);
    return textValue(path ?? textWord('.'));
  });
}
