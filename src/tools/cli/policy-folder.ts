import { dirname, join, relative } from 'node:path';
import { isInside, kindOf, realDirectory, repositoryRoots } from '../../language/policy/files/folders.ts';

const PROJECT_FOLDER = '.policy';
/** Where a repository of packs keeps them. */
const PACKS_FOLDER = 'policies';

/**
 * The folder that commands on files mean when none is named: `.policy` or `policies` of this directory, else the nearest
 * `.policy` above it, up to the root of the outermost repository, where the hook looks as well.
 *
 * @returns relative to the directory; undefined if there is none
 */
export function policyFolder(cwd: string): string | undefined {
  const here = [PROJECT_FOLDER, PACKS_FOLDER].find((name) => kindOf(join(cwd, name)) === 'folder');
  if (here !== undefined) return here;
  const directory = realDirectory(cwd);
  const outermost = repositoryRoots(directory).at(-1) ?? directory;
  for (let folder = directory; folder !== outermost && isInside(folder, outermost); ) {
    folder = dirname(folder);
    const path = join(folder, PROJECT_FOLDER);
    if (kindOf(path) === 'folder') return relative(directory, path);
  }
  return undefined;
}
