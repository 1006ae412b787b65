import {
  isSameWord,
  joinWords,
  knownChars,
  leadingText,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { FunctionNode } from './tree.ts';

/**
 * What an expression of a program comes to, as far as it can be told without running it. `any`: one of several, as the
 * variable of a loop is; `function`: a function that has not been called, by its names or as it is written.
 */
export type Value =
  | { readonly type: 'text'; readonly word: Word }
  | { readonly type: 'list'; readonly items: readonly Value[] }
  | { readonly type: 'object'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly type: 'any'; readonly values: readonly Value[] }
  | { readonly type: 'function'; readonly names: readonly string[]; readonly written?: FunctionNode }
  | { readonly type: 'unknown' };

/** Names of what holds all variables of the environment. */
export const ENVIRONMENTS: ReadonlySet<string> = new Set([
  'env',
  'environ',
  'ENV',
  '$ENV',
  '%ENV',
  '$_ENV',
  '$_SERVER',
]);

export const UNKNOWN_VALUE: Value = { type: 'unknown' };

/** A text with more parts or characters is not followed. */
export const MAX_PARTS = 256;
const MAX_CHARS = 1 << 16;
/** How many items of a list are followed. */
const MAX_ITEMS = 256;

export function textValue(word: Word): Value {
  const isShort = word.length <= MAX_PARTS && knownChars(word) <= MAX_CHARS;
  return isShort ? { type: 'text', word } : UNKNOWN_VALUE;
}

/** Stands for values that are too many to be followed. It may be anything that they may be, a text too. */
export const MORE: Value = { type: 'text', word: unknownWord('a computed value') };

/** Values in their order. What is too much for a list stands at its end as one that nobody knows. */
export function listValue(items: readonly Value[]): Value {
  return { type: 'list', items: upTo(MAX_ITEMS, items) };
}

function upTo(most: number, values: readonly Value[]): readonly Value[] {
  return values.length > most ? [...values.slice(0, most), MORE] : values;
}

/** A value as a word; unknown if it is not a text. */
export function wordOf(value: Value | undefined): Word {
  return value?.type === 'text' ? value.word : unknownWord('a computed value');
}

/** How many values a variable may have at once. */
const MAX_VALUES = 64;

/** One of several values. */
export function anyOf(values: readonly Value[]): Value {
  if (values.length === 0) return UNKNOWN_VALUE;
  const [first] = values;
  return values.length === 1 && first !== undefined
    ? first
    : { type: 'any', values: upTo(MAX_VALUES, values) };
}

/** One of two, each of which may be one of several. */
export function eitherOf(a: Value, b: Value): Value {
  const [first, second] = [a, b].map((value) => (value.type === 'any' ? value.values : [value]));
  const isNew = (value: Value) => first?.some((other) => isSame(other, value)) !== true;
  return anyOf([...(first ?? []), ...(second ?? []).filter(isNew)]);
}

function isSame(a: Value, b: Value): boolean {
  if (a.type === 'text' && b.type === 'text') return isSameWord(a.word, b.word);
  return a.type === 'unknown' && b.type === 'unknown';
}

/** What a loop over a value goes through. A text stands for each of the texts that its wildcards stand for. */
export function elementOf(value: Value | undefined): Value {
  switch (value?.type) {
    case 'list':
      return anyOf(value.items.flatMap((item) => (item.type === 'any' ? item.values : [item])));
    case 'any':
      return anyOf(value.values.map(elementOf));
    case 'text':
      return value;
    default:
      return UNKNOWN_VALUE;
  }
}

/** The item of a value that stands at an index or key; undefined if nothing is known of the value. */
export function itemOf(value: Value | undefined, index: string | undefined): Value | undefined {
  // One of the paths that fit a pattern.
  if (value?.type === 'text' && value.word.some(({ type }) => type === 'glob')) return value;
  if (value?.type === 'any') return anyOf(value.values.map((one) => itemOf(one, index) ?? UNKNOWN_VALUE));
  if (index === undefined) return value?.type === 'text' ? UNKNOWN_VALUE : elementOf(value);
  if (value?.type === 'object') return value.entries.get(index) ?? UNKNOWN_VALUE;
  if (value?.type === 'list') return value.items.at(Number(index)) ?? UNKNOWN_VALUE;
  return value === undefined && !/^[0-9]+$/.test(index) ? undefined : UNKNOWN_VALUE;
}

/** All the values that one of several may be, as a list. */
export function listOf(value: Value): Value {
  return value.type === 'any' ? listValue(value.values) : value;
}

/**
 * Each way in which several values may come together. Values that are one of several go side by side: they come from the
 * same loop.
 */
export function alternatives(values: readonly Value[]): readonly (readonly Value[])[] {
  const count = values.reduce((most, value) => Math.max(most, countOf(value)), 1);
  if (count === 1) return [values];
  return Array.from({ length: count }, (_, index) => values.map((value) => alternative(value, index)));
}

function countOf(value: Value): number {
  if (value.type === 'any') return value.values.length;
  if (value.type !== 'list') return 1;
  return value.items.reduce((most, item) => Math.max(most, item.type === 'any' ? item.values.length : 1), 1);
}

function alternative(value: Value, index: number): Value {
  if (value.type === 'any') return value.values[index % value.values.length] ?? UNKNOWN_VALUE;
  if (value.type !== 'list' || countOf(value) === 1) return value;
  return { type: 'list', items: value.items.map((item) => alternative(item, index)) };
}

/** A value made of others, for each way in which they may come together. */
export function combined(values: readonly Value[], combine: (values: readonly Value[]) => Value): Value {
  return anyOf(alternatives(values).map(combine));
}

/** Two values put together by `+` and the like. */
export function concatenated(a: Value, b: Value): Value {
  if (a.type === 'list' && b.type === 'list') return listValue([...a.items, ...b.items]);
  return combined([a, b], ([left, right]) => {
    if (left?.type !== 'text' && right?.type !== 'text') return UNKNOWN_VALUE;
    return textValue(joinWords(wordOf(left), wordOf(right)));
  });
}

/** Paths joined by slashes; an absolute one starts anew. */
export function joinedPath(parts: readonly Value[]): Value {
  return combined(parts, (some) => {
    let path: Word | undefined;
    for (const part of some) {
      const word = wordOf(part);
      const isFirst = path === undefined || path.length === 0 || leadingText(word).startsWith('/');
      path = isFirst ? word : joinWords(joinWords(path ?? [], textWord('/')), word);
    }
    return textValue(path ?? textWord('.'));
  });
}

/** A call, with the parts of its name. */
export interface FoundCall {
  readonly names: readonly string[];
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** What stands before its dot, if that is a value. */
  readonly receiver: Value | undefined;
}
