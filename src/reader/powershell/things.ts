import { unknownWord, type Word } from '../reading/word.ts';
import type { At, Given, Thing, Value } from './state.ts';

/** The blocks, code and tables among the words of a value. */
export function thingsIn(value: Value, { state }: At): readonly Thing[] {
  return value.flat().flatMap((part) => state.things.get(part) ?? []);
}

/** A word that means a block or a table. */
export function thingWord(source: string, thing: Thing, { state }: At): Word {
  const word = unknownWord(source);
  for (const part of word) state.things.set(part, thing);
  return word;
}

/** True if the thing behind a value can be run. */
export function isRunnable(value: Value, at: At): boolean {
  return thingsIn(value, at).some(({ type }) => type !== 'table');
}

/** Runs the blocks behind a value. */
export function runThings(value: Value, given: Given, at: At): Value {
  return thingsIn(value, at).flatMap((thing) => runThing(thing, given, at));
}

/** The same, with those in a table: `@{ n = 'x'; e = { … } }`. */
export function runAllThings(value: Value, given: Given, at: At): Value {
  return thingsIn(value, at).flatMap((thing) => {
    if (thing.type !== 'table') return runThing(thing, given, at);
    for (const entry of thing.entries.values()) runThings(entry, given, at);
    return [];
  });
}

function runThing(thing: Thing, given: Given, at: At): Value {
  if (thing.type === 'block') return at.read.call(thing.block, given, at);
  return thing.type === 'code' ? at.read.cmdlet('invoke-expression', [thing.text], at) : [];
}
