import { realDirectory, repositoryRoots } from '../../language/policy/files/folders.ts';

/** The folder that trust is recorded for: the nearest repository around a directory, or the directory itself. */
export function projectRoot(directory: string): string {
  const real = realDirectory(directory);
  return repositoryRoots(real)[0] ?? real;
}
