import { dirname, resolve } from 'node:path';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import type { ReadFile } from '../../../language/policy/files/read-file.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import type { Rule } from '../../../model/policy.ts';
import type { CaseAnswers } from '../../suite/run-case.ts';
import { runSuite } from '../../suite/run-suite.ts';
import { type Io, UsageError } from '../io.ts';
import { findSuites } from '../test/find-suites.ts';
import { suitePorts } from '../test/suite-ports.ts';
import { isSharedFile } from './shared-file.ts';

/** The policies that an example, or a test in the folder of their file, matches. Tests run only for policies without examples. */
export function testedPolicies(
  { program, examples, diagnostics }: CompiledFiles,
  isOwn: (rule: Rule) => boolean,
  io: Pick<Io, 'cwd' | 'env'>,
  readFile?: ReadFile,
): (rule: Rule) => boolean {
  // A folder with a broken file cannot be tested, so nothing can be said.
  if (errorsIn(diagnostics).length > 0) return () => true;
  const tested = new Set(examples.filter(({ expect }) => expect === 'hit').map(({ ruleId }) => ruleId));
  const untested = program.rules.filter((rule) => isOwn(rule) && !tested.has(rule.id));
  const files = [...new Set(untested.map(({ position }) => position.file))];
  try {
    if (files.length > 0) addTested(files, io, readFile, tested);
  } catch (error) {
    // The folder has gone since its policies were read.
    if (error instanceof UsageError) return () => true;
    throw error;
  }
  // Packs and sources are tested where they are from.
  return ({ id, position }) => tested.has(id) || isSharedFile(position.file);
}

function addTested(
  files: readonly string[],
  io: Pick<Io, 'cwd' | 'env'>,
  readFile: ReadFile | undefined,
  tested: Set<string>,
): void {
  const { cwd } = io;
  const folders = new Set(
    files.filter((file) => !isSharedFile(file)).map((file) => dirname(resolve(cwd, file))),
  );
  if (folders.size === 0) return;
  const ports = suitePorts(io, readFile);
  const observer = {
    loaded: () => {},
    exampleRun: () => {},
    answered: (_test: unknown, { answer, earlier }: CaseAnswers) => {
      for (const { outcome } of [...earlier, answer]) {
        for (const { rule } of outcome?.hits ?? []) tested.add(rule.id);
      }
    },
  };
  for (const plan of findSuites([...folders], cwd)) {
    if (plan.testFiles.length === 0) continue;
    for (const _event of runSuite({ ...plan, policyFiles: [] }, { observer }, ports)) {
      // `policy test` says if the cases pass.
    }
  }
}
