import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../lib/json.ts';
import { CLOSED, TEXT, TEXT_OR_TEXTS } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { and, anyTruth, not, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { showWord } from '../../../reader/reading/word.ts';
import { type AskedPart, askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import { VALUE_TEST_SCHEMA, valueTestProblems } from '../types/value-test.ts';
import { compileWordTest, type WordTest } from '../types/word-test.ts';
import { flagsCalled, hasFlag, mayHaveUnknownFlags } from './called-flags.ts';
import type { CommandTest } from './test.ts';

export const FLAGS_SCHEMA: JsonObject = {
  ...CLOSED,
  minProperties: 1,
  properties: {
    any: { ...TEXT_OR_TEXTS, description: 'At least one of these flags is present' },
    all: { ...TEXT_OR_TEXTS, description: 'All of these flags are present' },
    none: { ...TEXT_OR_TEXTS, description: 'None of these flags is present' },
    unless: {
      ...TEXT_OR_TEXTS,
      description: 'None of these flags is visibly present; a variable that may contain one does not count',
    },
    values: {
      type: 'object',
      minProperties: 1,
      propertyNames: TEXT,
      additionalProperties: VALUE_TEST_SCHEMA,
      description: 'Maps flags to tests: each of these flags is present with a value that passes',
    },
  },
  description:
    'Flags as -f or --force; bundles, abbreviations and --flag=value are taken apart, and both spellings count where they are known; -- is the mark after which there are none, and -* is any flag',
};

/** The problems in a test on flags that its schema cannot express. */
export function flagProblems(spec: Json): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return [];
  return Object.entries(spec).flatMap(([key, value]) => {
    if (key === 'values' && isJsonObject(value))
      return Object.entries(value).flatMap(([flag, test]) => [
        ...nameProblems(flag, [key, flag]),
        ...prefixed(key, prefixed(flag, valueTestProblems(test))),
      ]);
    if (!Array.isArray(value)) return nameProblems(value, [key]);
    return value.flatMap((flag, index) => nameProblems(flag, [key, index]));
  });
}

function nameProblems(flag: Json, path: SpecProblem['path']): readonly SpecProblem[] {
  if (typeof flag !== 'string' || /^[-+/][^\s=]+$/.test(flag)) return [];
  const message = `Cannot test flag "${flag}": a flag starts with a dash and is given without its value`;
  const [, name, value] = /^(--?[^\s=]+)=(.*)$/s.exec(flag) ?? [];
  const valued = `values: {${name}: '^${value}$'}`;
  const hint = name === undefined ? 'write it as -f or --force' : `test its value with ${valued}`;
  return [{ code: 'bad-value', path, message, hint }];
}

/**
 * Compiles a test on the flags in force of one command.
 *
 * @param namedBy how many subcommands the policy names: then flags in front of them are those of the program
 */
export function flagTest(spec: Json, namedBy: (command: ReadCommand) => number = () => 0): CommandTest {
  const namesIn = (key: string) => listOf(isJsonObject(spec) ? spec[key] : undefined);
  const anyOf = namesIn('any');
  const all = namesIn('all');
  const none = namesIn('none');
  const unless = namesIn('unless');
  const values = isJsonObject(spec) ? (ownObject(spec, 'values') ?? {}) : {};
  const valued = Object.entries(values).map(([name, test]) => ({
    name,
    wanted: test,
    test: compileWordTest(test),
  }));
  return (command, _reading, _surroundings, missed) => {
    let truth: Truth = true;
    const named = namedBy(command);
    const ask = (part: Omit<AskedPart, 'seen'>, answer: () => Truth) => {
      truth = and(
        truth,
        askPart(() => ({ ...part, seen: () => seenFlags(command) }), 0, missed, answer),
      );
    };
    if (anyOf.length > 0)
      ask({ path: ['any'], wanted: [...anyOf] }, () =>
        anyOf.reduce<Truth>((found, name) => or(found, hasFlag(command, name, named)), false),
      );
    for (const name of all) ask({ path: ['all'], wanted: name }, () => hasFlag(command, name, named));
    for (const name of none)
      ask({ path: ['none'], wanted: name, excludes: true }, () => not(hasFlag(command, name, named)));
    for (const { name, wanted, test } of valued)
      ask({ path: ['values', name], wanted }, () => hasValue(command, name, named, test));
    for (const name of unless)
      ask({ path: ['unless'], wanted: name, excludes: true }, () => hasFlag(command, name, named) !== true);
    return truth;
  };
}

export function seenFlags({ flags }: ReadCommand): readonly string[] {
  return flags.map(({ name, value }) => (value === undefined ? name : `${name} ${showWord(value)}`));
}

function listOf(spec: Json | undefined): readonly string[] {
  if (spec === undefined) return [];
  return (Array.isArray(spec) ? spec : [spec]).map(String);
}

/** Tests if a flag is given with a value that passes. If nobody knows that it takes one, the next word may be it. */
function hasValue(command: ReadCommand, name: string, named: number, test: WordTest): Truth {
  const given = anyTruth(flagsCalled(command, name, named), ({ value }) =>
    value === undefined ? 'unknown' : test(value),
  );
  return given === false && mayHaveUnknownFlags(command) ? 'unknown' : given;
}
