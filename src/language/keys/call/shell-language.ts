import { driveAt } from '../../../lib/path/drive-path.ts';
import type { Facts } from '../../../model/facts.ts';
import type { ReadingContext } from '../../../reader/reading/reading.ts';
import { sessionFolder } from './working-directories.ts';

/**
 * The language of a call's commands. The system's shell is PowerShell if the session's folder or the home is on a drive. A
 * folder that the call names does not change the shell, because the agent chooses it.
 */
export function languageOf({ event, surroundings }: Facts): ReadingContext['language'] {
  const shell = event.tool?.shell;
  if (shell !== 'system') return shell ?? 'sh';
  return driveAt(sessionFolder(event, surroundings), surroundings.home) === undefined ? 'sh' : 'powershell';
}
