import { isAbsolute, join } from 'node:path';
import { createSourceStore } from '../../../hook/state/source-store.ts';
import { compileFiles } from '../../../language/policy/compile/compile-files.ts';
import { type ReadFile, readPolicyFile, readRealFile } from '../../../language/policy/files/read-file.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';
import type { Io } from '../io.ts';

/**
 * This machine as tests need it. Policies are tested as if they were named: no layers, no trust.
 *
 * @param readFile how files are read: from the disk unless given
 */
export function suitePorts(
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  readFile: ReadFile = readRealFile,
): SuitePorts {
  const sources = createSourceStore(env);
  return {
    readText: (path) => readPolicyFile(path, undefined, readFile),
    load: (names) =>
      compileFiles({
        place: { named: names, cwd, sessionDirectory: cwd, env: {}, sources, readFile },
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
