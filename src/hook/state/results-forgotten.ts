import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { openStateFolder, stateFolderPath } from './state-folder.ts';

/** Says, by its time, until when results of calls are forgotten: the processes that keep them look at it. */
const FILE = 'results-forgotten';

/** When a person had the results of calls forgotten, in milliseconds since 1970; 0 if nobody had. */
export function forgottenMs(env: NodeJS.ProcessEnv): number {
  return statSync(join(stateFolderPath(env), FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Has all processes of this user forget the results that they keep. */
export function forgetResults(env: NodeJS.ProcessEnv): void {
  const path = join(openStateFolder(env), FILE);
  closeSync(openSync(path, 'a', 0o600));
  const now = new Date();
  utimesSync(path, now, now);
}
