import { FIND_CHOOSES, FIND_KINDS, FIND_RUNS, FIND_VALUES, FIND_WRITES } from '../knowledge/find-tests.ts';
import type { Arg } from '../walker.ts';
import { EMPTY_WORD, knownText, leadingText, unknownWord, type Word } from '../word.ts';

/** What the tests in front of an action let through. */
export interface Found {
  /**
   * The names that are looked for: the value of the last `-name`, if all tests must hold; an unknown word where others
   * choose; undefined if everything is found, or everything but some, or everything of a kind.
   */
  readonly only: Word | undefined;
  /** True if any test stands there, those for a kind and for everything but some included. */
  readonly chosen: boolean;
}

/** The words of find taken apart. */
export interface FindArguments {
  readonly starts: readonly Arg[];
  /** What is listed and printed. */
  readonly found: Found;
  /** What is deleted; undefined if nothing is. */
  readonly deleted: Found | undefined;
  readonly commands: readonly FindCommand[];
  readonly writes: readonly Arg[];
}

interface FindCommand {
  readonly argv: readonly Arg[];
  readonly only: Word | undefined;
}

/** What some tests come to together. */
interface Sieve {
  readonly isNarrowed: boolean;
  readonly isChosen: boolean;
}

const EVERYTHING: Sieve = { isNarrowed: false, isChosen: false };

/** The tests met so far. find goes through its words from the left: what stands behind an action says nothing about it. */
interface Tests {
  name: Word | undefined;
  /** True if not all tests must hold. */
  isChoice: boolean;
  /** Since the last `-o`, which stands for all that did not pass those before it. */
  since: Sieve;
  /** What the alternatives before that have in common, in these brackets. */
  before: Sieve | undefined;
  /** The same two around the brackets that are open. */
  readonly around: (readonly [since: Sieve, before: Sieve | undefined])[];
  /** Tests anywhere. */
  any: Sieve;
}

/** Takes the words of find apart. */
export function findArguments(args: readonly Arg[]): FindArguments {
  const starts: Arg[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at];
    const text = knownText(arg?.word ?? EMPTY_WORD) ?? leadingText(arg?.word ?? EMPTY_WORD);
    if (/^-[HLPX]$|^-O\d$|^-[EXdsx]$/.test(text) || text === '--') continue;
    if (text === '-D') at++;
    else if (/^[-!(),]/.test(text) || arg === undefined) break;
    else starts.push(arg);
  }
  return { starts, ...findExpression(args, at) };
}

function findExpression(args: readonly Arg[], from: number): Omit<FindArguments, 'starts'> {
  const commands: FindCommand[] = [];
  const writes: Arg[] = [];
  const tests: Tests = {
    name: undefined,
    isChoice: false,
    since: EVERYTHING,
    before: undefined,
    around: [],
    any: EVERYTHING,
  };
  let deleted: Found | undefined;
  for (let at = from; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? EMPTY_WORD) ?? '';
    if (FIND_RUNS.has(text)) {
      const end = endOfCommand(args, at + 1);
      commands.push({ argv: args.slice(at + 1, end), only: foundBy(tests).only });
      at = end;
      continue;
    }
    const value = args[at + 1];
    // Of several deletions the one that takes most.
    if (text === '-delete' && deleted?.chosen !== false) deleted = foundBy(tests);
    else noteTest(tests, text, value?.word, knownText(args[at - 1]?.word ?? EMPTY_WORD));
    if (FIND_WRITES.has(text) && value !== undefined) writes.push(value);
    at += FIND_VALUES.get(text) ?? 0;
  }
  const found = foundBy({ ...tests, since: tests.any });
  return { found, deleted, commands, writes };
}

function noteTest(tests: Tests, text: string, value: Word | undefined, previous: string | undefined): void {
  switch (text) {
    case '-o':
    case '-or':
    case ',':
      tests.isChoice = true;
      tests.before = text === ',' ? undefined : either(tests.before, tests.since);
      tests.since = EVERYTHING;
      return;
    case '!':
    case '-not':
      tests.isChoice = true;
      return;
    case '(':
      tests.around.push([tests.since, tests.before]);
      tests.since = EVERYTHING;
      tests.before = undefined;
      return;
    case ')': {
      const inside = either(tests.before, tests.since);
      const [since, before] = tests.around.pop() ?? [EVERYTHING, undefined];
      tests.since = both(since, inside);
      tests.before = before;
      return;
    }
    case '-name':
    case '-iname':
      tests.name = value;
  }
  const sieve = sieveOf(text, value, previous === '!' || previous === '-not');
  tests.since = both(tests.since, sieve);
  tests.any = both(tests.any, sieve);
}

function sieveOf(text: string, value: Word | undefined, isNegated: boolean): Sieve {
  const isKind = FIND_KINDS.has(text);
  // Nearly everything is a file or a folder.
  const isRare = isKind && !/[fd]/.test(knownText(value ?? EMPTY_WORD) ?? 'f');
  const chooses = isRare || FIND_CHOOSES.has(text);
  if (!chooses && !isKind) return EVERYTHING;
  return { isNarrowed: chooses && !isNegated, isChosen: true };
}

function both(a: Sieve, b: Sieve): Sieve {
  if (b === EVERYTHING) return a;
  return { isNarrowed: a.isNarrowed || b.isNarrowed, isChosen: a.isChosen || b.isChosen };
}

function either(a: Sieve | undefined, b: Sieve): Sieve {
  if (a === undefined) return b;
  return { isNarrowed: a.isNarrowed && b.isNarrowed, isChosen: a.isChosen && b.isChosen };
}

function foundBy({ name, isChoice, since }: Tests): Found {
  const only = since.isNarrowed ? ((isChoice ? undefined : name) ?? SOME_FILES) : undefined;
  return { only, chosen: since.isChosen };
}

/** Stands for names that nothing is known of. */
export const SOME_FILES = unknownWord('{}');

/** The index of the `;` that ends a command, or of a `+` after `{}`; without one, of the end. */
export function endOfCommand(args: readonly Arg[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? EMPTY_WORD);
    if (text === ';' || (text === '+' && knownText(args[at - 1]?.word ?? EMPTY_WORD) === '{}')) return at;
  }
  return args.length;
}
