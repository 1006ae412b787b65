import { findSuites } from '../../src/tools/cli/test/find-suites.ts';
import { suitePorts } from '../../src/tools/cli/test/suite-ports.ts';
import type { CaseResult, SuiteEvent } from '../../src/tools/suite/case-result.ts';
import { type RunOptions, runSuite } from '../../src/tools/suite/run-suite.ts';

/** Runs every suite of a folder and keeps all that is told. */
export function eventsIn(folder: string, options: RunOptions = {}): readonly SuiteEvent[] {
  const ports = suitePorts({ cwd: folder, env: {} });
  return findSuites([], folder).flatMap((plan) => [...runSuite(plan, options, ports)]);
}

/** The results alone. */
export function resultsIn(folder: string, options: RunOptions = {}): readonly CaseResult[] {
  return eventsIn(folder, options).flatMap((event) => (event.type === 'case' ? [event.result] : []));
}

/** A result in one line: `passed`, or what is not as expected. */
export function outcomeOf({ status }: CaseResult): string {
  switch (status.type) {
    case 'passed':
      return 'passed';
    case 'skipped':
      return `skipped: ${status.reason}`;
    case 'failed':
      return status.differences
        .map(({ key, expected, actual }) => `${key}: ${expected} | ${actual}`)
        .join('; ');
  }
}
