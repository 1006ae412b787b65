import { isAbsolute, join } from 'node:path';
import { compileFiles } from '../../policy/compile-files.ts';
import { type ReadFile, readPolicyFile, readRealFile } from '../../policy/source.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';

/**
 * What running tests needs of this machine. Policies are tested as if they were named: no layers, no trust.
 *
 * @param readFile how files are read: from the disk unless given
 */
export function suitePorts(cwd: string, readFile: ReadFile = readRealFile): SuitePorts {
  return {
    readText: (path) => readPolicyFile(path, undefined, readFile),
    load: (names) =>
      compileFiles({
        place: { named: names, cwd, sessionDirectory: cwd, env: {}, readFile },
        trust: { trusted: () => undefined },
      }),
    nowUs: () => performance.now() * 1_000,
  };
}

/** The text of a file that a position names. */
export function sourceIn(cwd: string): (file: string) => string | undefined {
  return (file) => {
    const read = readPolicyFile(isAbsolute(file) ? file : join(cwd, file), undefined);
    return read.ok ? read.text : undefined;
  };
}
