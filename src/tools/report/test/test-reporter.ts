import type { SuiteCounts, SuiteEvent } from '../../suite/case-result.ts';
import type { CoverageTotals } from '../../suite/coverage/coverage.ts';

export interface TestSummary {
  readonly counts: SuiteCounts;
  /** Undefined if it was not measured. */
  readonly coverage: CoverageTotals | undefined;
}

/** Turns a run into text as it goes on, so that nothing has to be kept. Each call gives the text to print next. */
export interface TestReporter {
  readonly on: (event: SuiteEvent) => string;
  readonly end: (summary: TestSummary) => string;
}
