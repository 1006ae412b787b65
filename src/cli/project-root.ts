import { realDirectory, repositoryRoot } from '../policy/source.ts';

/** The folder that trust is recorded for: the repository around a directory, or the directory itself. */
export function projectRoot(directory: string): string {
  const real = realDirectory(directory);
  return repositoryRoot(real) ?? real;
}
