import { plainCode } from './plain-code.ts';
import { type PlainUse, plainProgram } from './plain-program.ts';
import { type PlainCommand, plainCommands } from './plain-words.ts';

/** The most that a script may do, judged by its words alone. */
export interface PlainScript {
  readonly names: readonly string[];
  /** The programs among them that run another one. */
  readonly wrappers: readonly string[];
  /** All words after them, any of which may be a subcommand. */
  readonly words: readonly string[];
  /** The paths that it may use, absolute. */
  readonly paths: readonly string[];
  /** The uses of these paths. */
  readonly uses: readonly PlainUse[];
  /** True if it may also read the files below them. */
  readonly reachesBelow: boolean;
  /** Its possible consequences, as `causeNamed` spells them. */
  readonly causes: readonly string[];
  /** True if it may use the network at a place that no word names. */
  readonly network: boolean;
}

const LONGEST = 1_000;
const MAX_PATHS = 64;
const MAX_FOLDERS = 4;

/** The number of kept results, because scripts repeat. */
const MAX_KEPT = 256;
const kept = new Map<string, PlainScript | undefined>();

/**
 * Judges a script of plain words and of programs that at most read and write the files that their words name, as most scripts
 * of agents are. Undefined for other scripts, which must be read.
 *
 * @param folders where it may run, absolute
 */
export function plainScript(
  script: string,
  folders: readonly (string | undefined)[],
  home: string | undefined,
): PlainScript | undefined {
  // Some words of dotenv load a file.
  if (script.length > LONGEST || script.includes('dotenv/')) return undefined;
  const key = [home, ...folders, script].join('\0');
  if (kept.has(key)) return kept.get(key);
  if (kept.size >= MAX_KEPT) kept.clear();
  const found = lookAt(script, folders, home);
  kept.set(key, found);
  return found;
}

function lookAt(
  script: string,
  folders: readonly (string | undefined)[],
  home: string | undefined,
): PlainScript | undefined {
  const commands = plainCommands(script);
  if (commands === undefined) return undefined;
  // A file that nothing is written to is emptied.
  const hasOutputs = commands.some(({ outputs }) => outputs.length > 0);
  if (hasOutputs && commands.some(mayPrintNothing)) return undefined;
  const seen: Seen = {
    names: new Set(),
    wrappers: new Set(),
    words: new Set(),
    paths: new Set(),
    uses: new Set(),
    reachesBelow: false,
    causes: new Set(),
    network: false,
  };
  const places = [...folders];
  for (const { words: written, outputs, isFed } of commands) {
    if (home === undefined && [...written, ...outputs].some(isBelowHome)) return undefined;
    const atHome = (word: string) => (isBelowHome(word) ? home + word.slice(1) : word);
    const [name = '', ...words] = written.map(atHome);
    if (!addPaths(outputs.map(atHome), 'write', places, seen)) return undefined;
    seen.names.add(name);
    for (const word of words) seen.words.add(word);
    // After `cd a || b` the folder is unknown.
    if (name === 'cd' && script.includes('||')) return undefined;
    const isUnderstood = name === 'cd' ? enter(words, places) : look(name, words, isFed, places, seen);
    if (!isUnderstood || seen.paths.size > MAX_PATHS) return undefined;
  }
  const { names, wrappers, words, paths, uses, causes } = seen;
  if (hasOutputs && [...paths].some((path) => path.endsWith('/dev/null'))) return undefined;
  // A file that it writes may be the program that it runs next.
  if (uses.has('write') && [...names].some((name) => [...paths].some((path) => path.endsWith(`/${name}`))))
    return undefined;
  return {
    ...seen,
    names: [...names],
    wrappers: [...wrappers],
    words: [...words],
    paths: [...paths],
    uses: [...uses],
    causes: [...causes],
  };
}

/** Programs that may print nothing, and an empty word, which some print. */
const SILENT: readonly string[] = ': true false time cd basename dirname readlink realpath'
  .split(' ')
  .concat('');

/** True if a command, or one that it runs, may print nothing but blanks that are known. */
function mayPrintNothing({ words }: PlainCommand): boolean {
  const echo = words.indexOf('echo');
  const isBlank = (word: string) => isDashed(word) || word.includes('\\') || word.trim() === '';
  return words.some((word) => SILENT.includes(word)) || (echo >= 0 && words.slice(echo + 1).every(isBlank));
}

interface Seen {
  readonly names: Set<string>;
  readonly wrappers: Set<string>;
  readonly words: Set<string>;
  readonly paths: Set<string>;
  readonly uses: Set<PlainUse>;
  reachesBelow: boolean;
  readonly causes: Set<string>;
  network: boolean;
}

/** Adds the folder that the script enters. It may not exist; then the script stays where it is. */
function enter(words: readonly string[], places: (string | undefined)[]): boolean {
  const [folder, ...others] = words;
  if (folder === undefined || folder === '' || folder.startsWith('-') || others.length > 0) return false;
  for (const place of [...places]) {
    const path = absolute(folder, place);
    if (path === undefined) return false;
    places.push(path);
  }
  return places.length <= MAX_FOLDERS;
}

/** Adds the uses that a program makes of its words; false if they are unknown. */
function look(
  name: string,
  words: readonly string[],
  isFed: boolean,
  places: readonly (string | undefined)[],
  seen: Seen,
): boolean {
  const coded = plainCode(name, words);
  const found = coded === null ? plainProgram(name, words) : coded && { program: coded, depth: 0 };
  if (found === undefined) return false;
  // Variables of make may be commands.
  if (name.endsWith('make') && words.some((word) => word.includes('=') && hasOneOf(word, ' ;&|$!')))
    return false;
  const { use, fallback, below = [], refused = [], takesDashes = false, network, manifest } = found.program;
  const { paths = {}, caused = {}, edits } = found.program;
  let isEdit = edits === true;
  for (const cause of found.program.causes ?? []) seen.causes.add(cause);
  if (network === true) {
    seen.network = true;
    // It contacts an address among its words, and may send its input there.
    if (isFed || words.some((word) => word.includes('://'))) return false;
  }
  if (manifest !== undefined && !addPaths([manifest], 'write', places, seen)) return false;
  if (found.program.colons === true && words.some((word) => word.includes(':'))) return false;
  if (found.program.runs !== undefined) {
    const at = found.depth + found.program.runs;
    const inner = words[at];
    // Its flags may name another program, and it may take them from behind that one.
    if (inner === undefined || inner.includes('.') || words.slice(0, at + 1).some(isDashed)) return false;
    if (words.some((word) => isDashed(word) && hasFlag(word, refused))) return false;
    seen.wrappers.add(name);
    seen.names.add(inner);
    return look(inner, words.slice(at + 1), isFed, places, seen);
  }
  const operands: string[] = [];
  const flagUses: PlainUse[] = [];
  let isBehindDashes = false;
  let isValue = false;
  for (const [index, word] of words.entries()) {
    if (takesDashes || isValue || !isDashed(word)) operands.push(word);
    isValue = false;
    if (takesDashes || !isDashed(word)) continue;
    if (word === '--' && !isBehindDashes) isBehindDashes = true;
    else {
      // The flag before the dashes may take them as its value, so a word after them may be a flag or an operand.
      if (isBehindDashes) operands.push(word);
      if (hasFlag(word, refused)) return false;
      if (hasFlag(word, below)) {
        seen.reachesBelow = true;
        operands.push('.');
      }
      if (edits !== undefined && edits !== true && hasFlag(word, edits)) {
        // Behind another flag it may be the value of that; a flag with `no` may take it back.
        const isSure = edits.includes(word) && !isBehindDashes && !isDashed(words[index - 1] ?? '');
        if (!isSure || words.some((each) => each.startsWith('--no'))) return false;
        isEdit = true;
      }
      for (const [cause, flags] of Object.entries(caused)) if (hasFlag(word, flags)) seen.causes.add(cause);
      for (const [each, flags] of Object.entries(paths) as readonly [PlainUse, readonly string[]][]) {
        if (!hasFlag(word, flags)) continue;
        // In a word of short flags, the rest may be the path.
        if (!word.startsWith('--') && !flags.includes(word)) return false;
        flagUses.push(each);
        isValue = !word.includes('=');
      }
      const value = valueIn(word);
      if (value === undefined) return false;
      if (value !== '') operands.push(value);
    }
  }
  // A program that writes elsewhere does not edit.
  if (edits !== undefined && flagUses.length > 0) return false;
  const uses = isEdit && use === 'read' ? EDIT : use === undefined ? flagUses : [use, ...flagUses];
  if (uses.length === 0) return true;
  const used = [...(fallback === undefined ? [] : [fallback]), ...operands.slice(found.depth)];
  if (
    used.length > 0 &&
    found.program.recursive === true &&
    uses !== EDIT &&
    uses.some((each) => each !== 'list')
  )
    seen.reachesBelow = true;
  return uses.every((each) => addPaths(used, each, places, seen));
}

const EDIT: readonly PlainUse[] = ['list', 'write'];

function addPaths(
  words: readonly string[],
  use: PlainUse,
  places: readonly (string | undefined)[],
  seen: Seen,
): boolean {
  for (const word of words) {
    seen.uses.add(use);
    // A URL is fetched, not read.
    if (word.includes('://')) return false;
    for (const place of places) {
      const path = absolute(word, place);
      if (path === undefined) return false;
      seen.paths.add(path);
    }
  }
  return true;
}

function isDashed(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

/** True if a word holds the letter of one of the flags, or may abbreviate one. */
function hasFlag(word: string, flags: readonly string[]): boolean {
  const [name = ''] = word.split('=', 1);
  return flags.some((flag) => {
    if (flag.length === 2) return !word.startsWith('--') && word.includes(flag.slice(1), 1);
    return flag.startsWith(name) || name.startsWith(flag);
  });
}

/** The value in the word of a flag, or the empty text; undefined if it may be any part of the word. */
function valueIn(word: string): string | undefined {
  const at = word.indexOf('=');
  // `-F=x` names `=x`.
  if (at >= 0) return word.startsWith('--') ? word.slice(at + 1) : undefined;
  return hasOneOf(word, './~_') ? undefined : '';
}

/** Joins a path to a folder without the disk; undefined if it climbs, or the folder is unknown. */
function absolute(path: string, folder: string | undefined): string | undefined {
  const start = path.startsWith('/') ? '' : folder;
  if (start === undefined || path.startsWith('~')) return undefined;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return undefined;
  return [start.endsWith('/') ? start.slice(0, -1) : start, ...names].join('/') || '/';
}

function hasOneOf(text: string, characters: string): boolean {
  for (const each of characters) if (text.includes(each)) return true;
  return false;
}

function isBelowHome(word: string): boolean {
  return word === '~' || word.startsWith('~/');
}
