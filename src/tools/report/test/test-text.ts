import type { SuiteCounts, SuiteEvent } from '../../suite/case-result.ts';
import type { CoverageTotals } from '../../suite/coverage/coverage.ts';
import { type DiagnosticsTextOptions, diagnosticsText } from '../diagnostics/diagnostics-text.ts';
import { displayWidth } from '../layout/display-width.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { countOf, duration, grouped, percent } from '../layout/quantity.ts';
import { failureLines } from './test-failure.ts';
import type { TestReporter } from './test-reporter.ts';

export interface TestTextOptions extends DiagnosticsTextOptions {
  /** Width of the longest suite's name. */
  readonly nameWidth: number;
  /** True to say where coverage can be seen. */
  readonly hintCoverage: boolean;
}

/** Quiet where all is well, a line for each suite; loud and exact where something fails. */
export function createTextReporter(options: TestTextOptions): TestReporter {
  const { paint, nameWidth } = options;
  let loud: string[] = [];
  let isIncomplete = false;
  return {
    on(event) {
      switch (event.type) {
        case 'case':
          loud.push(...failureLines(event.result, paint));
          return '';
        case 'problems':
          if (event.kind === 'policies') isIncomplete = true;
          loud.push(...diagnosticsText(event.diagnostics, options));
          return '';
        case 'suite_ended': {
          const text = [...suiteLines(event, nameWidth, paint), ...loud].map((line) => `${line}\n`).join('');
          loud = [];
          return text;
        }
        case 'suite_started':
          return '';
      }
    },
    end({ counts, coverage }) {
      const incomplete = isIncomplete ? paint.red(', some policies cannot be loaded') : '';
      const parts = [
        `${countsText(counts, paint)}${incomplete}`,
        coverage === undefined ? '' : coverageText(coverage, options.hintCoverage),
        paint.dim(duration(counts.durationUs)),
      ];
      return `${parts.filter((part) => part !== '').join('   ')}\n`;
    },
  };
}

/** `coverage 98.2 % of policies, 91.0 % of alternatives`. */
export function coverageText({ policies, alternatives }: CoverageTotals, hint: boolean): string {
  const parts = [
    policies.total === 0 ? '' : `${percent(policies.hit, policies.total)} of policies`,
    alternatives.total === 0 ? '' : `${percent(alternatives.hit, alternatives.total)} of alternatives`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const complete = policies.hit === policies.total && alternatives.hit === alternatives.total;
  return `coverage ${parts.join(', ')}${hint && !complete ? ' (--coverage shows where)' : ''}`;
}

/** The line of a suite; none if nothing of it was run. */
function suiteLines(
  { suite, counts }: Extract<SuiteEvent, { type: 'suite_ended' }>,
  width: number,
  paint: Paint,
): readonly string[] {
  const { passed, failed, skipped, broken } = counts;
  if (passed + failed + skipped + broken === 0) return [];
  const shown = printable(suite);
  const space = ' '.repeat(Math.max(2, width - displayWidth(shown) + 2));
  return [`${shown}${space}${countsText(counts, paint)}`];
}

function countsText(
  { passed, failed, skipped, broken }: Omit<SuiteCounts, 'durationUs'>,
  paint: Paint,
): string {
  const all = `${grouped(passed)} passed`;
  const parts = [
    failed + broken > 0 ? all : paint.green(all),
    failed === 0 ? '' : paint.red(`${grouped(failed)} failed`),
    skipped === 0 ? '' : paint.yellow(`${grouped(skipped)} skipped`),
    broken === 0 ? '' : paint.red(countOf(broken, 'broken test file')),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
