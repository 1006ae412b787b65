import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { repositoryAt } from '../../../hook/repository.ts';
import type { Repository } from '../../../model/surroundings.ts';

/** The repository of a directory, or of its nearest existing parent; undefined if there is none. Kept by directory. */
export function createRepositoryLookup(): (cwd: string | undefined) => Repository | undefined {
  const known = new Map<string, Repository | undefined>();
  return (cwd) => {
    if (cwd === undefined || !isAbsolute(cwd)) return undefined;
    if (!known.has(cwd)) known.set(cwd, repositoryAt(existingAncestor(cwd)) ?? undefined);
    return known.get(cwd);
  };
}

function existingAncestor(cwd: string): string {
  let folder = cwd;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
