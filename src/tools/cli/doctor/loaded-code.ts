import { type Guards, globsOf } from '../../../hosts/guards.ts';
import { type Finding, type Machine, note, textOfOthers } from '../../../hosts/installation.ts';
import { namesField } from '../../../language/keys/path/written-fields.ts';
import { FILES } from '../install/machine.ts';
import { placedFiles } from './guarded-files.ts';

const bringsHooks = namesField(['hooks']);

/** What an agent loads from the project that brings hooks of its own. */
export function loadedCodeNotes(guards: Guards, machine: Machine): readonly Finding[] {
  const globs = globsOf(guards, 'instructions').filter((glob) => glob.startsWith('**/'));
  return placedFiles(globs, machine)
    .filter((path) => bringsHooks(textOfOthers(path, FILES), path))
    .map((path) => {
      const message = `${path} brings hooks of its own, which can change a call after this hook has passed it`;
      return note('project-hooks', message, 'look at them before you trust the folder');
    });
}
