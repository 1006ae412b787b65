import {
  EMPTY_WORD,
  FOUND_FILES,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Arg } from '../../shell/scope/interpreter.ts';

/** The files that pass the tests in front of an action. */
export interface FoundFiles {
  /**
   * The names that are searched: the last required `-name`; an unknown word if other tests choose; undefined for all or nearly
   * all.
   */
  readonly only: Word | undefined;
  /** True if any test is there, those for a kind and for everything but some included. */
  readonly chosen: boolean;
}

/** The words of find taken apart. */
export interface FindArguments {
  readonly starts: readonly Arg[];
  /** The files that are listed and printed. */
  readonly found: FoundFiles;
  readonly deleted: FoundFiles | undefined;
  readonly commands: readonly FindCommand[];
  readonly writes: readonly Arg[];
}

interface FindCommand {
  readonly argv: readonly Arg[];
  /** The values of `only` in `FoundFiles`; several names give one each. */
  readonly names: readonly (Word | undefined)[];
}

/** The tests of an expression together. */
interface Sieve {
  /** True if only some files pass: not all, not all but some, and not all of a kind. */
  readonly isNarrowed: boolean;
  readonly isChosen: boolean;
  /** The only names that pass; none if there are others. */
  readonly names: readonly Word[];
}

const EVERYTHING: Sieve = { isNarrowed: false, isChosen: false, names: [] };
const MAX_NAMES = 16;
/** Brackets in more brackets than these are read as none. */
const MAX_DEPTH = 32;

/** Takes the words of find apart. */
export function parseFindWords(args: readonly Arg[]): FindArguments {
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
  const state: State = { args, at, commands: [], writes: [], deleted: undefined };
  let found = EVERYTHING;
  while (state.at < args.length) found = expression(state, EVERYTHING, 0);
  const { deleted, commands, writes } = state;
  return { starts, found: foundBy(found), deleted: deleted && foundBy(deleted), commands, writes };
}

interface State {
  readonly args: readonly Arg[];
  at: number;
  readonly commands: FindCommand[];
  readonly writes: Arg[];
  deleted: Sieve | undefined;
}

/**
 * Reads the tests up to a closing bracket, or to the end. find goes through its words from the left: a test behind an action does
 * not change that action.
 *
 * @param outside the files that get as far as the bracket
 */
function expression(state: State, outside: Sieve, depth: number): Sieve {
  let before: Sieve | undefined;
  let since = EVERYTHING;
  let isNegated = false;
  for (; state.at < state.args.length; ) {
    const text = knownText(state.args[state.at++]?.word ?? EMPTY_WORD) ?? '';
    if (text === ')') break;
    if (text === '!' || text === '-not') isNegated = !isNegated;
    else if (text === '-o' || text === '-or' || text === ',') {
      // An alternative is tried on the files that failed the one before it.
      before = text === ',' ? undefined : either(before, since);
      since = EVERYTHING;
    } else {
      const reached = both(outside, since);
      const isOpening = text === '(' && depth < MAX_DEPTH;
      const sieve = isOpening ? expression(state, reached, depth + 1) : primary(state, text, reached);
      since = both(since, isNegated ? complement(sieve) : sieve);
      isNegated = false;
    }
  }
  return either(before, since);
}

/** Reads one test or action with its values; returns the files that pass it. */
function primary(state: State, text: string, reached: Sieve): Sieve {
  const { args, at } = state;
  const value = args[at];
  if (/^-(?:exec|ok)(?:dir)?$/.test(text)) {
    const end = endOfCommand(args, at);
    const names = reached.names.length > 1 ? reached.names : [foundBy(reached).only];
    state.commands.push({ argv: args.slice(at, end), names });
    state.at = end + 1;
    return EVERYTHING;
  }
  // bfs has a second name for it.
  if (text === '-delete' || text === '-rm') state.deleted = either(state.deleted, reached);
  if (/^-f(?:ls|print0?|printf)$/.test(text) && value !== undefined) state.writes.push(value);
  state.at += FIND_VALUES.get(text) ?? 0;
  return sieveOf(text, value?.word);
}

function sieveOf(text: string, value: Word | undefined): Sieve {
  const known = knownText(value ?? EMPTY_WORD);
  if (/^-x?type$/.test(text)) {
    // Nearly everything is a file or a folder.
    const isRare = !/[fd]/.test(known ?? 'f');
    return { isNarrowed: isRare, isChosen: true, names: [] };
  }
  if (!FIND_CHOOSES.has(text)) return EVERYTHING;
  const isNarrowed = !fitsAll(text, known ?? '');
  const name = isNarrowed ? nameIn(text, value) : undefined;
  return { isNarrowed, isChosen: true, names: name === undefined ? [] : [name] };
}

/** The name that a test asks for: `-name x`, `-iname X`, `-path 'a/x'`. */
function nameIn(test: string, value: Word | undefined): Word | undefined {
  const known = knownText(value ?? EMPTY_WORD);
  if (test === '-name' || known === undefined) return /^-i?name$/.test(test) ? value : undefined;
  if (test === '-iname') return textWord(known.toLowerCase());
  if (!/^-(?:i?path|i?wholename)$/.test(test)) return undefined;
  // A wildcard of `-path` matches slashes too: the part behind the first name that has none is at any depth.
  const [, named = known.slice(known.lastIndexOf('/') + 1)] =
    /(?:^|\/)((?!\.\/)[^/*?[]+(?:\/.*)?)$/s.exec(known) ?? [];
  return named === '' ? undefined : textWord(named);
}

/** The files that fail some tests: everything but some. */
function complement(sieve: Sieve): Sieve {
  return { ...sieve, isNarrowed: false, names: [] };
}

function both(a: Sieve, b: Sieve): Sieve {
  return {
    isNarrowed: a.isNarrowed || b.isNarrowed,
    isChosen: a.isChosen || b.isChosen,
    // `-name '*.tmp' -path '*.p*'`: the end of a name says more than its start.
    names: b.names.length === 0 || (a.names.length > 0 && b.names.every(isLoose)) ? a.names : b.names,
  };
}

function isLoose(name: Word): boolean {
  return /^[^/]*\*$/.test(knownText(name) ?? '');
}

function either(a: Sieve | undefined, b: Sieve): Sieve {
  if (a === undefined) return b;
  const others = b.names.filter((name) => !a.names.some((other) => showWord(other) === showWord(name)));
  const isKnown = a.names.length > 0 && b.names.length > 0 && a.names.length + others.length <= MAX_NAMES;
  return {
    isNarrowed: a.isNarrowed && b.isNarrowed,
    isChosen: a.isChosen && b.isChosen,
    names: isKnown ? [...a.names, ...others] : [],
  };
}

function foundBy({ isNarrowed, isChosen, names }: Sieve): FoundFiles {
  const [name, other] = names;
  const only = other === undefined && name !== undefined ? name : UNKNOWN_FILES;
  return { only: isNarrowed ? only : undefined, chosen: isChosen };
}

/** Stands for names that nothing is known of. */
export const UNKNOWN_FILES = unknownWord(FOUND_FILES);

/** The index of the `;` that ends a command, or of a `+` after `{}`; without one, of the end. */
export function endOfCommand(args: readonly Arg[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? EMPTY_WORD);
    if (text === ';' || (text === '+' && knownText(args[at - 1]?.word ?? EMPTY_WORD) === '{}')) return at;
  }
  return args.length;
}

/** `-newerXY`: one time of a file against another of a file, or against a time that is written down. */
const NEWER = [...'aBcm'].flatMap((own) => [...'aBcmt'].map((other) => `-newer${own}${other}`));

/** Tests of find with a value that choose some files of all: by name, age, size or owner. */
const CHOOSING =
  '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -uid -used -user -wholename -xattr -xattrname -Bmin -Btime -Bnewer';
/** Other tests and options with a value. */
const OTHERS =
  '-flags -maxdepth -mindepth -printf -regextype -type -xtype -fls -fprint -fprint0 -files0-from';

/** Tests and actions of find that take values, and how many. Those not named take none. */
export const FIND_VALUES: ReadonlyMap<string, number> = new Map([
  ...[...`${CHOOSING} ${OTHERS}`.split(' '), ...NEWER].map((name) => [name, 1] as const),
  ['-fprintf', 2],
]);

/** Tests of find that choose some files of all. */
export const FIND_CHOOSES: ReadonlySet<string> = new Set([
  ...CHOOSING.split(' '),
  ...NEWER,
  ...'-empty -executable -false -nogroup -nouser -readable -writable'.split(' '),
]);

/** Globs and regexes that every path fits. */
const ANY_GLOB = /^(?:\.{1,2}(?=\/))?(?=[?/]*\*)[*?/]+$/;
const ANY_REGEX = /^\^?(?:\\?\.)?\/?(?:\.[*+]\/?)+\$?$/;

/** True for the test of a pattern that every file fits. */
export function fitsAll(test: string, pattern: string): boolean {
  if (/^-i?regex$/.test(test)) return ANY_REGEX.test(pattern);
  return /^-i?(?:name|path|wholename)$/.test(test) && ANY_GLOB.test(pattern);
}
