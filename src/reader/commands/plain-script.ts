import { plainCommands } from './plain-words.ts';

/** A program that does nothing with its words but, at most, to write, read or list the paths among them. Plain JSON. */
export interface PlainProgram {
  /** The strongest use of its paths. Undefined if it takes no word for a path. */
  readonly use?: 'write' | 'read' | 'list';
  /** True if it reads the folder that it runs in when no path is given. */
  readonly here?: true;
  /** True if it reads everything below a path. */
  readonly recursive?: true;
  /** Flags that make it read everything below a path. */
  readonly below?: readonly string[];
  /** Flags that make it do something else. */
  readonly refused?: readonly string[];
  /** True if words with a dash are no flags. */
  readonly takesDashes?: true;
}

/** The most that a script may do, by its words alone. */
export interface PlainScript {
  readonly names: readonly string[];
  /** All words behind them: one of these is what a program takes for its subcommand. */
  readonly words: readonly string[];
  /** The paths that it may use, absolute. */
  readonly paths: readonly string[];
  /** The strongest use that it makes of them. */
  readonly use: PlainProgram['use'];
  /** True if it may read what lies below them too. */
  readonly reachesBelow: boolean;
  /** True if a program is among them that runs scripts of the project, some of which change files. */
  readonly mayChange: boolean;
}

const LONGEST = 1_000;
const MAX_PATHS = 64;
const MAX_FOLDERS = 4;

/** Subcommands, of programs with many, that at most look at a project, build it, test it or commit to it. */
const NODE = 'test t start stop build lint ls why';
export const SUBCOMMANDS: Readonly<Record<string, string>> = {
  git: 'status log diff show rev-parse describe shortlog add commit blame ls-files',
  npm: `${NODE} run run-script`,
  pnpm: `${NODE} run run-script`,
  // `yarn run` runs programs too.
  yarn: NODE,
  cargo: 'build check test clippy doc tree',
  go: 'build test vet version list',
};
/** Their flags that name files and settings, and those that other programs would take for them. */
const REFUSED =
  '-o -c -C -X -f -H --out --file --config --context --prefix --dir --cwd --target --manifest --exec --kube --no-index --registry --proxy --https-proxy --host --index --git --fix'.split(
    ' ',
  );

/** Flags of a commit that leave checks out, and those that name a file in the same word. */
const NOT_IN_COMMIT = ['-n', '--no-verify', '-F', '-t'];

/** Scripts come again and again; so many are kept. */
const MAX_KEPT = 256;
const kept = new Map<string, PlainScript | undefined>();

/**
 * Looks at a script made of plain words and of programs that at most read and write the files that their words name, as most
 * are that agents run all day.
 * Undefined for every other script, which has to be read.
 *
 * @param folders where it may run, absolute
 */
export function plainScript(
  script: string,
  folders: readonly (string | undefined)[],
  home: string | undefined,
): PlainScript | undefined {
  if (script.length > LONGEST) return undefined;
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
    words: new Set(),
    paths: new Set(),
    use: undefined,
    reachesBelow: false,
    mayChange: false,
  };
  const places = [...folders];
  for (const [name = '', ...written] of commands) {
    if (home === undefined && written.some(isBelowHome)) return undefined;
    const words = written.map((word) => (isBelowHome(word) ? home + word.slice(1) : word));
    seen.names.add(name);
    for (const word of words) seen.words.add(word);
    // Behind `cd a || b` nobody knows where the script is.
    if (name === 'cd' && script.includes('||')) return undefined;
    const isUnderstood = name === 'cd' ? enter(words, places) : look(name, words, places, seen);
    if (!isUnderstood || seen.paths.size > MAX_PATHS) return undefined;
  }
  return { ...seen, names: [...seen.names], words: [...seen.words], paths: [...seen.paths] };
}

interface Seen {
  readonly names: Set<string>;
  readonly words: Set<string>;
  readonly paths: Set<string>;
  use: PlainScript['use'];
  reachesBelow: boolean;
  mayChange: boolean;
}

/** Adds the folder that the script goes to. It may not be there, so that the script stays where it is. */
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

/** Adds what a program does with its words; false if that is unknown. */
function look(
  name: string,
  words: readonly string[],
  places: readonly (string | undefined)[],
  seen: Seen,
): boolean {
  const subcommands = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.split(' ') : undefined;
  const program: PlainProgram | undefined = subcommands
    ? { use: 'read', refused: REFUSED }
    : plainProgram(name, words);
  if (program === undefined) return false;
  if (subcommands !== undefined && !subcommands.includes(words[0] ?? '')) return false;
  if (/^(?:npm|pnpm|yarn)$/.test(name) || words[0] === 'clippy') seen.mayChange = true;
  if (name === 'git') {
    const [subcommand] = words;
    // `HEAD:path` is a path of the repository, if it is not in a message.
    if (subcommand !== 'commit' && words.some((word) => word.includes(':'))) return false;
    if (subcommand === 'add') seen.reachesBelow = true;
    if (subcommand === 'commit' && words.some((word) => word.startsWith('-') && hasFlag(word, NOT_IN_COMMIT)))
      return false;
  }
  const { use, here, below = [], refused = [], takesDashes = false } = program;
  const operands: string[] = [];
  let isBehindDashes = false;
  for (const word of words) {
    if (takesDashes || !word.startsWith('-') || word === '-') operands.push(word);
    // Dashes may be the value of the flag before them, so what looks like a flag behind them may be one.
    else if (isBehindDashes) return false;
    else if (word === '--') isBehindDashes = true;
    else {
      if (hasFlag(word, refused)) return false;
      if (hasFlag(word, below)) seen.reachesBelow = true;
      const value = valueIn(word);
      if (value === undefined) return false;
      if (value !== '') operands.push(value);
    }
  }
  if (use === undefined) return true;
  const used = [...(here === true ? ['.'] : []), ...operands.slice(subcommands === undefined ? 0 : 1)];
  if (used.length === 0) return true;
  seen.use = [seen.use, use].includes('write') ? 'write' : seen.use === 'read' ? 'read' : use;
  if (program.recursive === true && use !== 'list') seen.reachesBelow = true;
  for (const word of used) {
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

/** The entry of a program whose row only says that it reads or writes. */
function plainProgram(name: string, [flag, code = '']: readonly string[]): PlainProgram | undefined {
  // The code of sed says all: `sed -n 1,20p file`.
  if (name === 'sed') return flag === '-n' && isLineRange(code) ? { use: 'read' } : undefined;
  const { PLAIN_PROGRAMS } =
    require('../generated/plain-programs.ts') as typeof import('../generated/plain-programs.ts');
  const start = PLAIN_PROGRAMS.indexOf(`\n${name}\t`);
  if (start < 0) return undefined;
  const from = start + name.length + 2;
  return JSON.parse(PLAIN_PROGRAMS.slice(from, PLAIN_PROGRAMS.indexOf('\n', from))) as PlainProgram;
}

/** Is one of the flags among the letters of a word, or may the word be short for one? */
function hasFlag(word: string, flags: readonly string[]): boolean {
  const [name = ''] = word.split('=', 1);
  return flags.some((flag) => {
    if (flag.length === 2) return !word.startsWith('--') && word.includes(flag.slice(1), 1);
    return flag.startsWith(name) || name.startsWith(flag);
  });
}

/** The value in the word of a flag, empty if there is none; undefined if it may be any part of the word. */
function valueIn(word: string): string | undefined {
  const at = word.indexOf('=');
  // `-F=x` names `=x`.
  if (at >= 0) return word.startsWith('--') ? word.slice(at + 1) : undefined;
  return hasOneOf(word, './~_') ? undefined : '';
}

/** Joins a path to a folder without looking at the disk; undefined if it climbs, or its folder is not known. */
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
