import { dirname, resolve } from 'node:path';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { parseTestFile } from '../../suite/cases/parse-test-file.ts';
import type { PlannedFile } from '../../suite/suite-plan.ts';
import { type Io, UsageError } from '../io.ts';
import { policyFolder } from '../policy-place.ts';
import { findSuites } from '../test/find-suites.ts';
import { isSharedFile } from './shared-file.ts';

/** The problems of test files beside policies, and the texts of all of them. The hook reads none, so these are warnings. */
export function brokenTests(
  checked: Pick<CompiledFiles, 'texts'>,
  named: readonly string[],
  { cwd }: Pick<Io, 'cwd'>,
): { readonly diagnostics: readonly Diagnostic[]; readonly texts: ReadonlyMap<string, string> } {
  const own = [...checked.texts.keys()].filter((file) => !isSharedFile(file));
  const isMeant = ({ path }: PlannedFile) =>
    !named.some((file) => own.includes(file)) ||
    named.some((file) => path.startsWith(resolve(cwd, file).replace(/ya?ml$/, '')));
  const folders = own.map((file) => dirname(resolve(cwd, file)));
  const usual = named.length > 0 ? undefined : policyFolder(cwd);
  const texts = new Map<string, string>();
  const diagnostics = testFilesIn([...folders, ...(usual === undefined ? [] : [usual])], cwd)
    .filter(isMeant)
    .flatMap(({ path, file }) => {
      const read = readPolicyFile(path, undefined);
      if (!read.ok) return [];
      texts.set(file, read.text);
      const parsed = parseTestFile(read.text, file, true);
      return parsed.ok ? [] : parsed.diagnostics.map((each) => ({ ...each, severity: 'warning' as const }));
    });
  return { diagnostics, texts };
}

function testFilesIn(folders: readonly string[], cwd: string): readonly PlannedFile[] {
  if (folders.length === 0) return [];
  try {
    return findSuites([...new Set(folders)], cwd).flatMap(({ testFiles }) => testFiles);
  } catch (error) {
    // The folder has gone since its policies were read.
    if (error instanceof UsageError) return [];
    throw error;
  }
}
