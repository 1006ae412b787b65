import { join } from 'node:path';
import { parseTestFile } from './cases/parse-test-file.ts';
import { VERDICTS_FILE } from './cases/recorded-verdicts.ts';
import { type SuitePorts, testedNames } from './run-suite.ts';
import type { SuitePlan } from './suite-plan.ts';

/** Every file that a suite's results follow from, as positions name them: its tests, its policies, the files that those extend. */
export function suiteInputs(plan: SuitePlan, ports: SuitePorts): ReadonlySet<string> {
  const verdicts = join(plan.folder, VERDICTS_FILE);
  const files = new Set([...plan.policyFiles, ...plan.testFiles.map(({ file }) => file), verdicts]);
  const sets = new Map<string, readonly string[]>();
  const want = (names: readonly string[]) => sets.set(names.join('\0'), names);
  if (plan.policyFiles.length > 0) want([plan.folder]);
  for (const planned of plan.testFiles) {
    const read = ports.readText(planned.path);
    const parsed = read.ok ? parseTestFile(read.text, planned.file, true) : undefined;
    const policies = parsed?.ok === true ? parsed.testFile.policies : undefined;
    want(testedNames(policies, planned.path));
  }
  for (const names of sets.values()) {
    for (const file of ports.load(names).texts.keys()) files.add(file);
  }
  return files;
}
