import { driveOf, fromDrive } from '../lib/path/drive-path.ts';
import { ConfigurationProblem } from './configuration-problem.ts';

/** The facts in the command line that starts the hook. */
export interface HookStart {
  /** Absolute path of the program. */
  readonly program: string;
  /** The home of the user who starts the host. */
  readonly home: string;
  /** More variables that the hook needs. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The agent's folder, for hosts that do not name it; by default the host's usual one. */
  readonly workspace?: string;
  /** The host's version or generation; undefined means the newest. */
  readonly version: string | undefined;
  /** Words after those that the adapter writes. */
  readonly options?: readonly string[];
}

/** The path of the program in the documentation. */
export const INSTALLED_PROGRAM = '/usr/local/bin/policy';

/** The machine of the documentation. */
export const DOCUMENTED_START = { program: INSTALLED_PROGRAM, home: '/home/me' } as const;

/** Starts a program with only the given variables in its environment, so that a project's settings do not reach it. */
export const CLEAN_ENVIRONMENT = ['/usr/bin/env', '-i'] as const;

/**
 * The runtime's settings for a process that judges one call. It ends before compiled code pays off: without that, a call touches a
 * sixth less memory; for long calls the hook starts another process (`hook/judge-apart.ts`). And it takes its memory in large pages
 * where the system has them, which leaves a third of the page faults.
 */
export const ONE_CALL: Readonly<Record<string, string>> = { BUN_JSC_useJIT: '0', MIMALLOC_ALLOW_THP: '1' };

/**
 * A line for the shell of a host. The host's environment may reach that shell, but not the one that reads the script.
 *
 * @param script a line for sh
 * @param variables the variables that the environment gets in addition to the kept ones
 * @param kept variables that keep their values in the host, in addition to HOME
 */
export function cleanLine(
  script: string,
  variables: HookStart['variables'] = {},
  kept: readonly string[] = [],
): string {
  const same = ['HOME', ...kept].map((name) => ` ${name}="$${name}"`);
  const set = Object.entries({ ...variables, ...ONE_CALL }).map(
    ([name, value]) => ` ${name}=${value === passedOn(name) ? `"${value}"` : scriptWord(value)}`,
  );
  return `${CLEAN_ENVIRONMENT.join(' ')}${same.join('')}${set.join('')} sh -c '${script.replaceAll("'", QUOTE_IN_QUOTES)}'`;
}

/** The value of a variable of a line that is to be the host's own. */
export function passedOn(name: string): string {
  return `$${name}`;
}

/** True for the name of a key or a password: unlike others, it makes no program load code. */
export function isKeyName(name: string): boolean {
  return /^(?:\w+_)?(?:KEY|TOKEN|PASSWORD|SECRET)$/.test(name);
}

/** True for a program of Windows, where most hosts hand lines to PowerShell or cmd. */
export function isOfWindows({ program }: Pick<HookStart, 'program'>): boolean {
  return driveOf(program) !== undefined;
}

/**
 * A line that PowerShell and Unix shells read alike: words alone, and slashes. The host's environment reaches the hook, and a
 * program that fails is refused only by hosts that refuse then.
 *
 * @throws ConfigurationProblem for a path that needs quotes, which these shells write differently
 */
export function plainLine({ program, options = [] }: HookStart, host: string): string {
  const words = [fromDrive(program) ?? program, 'hook', '--host', host, ...options];
  const odd = words.find((word) => !PLAIN_WORD.test(word));
  if (odd === undefined) return words.join(' ');
  throw new ConfigurationProblem(
    `Cannot write "${odd}" into a command line for PowerShell: it would need quotes; use a path without blanks, as C:/Tools/policy.exe`,
  );
}

/** Starts the hook in the script of a clean line. `named` holds the adapter's words in addition to the host. */
export function startText({ program, options = [] }: HookStart, host: string, named = ''): string {
  return [
    `${scriptWord(fromDrive(program) ?? program)} hook --host ${host}${named}`,
    ...options.map(scriptWord),
  ].join(' ');
}

export const QUOTE_IN_QUOTES = String.raw`'\''`;

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
/** Letters of all languages, and no sign with a meaning between double quotes. */
const QUOTED_WORD = /^[\w\p{L}\p{M}\p{N}@%+=:,./ '()&;<>#~*?[\]{}|-]+$/u;

/**
 * A path as a word of a clean line.
 *
 * @throws ConfigurationProblem if a character would end the quotes or be replaced by a host
 */
export function scriptWord(path: string): string {
  if (PLAIN_WORD.test(path)) return path;
  if (QUOTED_WORD.test(path)) return `"${path}"`;
  throw new ConfigurationProblem(
    `Cannot write "${path}" into a command line: shells and agents read some of its characters as signs; use a plain path`,
  );
}
