import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { repositoryAt } from '../../hook/repository.ts';

/** Where no directory was logged. */
const NOWHERE = 'unknown';

/**
 * Names the repository of a directory: `host/owner/name` of its remote, else where it lies. What is gone, as worktrees
 * go, counts as the folder that it was in.
 */
export function createRepositoryNames(): (cwd: string | undefined) => string {
  const known = new Map<string, string>();
  return (cwd) => {
    if (cwd === undefined || !isAbsolute(cwd)) return NOWHERE;
    const name = known.get(cwd) ?? nameOf(cwd);
    known.set(cwd, name);
    return name;
  };
}

function nameOf(cwd: string): string {
  let folder = cwd;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const repository = repositoryAt(folder);
  return repository?.name ?? repository?.root ?? cwd;
}
