import { asList, isJsonObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import { NO_SURROUNDINGS } from '../../model/surroundings.ts';
import type { Truth } from '../../model/truth.ts';
import { readCommand } from '../../reader/commands/read-command.ts';
import { ANY_FLAG } from '../keys/command/called-flags.ts';
import { compileCommandTest, testsIn } from '../keys/command/spec.ts';

/**
 * False if no command meets the keys on program, flags and operands. Tries commands with unknown rests: `git push -f "-$X"
 * $MORE`.
 */
export function isMeetable(test: JsonObject): boolean {
  const programs = programsOf(test);
  const words = asList(own(test, 'subcommand') ?? [])
    .slice(1)
    .map((each) => asList(each).map(String));
  const flags = flagsOf(test);
  const hasNone = ['none', 'unless'].some((key) =>
    asList(own(ownObject(test, 'flags') ?? {}, key) ?? []).includes(ANY_FLAG),
  );
  if (programs === undefined || programs.length * flags.length * productOf(words) > MAX_SAMPLES) return true;
  const args = ownObject(test, 'args');
  const { run, subcommand } = test;
  const named = withoutUndefined({ run, subcommand });
  const open = withoutUndefined({ run, subcommand, flags: own(test, 'flags'), except: exceptionsIn(test) });
  return combinationsOf([programs, ...words]).some((start) => {
    const mayHaveFlags = flags.some((given) => {
      const hidden = hasNone ? [] : [HIDDEN];
      const plain = given.filter((flag) => flag !== '--').flatMap((flag) => [flag, ...hidden]);
      const text = [...start.map(quoted), ...plain, ...(given.includes('--') ? ['--'] : hidden), '$MORE'];
      // A sample that the reading takes for something else says nothing.
      const isUsable = passes(
        text,
        withoutUndefined({ flags: given.length > 0 ? { all: given } : undefined }),
      );
      return !isUsable || passes(text, open);
    });
    return mayHaveFlags && (args === undefined || mayHaveOperands(start, { ...named, args }));
  });
}

/** May be any flags. */
const HIDDEN = '"-$X"';
/** May be any one operand. */
const OPERAND = '"$A"';
/** A test with more choices than this is taken to be meetable. */
const MAX_SAMPLES = 200;
/** A value of `*` that nobody writes. */
const ANYTHING = 'x9q7z';

function mayHaveOperands(start: readonly string[], test: JsonObject): boolean {
  const { min = 0, max = 0 } = ownObject(test, 'args') ?? {};
  const most = Math.max(Number(min), Number(max), 1) + 1;
  if (most > MAX_SAMPLES) return true;
  return Array.from({ length: most + 1 }, (_, count) => [
    ...start.map(quoted),
    ...new Array<string>(count).fill(OPERAND),
  ]).some((text) => passes(text, test));
}

/** True if a command may pass a test, and if it is not read as one command. */
function passes(words: readonly string[], test: JsonObject): boolean {
  const reading = readCommand(words.join(' '), {});
  const [command] = reading.commands;
  if (command?.name === undefined || quoted(command.name) !== words[0]) return true;
  const truth: Truth = compileCommandTest(test)(command, reading, NO_SURROUNDINGS);
  return truth !== false;
}

/** One program for each group that the test takes for the same; undefined if they cannot be listed. */
function programsOf(test: JsonObject): readonly string[] | undefined {
  const lists = [own(test, 'run'), asList(own(test, 'subcommand') ?? [])[0]]
    .filter((names) => names !== undefined)
    .map((names) => asList(names).map(String));
  if (lists.length === 0) return [ANYTHING];
  const hasStars = lists.filter((names) => names.some((name) => name.includes('*')));
  if (hasStars.length > 1 && !lists.every((names) => names.includes('*'))) return undefined;
  return [...new Set(lists.flat().map((name) => name.replaceAll('*', ANYTHING)))];
}

/** Sets of flags of which one at least has to be given. */
function flagsOf(test: JsonObject): readonly (readonly string[])[] {
  const flags = ownObject(test, 'flags') ?? {};
  const list = (key: string) => asList(own(flags, key) ?? []).map(String);
  const needed = [...list('all'), ...Object.keys(ownObject(flags, 'values') ?? {})];
  const choices = list('any');
  const sets = choices.length === 0 ? [needed] : choices.map((flag) => [...needed, flag]);
  // One that is no plain word is not tried.
  return sets.every((set) => set.every((flag) => flag === '--' || PLAIN_FLAG.test(flag))) ? sets : [[]];
}

const PLAIN_FLAG = /^[-+/][-\w.]*\w$/;

/** The exceptions that ask for nothing beyond the samples. */
function exceptionsIn(test: JsonObject): Json | undefined {
  const except = own(test, 'except');
  if (except === undefined) return undefined;
  const known = testsIn(except).filter(
    (each) => !isJsonObject(each) || Object.keys(each).every((key) => KNOWN_KEYS.includes(key)),
  );
  const tests = known.map((each) => (isJsonObject(each) ? each : { run: each }));
  return tests.length === 0 ? undefined : tests;
}

const KNOWN_KEYS = ['run', 'subcommand', 'flags', 'args'];

function withoutUndefined(keys: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function quoted(word: string): string {
  return /^[\w.+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function productOf(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((product, { length }) => product * length, 1);
}

function combinationsOf(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (found, list) => found.flatMap((start) => list.map((each) => [...start, each])),
    [[]],
  );
}
