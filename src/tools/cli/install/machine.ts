import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { Files, Installation, Machine } from '../../../hosts/installation.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { fromDrive, isRooted } from '../../../lib/path/drive-path.ts';
import { readBounded } from '../../../lib/read-bounded.ts';
import { type Io, UsageError } from '../io.ts';
import { projectRoot } from '../policy-place.ts';

const OWNER_STARTS = 0o100;
const MAX_DEPTH = 1_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export function machineOf({ env, cwd }: Io): Machine {
  const named = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const home = fromDrive(named) ?? named;
  if (!isRooted(home)) throw new UsageError('Cannot find configurations: set HOME to an absolute path');
  const project = projectRoot(cwd);
  return { env, home, project: fromDrive(project) ?? project };
}

/** The disk, for looking at it. */
export const FILES: Files = {
  text: readConfiguration,
  names(path) {
    try {
      return readdirSync(path).sort();
    } catch {
      return [];
    }
  },
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  isInert: (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? OWNER_STARTS) & OWNER_STARTS) === 0,
};

/**
 * The text of a configuration file; undefined if there is none.
 *
 * @throws ConfigurationProblem if it cannot be read, or is no text
 */
export function readConfiguration(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile()) throw new ConfigurationProblem('it is not a file');
    if (stats.size > MAX_FILE_BYTES)
      throw new ConfigurationProblem(`it is larger than ${MAX_FILE_BYTES} bytes`);
    const bytes = readBounded(path, MAX_FILE_BYTES);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (isTooDeep(text))
      throw new ConfigurationProblem(`it nests more than ${MAX_DEPTH} lists and objects; fix it first`);
    return text;
  } catch (error) {
    if (error instanceof ConfigurationProblem) throw error;
    if (error instanceof TypeError) throw new ConfigurationProblem('it is not UTF-8 text');
    if (isMissing(error)) return undefined;
    throw new ConfigurationProblem(messageOf(error));
  }
}

/** Parsers go down by one step for each bracket, and the way down is short. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));
}

/** Finds a program by its name on the path; undefined if it is not there. */
export function findOnPath(name: string, env: Io['env']): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending)))
    .find((path) => existsSync(path));
}

/** Windows adds these to the name of a program that it looks for: npm makes a `.cmd` of each. */
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];

/** The program that starts a host here; undefined if it is not on the path. */
export function hostProgram({ programs }: Installation, env: Io['env']): string | undefined {
  return programs.map((name) => findOnPath(name, env)).find((path) => path !== undefined);
}

/** Package managers keep programs here that they run once, and delete them some time. */
const PASSING = /\/_npx\/|\/dlx-|\/bunx-/;

/**
 * This program by the name that lasts: a link on the path stays when its target is replaced.
 *
 * @throws UsageError if it runs from its source, or from a place where it does not stay
 */
export function ownProgram(env: Io['env']): string {
  const running = realpathSync(process.execPath);
  if (PASSING.test(running.replaceAll('\\', '/')))
    throw new UsageError(
      `Cannot install "${running}": it does not stay there; run npm install -g policy-hook first`,
    );
  const onPath = findOnPath('policy', env);
  if (onPath !== undefined && realpathSync(onPath) === running) return fromDrive(onPath) ?? onPath;
  if (basename(running).startsWith('bun'))
    throw new UsageError('Cannot install from the source: build the program, then run dist/policy install');
  return fromDrive(running) ?? running;
}
