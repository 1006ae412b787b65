import { dirname, join, relative } from 'node:path';
import { createSourceStore } from '../../hook/state/source-store.ts';
import { createTrustStore } from '../../hook/state/trust-store.ts';
import { type CompiledFiles, compileFiles } from '../../language/policy/compile/compile-files.ts';
import { isInside, kindOf, realDirectory, repositoryRoots } from '../../language/policy/files/folders.ts';
import type { PolicyPlace } from '../../language/policy/files/place.ts';
import type { ReadFile } from '../../language/policy/files/read-file.ts';
import type { Io } from './io.ts';

/** Loads policies as the hook would: those that are named, or those found for this directory. */
export function compileFor(
  io: Io,
  named: readonly string[],
  sessionDirectory: string = io.cwd,
  readFile?: ReadFile,
): CompiledFiles {
  const sources = createSourceStore(io.env);
  const base = { named, cwd: io.cwd, sessionDirectory, env: io.env, sources };
  const place: PolicyPlace = readFile === undefined ? base : { ...base, readFile };
  return compileFiles({ place, trust: createTrustStore(io.env) });
}

const PROJECT_FOLDER = '.policy';
/** A repository of packs keeps them here. */
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

/** The folder that trust is recorded for: the nearest repository around a directory, or the directory itself. */
export function projectRoot(directory: string): string {
  const real = realDirectory(directory);
  return repositoryRoots(real)[0] ?? real;
}
