import { readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { isInside } from '../../../language/policy/files/folders.ts';
import { listPolicyFiles } from '../../../language/policy/files/list-policy-files.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { archivePathProblem } from '../../../lib/path/archive-path.ts';
import { UsageError } from '../io.ts';
import { findSuites } from '../test/find-suites.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/**
 * The policy files of a folder, the files that they extend, and the data that they name, by their path in it.
 *
 * @param folder absolute
 * @throws UsageError if one of them lies elsewhere, or is a link: then the bundle would be another set than the folder
 */
export function policyFilesIn(folder: string, { paths, dataFiles }: CompiledFiles): Files {
  const real = realpathSync(folder);
  const listed = listPolicyFiles(folder, undefined).files.map(({ path }) =>
    join(real, relative(folder, path)),
  );
  const files = new Map<string, Uint8Array>();
  for (const path of [...listed, ...paths, ...dataFiles.map((at) => inReal(at, folder, real))]) {
    const fail = (cause: string) => new UsageError(`Cannot bundle "${path}": ${cause}`);
    if (!isInside(path, real)) throw fail(`it lies outside of "${folder}"; move it there`);
    const name = relative(real, path).split(sep).join('/');
    const problem = archivePathProblem(name);
    if (problem !== undefined) throw fail(`it ${problem}`);
    try {
      if (realpathSync(path) !== path) throw new Error('it is a link; put the file itself there');
      files.set(name, readFileSync(path));
    } catch (error) {
      throw fail(messageOf(error));
    }
  }
  return files;
}

/** A folder may be reached through links. */
function inReal(path: string, folder: string, real: string): string {
  return isInside(path, folder) ? resolve(real, relative(folder, path)) : path;
}

export function testFilesIn(folder: string): Files {
  return new Map(
    findSuites([folder], folder)
      .flatMap(({ testFiles }) => testFiles)
      .map(({ path, file }) => [file.split(sep).join('/'), readFileSync(path)]),
  );
}
