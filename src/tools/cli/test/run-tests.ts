import { createTestReporter } from '../../report/test/test-reporters.ts';
import type { SuiteCounts } from '../../suite/case-result.ts';
import { type CoverageMeter, createCoverageMeter } from '../../suite/coverage/measure-coverage.ts';
import { runSuite } from '../../suite/run-suite.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../print.ts';
import { createProgress } from './progress.ts';
import { sourceIn, suitePorts } from './suite-ports.ts';
import type { TestOptions } from './test-options.ts';

export interface TestRun {
  readonly counts: SuiteCounts;
  /** True if policies could not be loaded. */
  readonly invalidPolicies: boolean;
  readonly coverage: CoverageMeter;
}

/** Text is written in pieces of about this size. */
const FLUSH_CHARS = 32_768;

/** Runs suites and reports on them as it goes on. */
export function runTests(plans: readonly SuitePlan[], options: TestOptions, io: Io): TestRun {
  const ports = suitePorts(io);
  const measured = new Set(plans.flatMap(({ policyFiles }) => policyFiles));
  const coverage = createCoverageMeter((file) => measured.has(file));
  const paint = paintFor(io.stdout, io.env);
  const reporter = createTestReporter(options.format, {
    paint,
    sourceOf: sourceIn(io.cwd),
    nameWidth: Math.max(0, ...plans.map(({ name }) => name.length)),
    hintCoverage: !options.coverage,
  });
  const progress = createProgress(io.stderr);
  let text = '';
  const flush = () => {
    if (text === '') return;
    progress.clear();
    io.stdout.write(text);
    text = '';
  };

  const startUs = ports.nowUs();
  const counts = { passed: 0, failed: 0, skipped: 0, broken: 0 };
  let invalidPolicies = false;
  const { seed } = options;
  const ordered = seed === undefined ? plans : shuffle(plans, seed);
  for (const [index, plan] of ordered.entries()) {
    const run = runSuite(
      plan,
      {
        ...(options.filter === undefined ? {} : { wanted: options.filter.fits }),
        ...(seed === undefined ? {} : { order: (items) => shuffle(items, seed) }),
        bail: options.bail,
        observer: coverage,
      },
      ports,
    );
    for (const event of run) {
      if (event.type === 'case') {
        counts[event.result.status.type] += 1;
        const count = counts.passed + counts.failed + counts.skipped;
        progress.show((index + event.done) / plans.length, count, 'cases');
      } else if (event.type === 'problems') {
        if (event.kind === 'policies') invalidPolicies = true;
        else counts.broken += 1;
      }
      text += reporter.on(event);
      if (text.length > FLUSH_CHARS) flush();
    }
    if (options.bail && (counts.failed + counts.broken > 0 || invalidPolicies)) break;
  }
  const total = { ...counts, durationUs: ports.nowUs() - startUs };
  const isPartial = options.filter !== undefined && !options.coverage;
  text += reporter.end({ counts: total, coverage: isPartial ? undefined : coverage.totals() });
  flush();
  progress.clear();
  return { counts: total, invalidPolicies, coverage };
}

/** The same items in an order that follows from the seed, the same every time. */
export function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const shuffled = [...items];
  // Small seeds are alike in their upper bits, which are the ones that count below.
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  for (let last = shuffled.length - 1; last > 0; last--) {
    // A linear congruential step, with the constants of Numerical Recipes; its upper bits are good enough to mix a list.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    const item = shuffled[last];
    const moved = shuffled[other];
    if (item === undefined || moved === undefined) continue;
    shuffled[last] = moved;
    shuffled[other] = item;
  }
  return shuffled;
}
