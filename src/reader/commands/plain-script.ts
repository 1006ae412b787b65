import { plainCommands } from './plain-words.ts';

/** A program that at most writes, reads or lists the paths among its words. Plain JSON. */
export interface PlainProgram {
  /** The strongest use of its paths; undefined if no word is a path. */
  readonly use?: 'write' | 'read' | 'list';
  /** The default path. */
  readonly fallback?: string;
  /** True if it reads everything below a path. */
  readonly recursive?: true;
  /** Flags that make it read everything below a path. */
  readonly below?: readonly string[];
  /** Flags that make it do something else. */
  readonly refused?: readonly string[];
  /** True if words with a dash are no flags. */
  readonly takesDashes?: true;
  /** True if a path may be behind a colon in a word: `HEAD:path`. */
  readonly colons?: true;
  /** Its possible consequences, as `causeNamed` spells them. */
  readonly causes?: readonly string[];
  /** True if it may use the network at a place that no word names. */
  readonly network?: true;
  /** The number of operands before a command that it runs; undefined if it runs none. */
  readonly runs?: number;
  /** A file that it may write in its folder. */
  readonly manifest?: string;
}

/** The most that a script may do, judged by its words alone. */
export interface PlainScript {
  readonly names: readonly string[];
  /** The programs among them that run another one. */
  readonly wrappers: readonly string[];
  /** All words after them, any of which may be a subcommand. */
  readonly words: readonly string[];
  /** The paths that it may use, absolute. */
  readonly paths: readonly string[];
  /** The strongest use of these paths. */
  readonly use: PlainProgram['use'];
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
  const seen: Seen = {
    names: new Set(),
    wrappers: new Set(),
    words: new Set(),
    paths: new Set(),
    use: undefined,
    reachesBelow: false,
    causes: new Set(),
    network: false,
  };
  const places = [...folders];
  for (const { words: written, isFed } of commands) {
    if (home === undefined && written.some(isBelowHome)) return undefined;
    const [name = '', ...words] = written.map((word) => (isBelowHome(word) ? home + word.slice(1) : word));
    seen.names.add(name);
    for (const word of words) seen.words.add(word);
    // After `cd a || b` the folder is unknown.
    if (name === 'cd' && script.includes('||')) return undefined;
    const isUnderstood = name === 'cd' ? enter(words, places) : look(name, words, isFed, places, seen);
    if (!isUnderstood || seen.paths.size > MAX_PATHS) return undefined;
  }
  const { names, wrappers, words, paths, causes } = seen;
  return {
    ...seen,
    names: [...names],
    wrappers: [...wrappers],
    words: [...words],
    paths: [...paths],
    causes: [...causes],
  };
}

interface Seen {
  readonly names: Set<string>;
  readonly wrappers: Set<string>;
  readonly words: Set<string>;
  readonly paths: Set<string>;
  use: PlainScript['use'];
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
  const found = plainProgram(name, words);
  if (found === undefined) return false;
  // Variables of make may be commands.
  if (name.endsWith('make') && words.some((word) => word.includes('=') && hasOneOf(word, ' ;&|$!')))
    return false;
  const { use, fallback, below = [], refused = [], takesDashes = false, network, manifest } = found.program;
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
    // Its flags may name another program.
    if (inner === undefined || inner.includes('.') || words.slice(0, at + 1).some(isDashed)) return false;
    seen.wrappers.add(name);
    seen.names.add(inner);
    return look(inner, words.slice(at + 1), isFed, places, seen);
  }
  const operands: string[] = [];
  let isBehindDashes = false;
  for (const word of words) {
    if (takesDashes || !isDashed(word)) operands.push(word);
    else if (word === '--' && !isBehindDashes) isBehindDashes = true;
    else {
      // The flag before the dashes may take them as its value, so a word after them may be a flag or an operand.
      if (isBehindDashes) operands.push(word);
      if (hasFlag(word, refused)) return false;
      if (hasFlag(word, below)) seen.reachesBelow = true;
      const value = valueIn(word);
      if (value === undefined) return false;
      if (value !== '') operands.push(value);
    }
  }
  if (use === undefined) return true;
  const used = [...(fallback === undefined ? [] : [fallback]), ...operands.slice(found.depth)];
  if (used.length === 0) return true;
  if (found.program.recursive === true && use !== 'list') seen.reachesBelow = true;
  return addPaths(used, use, places, seen);
}

function addPaths(
  words: readonly string[],
  use: NonNullable<PlainProgram['use']>,
  places: readonly (string | undefined)[],
  seen: Seen,
): boolean {
  seen.use = [seen.use, use].includes('write') ? 'write' : seen.use === 'read' ? 'read' : use;
  for (const word of words) {
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

/** The entry of a program or its subcommand, and the number of words that name it. */
function plainProgram(
  name: string,
  words: readonly string[],
): { readonly program: PlainProgram; readonly depth: number } | undefined {
  const [first, second = ''] = words;
  // Its code decides about sed: `sed -n 1,20p file`.
  if (name === 'sed')
    return first === '-n' && isLineRange(second) ? { program: { use: 'read' }, depth: 0 } : undefined;
  // Names of subcommands contain a space.
  if (name.includes(' ')) return undefined;
  let level = name;
  for (let depth = 0; ; depth++) {
    const others = listed(`${level} *`);
    if (others === undefined) {
      const program = listed(level);
      return program == null ? undefined : { program, depth };
    }
    const word = words[depth];
    if (word === undefined || !/^\w[\w-]*$/.test(word)) return undefined;
    const next = `${level} ${word}`;
    if (listed(next) === undefined && listed(`${next} *`) === undefined)
      return others === null ? undefined : { program: others, depth };
    level = next;
  }
}

/** Entries that were looked for: programs repeat, and to look through the text of all takes as long as all else. */
const entries = new Map<string, PlainProgram | null | undefined>();
const MAX_ENTRIES = 1_024;

/** The entry of a name; null for a program that may do more than entries can express. */
function listed(name: string): PlainProgram | null | undefined {
  if (entries.has(name)) return entries.get(name);
  if (entries.size >= MAX_ENTRIES) entries.clear();
  const found = findEntry(name);
  entries.set(name, found);
  return found;
}

function findEntry(name: string): PlainProgram | null | undefined {
  const { PLAIN_PROGRAMS } =
    require('../generated/plain-programs.ts') as typeof import('../generated/plain-programs.ts');
  const at = PLAIN_PROGRAMS.indexOf(`\t${name}\t`);
  if (at < 0) return undefined;
  const line = PLAIN_PROGRAMS.lastIndexOf('\n', at) + 1;
  return JSON.parse(PLAIN_PROGRAMS.slice(line, PLAIN_PROGRAMS.indexOf('\t', line))) as PlainProgram | null;
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

/** Code of sed that prints lines by their numbers. */
function isLineRange(code: string): boolean {
  return code.endsWith('p') && [...code.slice(0, -1)].every((char) => '0123456789,$'.includes(char));
}

function isBelowHome(word: string): boolean {
  return word === '~' || word.startsWith('~/');
}
