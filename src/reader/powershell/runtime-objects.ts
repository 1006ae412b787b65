import { unknownWord, type Word } from '../reading/word.ts';
import type { PsArguments, PsFrame, RuntimeObject, Value } from './state.ts';

/** The blocks, code and tables among the words of a value. */
export function objectsOf(value: Value, { state }: PsFrame): readonly RuntimeObject[] {
  return value.flat().flatMap((part) => state.objects.get(part) ?? []);
}

/** A word that means a block or a table. */
export function objectWord(source: string, thing: RuntimeObject, { state }: PsFrame): Word {
  const word = unknownWord(source);
  for (const part of word) state.objects.set(part, thing);
  return word;
}

/** True if the thing behind a value can be run. */
export function isRunnable(value: Value, at: PsFrame): boolean {
  return objectsOf(value, at).some(({ type }) => type !== 'table');
}

export function runObjects(value: Value, given: PsArguments, at: PsFrame): Value {
  return objectsOf(value, at).flatMap((thing) => runObject(thing, given, at));
}

/** The same, with those in a table: `@{ n = 'x'; e = { … } }`. */
export function runNestedObjects(value: Value, given: PsArguments, at: PsFrame): Value {
  return objectsOf(value, at).flatMap((thing) => {
    if (thing.type !== 'table') return runObject(thing, given, at);
    for (const entry of thing.entries.values()) runObjects(entry, given, at);
    return [];
  });
}

function runObject(thing: RuntimeObject, given: PsArguments, at: PsFrame): Value {
  if (thing.type === 'block') return at.read.call(thing.block, given, at);
  return thing.type === 'code' ? at.read.cmdlet('invoke-expression', [thing.text], at) : [];
}
