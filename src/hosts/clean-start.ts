import { driveOf, fromDrive } from '../lib/path/drive-path.ts';
import { ConfigurationProblem } from './configuration-problem.ts';

/** The facts that the line that starts the hook has to name. */
export interface HookStart {
  /** Absolute path of the program. */
  readonly program: string;
  /** The home of whoever starts the host. */
  readonly home: string;
  /** More variables that the hook needs. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The agent's folder, for hosts that do not name it; the host's usual one unless given. */
  readonly workspace?: string;
  /** The host's version or generation; undefined means the newest. */
  readonly version: string | undefined;
  /** Words behind those that the adapter writes. */
  readonly options?: readonly string[];
}

/** The documentation installs the program here. */
export const INSTALLED_PROGRAM = '/usr/local/bin/policy';

/** The machine of the documentation. */
export const DOCUMENTED_START = { program: INSTALLED_PROGRAM, home: '/home/me' } as const;

/** Starts a program with only the variables behind it in its environment: a project's settings do not reach it. */
export const CLEAN_ENVIRONMENT = ['/usr/bin/env', '-i'] as const;

/**
 * How the runtime starts in a process for one call: it would be over before compiled code pays. Even a command of five thousand
 * characters is judged a tenth faster without, and every call touches a sixth less memory. For longer ones the hook starts
 * another process (`hook/judge-apart.ts`).
 */
export const ONE_CALL: Readonly<Record<string, string>> = { BUN_JSC_useJIT: '0' };

/**
 * A line for the shell of a host. The host's environment reaches the shell of the host at most, and not the one that reads the
 * script.
 *
 * @param script a line for sh
 * @param variables the variables that the environment holds beside the kept ones
 * @param kept variables that keep the value that they have in the host, beside HOME
 */
export function cleanLine(
  script: string,
  variables: HookStart['variables'] = {},
  kept: readonly string[] = [],
): string {
  const same = ['HOME', ...kept].map((name) => ` ${name}="$${name}"`);
  const set = Object.entries({ ...variables, ...ONE_CALL }).map(
    ([name, value]) => ` ${name}=${scriptWord(value)}`,
  );
  return `${CLEAN_ENVIRONMENT.join(' ')}${same.join('')}${set.join('')} sh -c '${script.replaceAll("'", QUOTE_IN_QUOTES)}'`;
}

/** True for a program of Windows, where most hosts hand lines to PowerShell or cmd. */
export function isOfWindows({ program }: Pick<HookStart, 'program'>): boolean {
  return driveOf(program) !== undefined;
}

/**
 * A line that PowerShell and the shells that come from Unix take alike: words alone, and slashes. The host's environment reaches
 * the hook, and a program that fails is refused only by hosts that refuse then.
 *
 * @throws ConfigurationProblem for a path that needs quotes, which these shells do not have in common
 */
export function plainLine({ program, options = [] }: HookStart, host: string): string {
  const words = [fromDrive(program) ?? program, 'hook', '--host', host, ...options];
  const odd = words.find((word) => !PLAIN_WORD.test(word));
  if (odd === undefined) return words.join(' ');
  throw new ConfigurationProblem(
    `Cannot write "${odd}" into a command line for PowerShell: it would need quotes; use a path without blanks, as C:/Tools/policy.exe`,
  );
}

/** Starts the hook in the script of a clean line. `named` holds the adapter's words beside the host. */
export function startText({ program, options = [] }: HookStart, host: string, named = ''): string {
  return [
    `${scriptWord(fromDrive(program) ?? program)} hook --host ${host}${named}`,
    ...options.map(scriptWord),
  ].join(' ');
}

/** A single quote between single quotes. */
export const QUOTE_IN_QUOTES = String.raw`'\''`;

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
/** Letters of all languages, and no sign that means something between double quotes. */
const QUOTED_WORD = /^[\w\p{L}\p{M}\p{N}@%+=:,./ '()&;<>#~*?[\]{}|-]+$/u;

/**
 * A path as a word of a clean line.
 *
 * @throws ConfigurationProblem where its characters would end the quotes or be replaced by a host
 */
export function scriptWord(path: string): string {
  if (PLAIN_WORD.test(path)) return path;
  if (QUOTED_WORD.test(path)) return `"${path}"`;
  throw new ConfigurationProblem(
    `Cannot write "${path}" into a command line: shells and agents read some of its characters as signs; use a plain path`,
  );
}
