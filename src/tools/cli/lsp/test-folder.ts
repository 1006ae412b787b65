import type { RunCase, TestRun } from '../../lsp/ports.ts';
import { runSuite, type SuiteObserver, type SuitePorts } from '../../suite/run-suite.ts';
import { UsageError } from '../io.ts';
import { findSuites } from '../test/find-suites.ts';

/** Runs what `policy test FOLDER` does, and notes which policies each case was about. */
export function testFolder(folder: string, ports: SuitePorts): TestRun {
  const cases: RunCase[] = [];
  const problems: string[] = [];
  let about = new Set<string>();
  const observer: SuiteObserver = {
    loaded: () => {},
    exampleRun: ({ id }) => about.add(id),
    answered: (_test, { earlier, answer }) => {
      for (const { outcome } of [...earlier, answer])
        for (const { rule } of outcome?.hits ?? []) about.add(rule.id);
    },
  };
  try {
    for (const plan of findSuites([folder], folder)) {
      for (const event of runSuite(plan, { observer }, ports)) {
        if (event.type === 'problems') problems.push(...event.diagnostics.map(({ message }) => message));
        if (event.type !== 'case') continue;
        cases.push({ result: event.result, about });
        about = new Set();
      }
    }
  } catch (error) {
    // There is nothing to test here, or no longer.
    if (!(error instanceof UsageError)) throw error;
    problems.push(error.message);
  }
  return { cases, problems };
}
