/** A command that is known, by its words alone, to touch no path, reach no network and run nothing else. */
export interface InertCommand {
  readonly name: string;
  /** The first word after the program that is no flag. */
  readonly word: string | undefined;
}

const NODE = 'test t start stop build lint ls why version';
/** Programs, and the subcommands of theirs that are inert; `any` where it does not matter what follows. */
const INERT: Readonly<Record<string, string>> = {
  git: 'status log diff show rev-parse describe shortlog',
  npm: `${NODE} run run-script`,
  pnpm: `${NODE} run run-script`,
  // `yarn run` runs programs too.
  yarn: NODE,
  cargo: 'build check test clippy fmt doc tree',
  go: 'build test vet version list',
  docker: 'ps images version info',
  pwd: 'any',
  whoami: 'any',
  uname: 'any',
  hostname: 'any',
  uptime: 'any',
  sleep: 'any',
};
const LONGEST = 256;
/** Flags that name files, and letters that other programs than the one meant may take for them. */
const NOT_INERT_LETTERS = 'oCcXf';
const NOT_INERT_FLAGS = 'out file config context prefix dir cwd target manifest exec kube no-index'
  .split(' ')
  .map((start) => `--${start}`);

/**
 * A first look at a text: the command that it is, if it is one of those that agents run all day and that do nothing that
 * a policy could ask about. Undefined for every other text, which has to be read. Without patterns: compiling them would
 * take a process that judges one call longer than all else here.
 */
export function inertCommand(text: string): InertCommand | undefined {
  if (text.length > LONGEST) return undefined;
  const [name = '', ...rest] = text.split(' ').filter((word) => word !== '');
  const wanted = Object.hasOwn(INERT, name) ? INERT[name] : undefined;
  if (wanted === undefined || !rest.every(isInert)) return undefined;
  const [word] = rest;
  if (wanted === 'any') return { name, word: rest.find((each) => !each.startsWith('-')) };
  return word !== undefined && wanted.split(' ').includes(word) ? { name, word } : undefined;
}

/** True for words that mean themselves in every shell, and for flags without values. */
function isInert(word: string): boolean {
  if (!word.startsWith('-')) return isLetterOrDigit(word.charCodeAt(0)) && isMadeOf(word, isPlain);
  if (!word.startsWith('--')) {
    const letters = word.slice(1);
    return letters !== '' && isMadeOf(letters, isLetter) && !hasAnyOf(letters, NOT_INERT_LETTERS);
  }
  const isFlag = word
    .slice(2)
    .split('-')
    .every((part) => part !== '' && isMadeOf(part, isLetter));
  return isFlag && !NOT_INERT_FLAGS.some((start) => word.startsWith(start));
}

function isMadeOf(text: string, fits: (unit: number) => boolean): boolean {
  for (let index = 0; index < text.length; index++) if (!fits(text.charCodeAt(index))) return false;
  return true;
}

function hasAnyOf(text: string, letters: string): boolean {
  for (const letter of letters) if (text.includes(letter)) return true;
  return false;
}

/** Letters, digits and `-._`. */
function isPlain(unit: number): boolean {
  return isLetterOrDigit(unit) || unit === 45 || unit === 46 || unit === 95;
}

function isLetterOrDigit(unit: number): boolean {
  return isLetter(unit) || (unit >= 48 && unit <= 57);
}

function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}
