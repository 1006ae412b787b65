import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { repositoryAt } from '../../../hook/repository.ts';
import type { Repository } from '../../../model/surroundings.ts';

/**
 * Finds the repositories of directories, each once. A directory that is gone, as worktrees go, counts as the folder that it was
 * in. Undefined if there is none, or no directory was logged.
 */
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
