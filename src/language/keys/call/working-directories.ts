import type { Json } from '../../../lib/json.ts';
import { driveOf, driveStart } from '../../../lib/path/drive-path.ts';
import type { Event } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { resolvePath } from '../../../reader/reading/path.ts';
import { knownText, textWord, type Word } from '../../../reader/reading/word.ts';
import { argumentValues } from '../arguments/values.ts';
import { pathWord } from '../path/word.ts';

/** The session's folder as the program spells it: on Windows a shell from elsewhere may name it `/c/work`. */
function folderOf(path: string, home: string | undefined): Word {
  const drive = driveOf(path) ?? driveOf(home ?? '');
  return textWord(drive === undefined ? path : driveStart(path, drive));
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
  { home, workspace }: Facts['surroundings'],
  given: readonly Json[] = event.tool === undefined ? [] : argumentValues(event.tool, ['cwd']),
): readonly (string | undefined)[] {
  const start = event.context.cwd ?? workspace;
  const cwd = typeof start === 'string' ? folderOf(start, home) : undefined;
  const said = given.filter((value) => value !== '' && value !== null);
  if (said.length === 0) return cwd === undefined ? UNKNOWN : [knownText(cwd)];
  const all = new Set(
    said.map((value) =>
      typeof value === 'string' ? knownText(resolvePath(pathWord(value), { cwd, home })) : undefined,
    ),
  );
  return all.size > MAX_DIRECTORIES ? UNKNOWN : [...all];
}
