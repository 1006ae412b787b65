import type { Json } from '../../../lib/json.ts';
import { driveAt, driveOf, driveStart } from '../../../lib/path/drive-path.ts';
import type { Event } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { resolvePath } from '../../../reader/reading/path.ts';
import { knownText, textWord } from '../../../reader/reading/word.ts';
import { argumentValues } from '../arguments/values.ts';
import { pathWord } from '../path/word.ts';

/** The session's folder as the program spells it: on Windows a shell from elsewhere may name it `/c/work`. */
export function sessionFolder(
  { context }: Event,
  { home, workspace }: Facts['surroundings'],
): string | undefined {
  const path = context.cwd ?? workspace;
  if (typeof path !== 'string') return undefined;
  const drive = driveAt(path, home);
  return drive === undefined ? path : driveStart(path, drive);
}

/** More of them than any tool has; nobody knows where a call with more runs. */
const MAX_DIRECTORIES = 8;
const UNKNOWN: readonly undefined[] = [undefined];

/**
 * The directories that a call may run in: its own argument, relative to the session's, relative to the workspace. If several
 * arguments could be the one, all of them count, so that an extra one cannot hide the one that the tool uses. Undefined is a
 * directory that is not known.
 *
 * @param given the arguments that say it, all of the call unless given
 */
export function workingDirectories(
  event: Event,
  surroundings: Facts['surroundings'],
  given: readonly Json[] = event.tool === undefined ? [] : argumentValues(event.tool, ['cwd']),
): readonly (string | undefined)[] {
  const start = sessionFolder(event, surroundings);
  const said = given.filter((value) => value !== '' && value !== null);
  if (said.length === 0) return [start];
  const base = { cwd: start === undefined ? undefined : textWord(start), home: surroundings.home };
  const drive = driveOf(start ?? '');
  const isOffDrives = start?.startsWith('/') === true && driveAt(start, surroundings.home) === undefined;
  const all = new Set(
    said.map((value) => {
      if (typeof value !== 'string') return undefined;
      // Without drives, `C:/` is a name.
      const path = isOffDrives && driveOf(value) !== undefined ? `./${value}` : value;
      const folder = knownText(resolvePath(pathWord(path), base));
      // Windows starts a program for `/tmp` in that folder of the drive.
      return drive !== undefined && folder?.startsWith('/') ? `${drive}:${folder}` : folder;
    }),
  );
  return all.size > MAX_DIRECTORIES ? UNKNOWN : [...all];
}
