import { isAbsolute, join } from 'node:path';
import { compileFiles } from '../../policy/compile-files.ts';
import { readPolicyFile } from '../../policy/source.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';

/** What running tests needs of this machine. Policies are tested as if they were named: no layers, no trust. */
export function suitePorts(cwd: string): SuitePorts {
  return {
    readText: (path) => readPolicyFile(path, undefined),
    load: (names) =>
      compileFiles({
        place: { named: names, cwd, sessionDirectory: cwd, env: {} },
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
