import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../lib/json.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import { and, anyTruth, not, or, type Truth } from '../../../model/truth.ts';
import { otherSpellings, otherSpellingsIn } from '../../../reader/programs/spec/row-table.ts';
import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, showWord, type Word } from '../../../reader/reading/word.ts';
import type { SpecProblem } from '../matcher.ts';
import { type AskedPart, askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import { VALUE_TEST_SCHEMA, valueTestProblems } from '../types/value-test.ts';
import { compileWordTest, type WordTest } from '../types/word-test.ts';
import type { CommandTest } from './test.ts';

/** Whatever flag it is. */
export const ANY_FLAG = '-*';

const flag = { type: 'string', minLength: 1 } as const;
const flags = { anyOf: [flag, { type: 'array', minItems: 1, items: flag }] } as const;

/** JSON Schema of a test on flags. */
export const FLAGS_SCHEMA: JsonObject = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    any: { ...flags, description: 'At least one of these flags is present' },
    all: { ...flags, description: 'All of these flags are present' },
    none: { ...flags, description: 'None of these flags is present' },
    unless: {
      ...flags,
      description: 'None of these flags is visibly present; a variable that may contain one does not count',
    },
    values: {
      type: 'object',
      minProperties: 1,
      propertyNames: flag,
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
  return [{ code: 'bad-value', path, message, hint: 'write it as -f or --force' }];
}

/**
 * Compiles a test on the flags in force of one command.
 *
 * @param named how many subcommands the policy names: then flags in front of them are those of the program
 */
export function flagTest(spec: Json, named = 0): CommandTest {
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
    const ask = (part: Omit<AskedPart, 'seen'>, answer: () => Truth) => {
      truth = and(
        truth,
        askPart(() => ({ ...part, seen: () => seenFlags(command) }), 0, missed, answer),
      );
    };
    if (anyOf.length > 0)
      ask({ path: ['any'], wanted: [...anyOf] }, () =>
        anyOf.reduce<Truth>((found, name) => or(found, has(command, name, named)), false),
      );
    for (const name of all) ask({ path: ['all'], wanted: name }, () => has(command, name, named));
    for (const name of none)
      ask({ path: ['none'], wanted: name, excludes: true }, () => not(has(command, name, named)));
    for (const { name, wanted, test } of valued)
      ask({ path: ['values', name], wanted }, () => hasValue(command, name, named, test));
    for (const name of unless)
      ask({ path: ['unless'], wanted: name, excludes: true }, () => has(command, name, named) !== true);
    return truth;
  };
}

/** The flags of a command for people, with their values. */
export function seenFlags({ flags }: ReadCommand): readonly string[] {
  return flags.map(({ name, value }) => (value === undefined ? name : `${name} ${showWord(value)}`));
}

function listOf(spec: Json | undefined): readonly string[] {
  if (spec === undefined) return [];
  return (Array.isArray(spec) ? spec : [spec]).map(String);
}

function has(command: ReadCommand, name: string, named: number): Truth {
  checkTime();
  if (name === '--') return command.args.some((word) => knownText(word) === '--');
  if (name === ANY_FLAG ? command.flags.length > 0 : flagsCalled(command, name, named).length > 0)
    return true;
  return command.args.some((word) => couldHoldFlags(word, command)) ? 'unknown' : false;
}

/** The flags of this name, in whichever spelling. */
function flagsCalled(command: ReadCommand, name: string, named: number): readonly Flag[] {
  const called = command.flags.filter((flag) => flag.name === name || flag.written === name);
  const found = named > 0 ? called.filter((flag) => !isOfProgram(flag, command)) : called;
  const others = command.flags.length === found.length ? [] : otherSpellings(command, name);
  if (others.length === 0) return found;
  return command.flags.filter(
    (flag) => found.includes(flag) || others.includes(flag.name) || others.includes(flag.written),
  );
}

/** `git -C folder commit`: `-C` of commit is another one, with spellings of its own. */
function isOfProgram({ name, arg }: Flag, { rows, args, operands, subcommands }: ReadCommand): boolean {
  const subcommand = operands[subcommands - 1];
  if (rows.length < 2 || subcommand === undefined || arg >= args.indexOf(subcommand)) return false;
  const [program, own] = [rows[0], rows.at(-1)].map((row) => row && otherSpellingsIn(row, name).join());
  return own !== '' && own !== program;
}

/** Is a flag given with a value that passes? Where nobody knows that it takes one, the next word may be it. */
function hasValue(command: ReadCommand, name: string, named: number, test: WordTest): Truth {
  const given = anyTruth(flagsCalled(command, name, named), ({ value }) =>
    value === undefined ? 'unknown' : test(value),
  );
  return given === false && command.args.some((word) => couldHoldFlags(word, command)) ? 'unknown' : given;
}

/**
 * A word that is nothing but an unquoted expansion may be flags. One in quotes is taken for what it nearly always is,
 * an operand: `rm "$file"`. What follows a dash is a flag in quotes as well, unless it is the value of one: `-$X` and
 * `--for$X`, but not `-n$X` and `--depth=$X`.
 */
function couldHoldFlags(word: Word, { flags }: ReadCommand): boolean {
  const [first, second] = word;
  if (first?.type === 'unknown') return word.length === 1 && first.splits;
  if (first?.type !== 'text' || second?.type !== 'unknown' || !first.text.startsWith('-')) return false;
  return !flags.some(({ written, value }) => value !== undefined && first.text.startsWith(written));
}
