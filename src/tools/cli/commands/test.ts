import { resolve } from 'node:path';
import { isInside } from '../../../language/policy/files/folders.ts';
import { countOf, percent } from '../../report/layout/quantity.ts';
import { coverageHtml } from '../../report/test/test-coverage-html.ts';
import { coverageLcov } from '../../report/test/test-coverage-lcov.ts';
import { coverageListing } from '../../report/test/test-coverage-text.ts';
import type { CoverageShare, CoverageTotals } from '../../suite/coverage/coverage.ts';
import { recordFile } from '../../suite/record/record-file.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';
import { suiteInputs } from '../../suite/suite-inputs.ts';
import { onlyExtends, type SuitePlan } from '../../suite/suite-plan.ts';
import type { Command } from '../command.ts';
import { git } from '../git.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { paintFor, printDiagnostics } from '../print.ts';
import { findSuites } from '../test/find-suites.ts';
import { mutatePolicies } from '../test/mutate-policies.ts';
import { runTests, type TestRun } from '../test/run-tests.ts';
import { sourceIn, suitePorts } from '../test/suite-ports.ts';
import { TEST_OPTIONS, type TestOptions, testOptions } from '../test/test-options.ts';
import { watchTests } from '../test/watch-tests.ts';
import { writeOutput, writeWhole } from '../write-text.ts';

export const test = {
  operands: '[PATH]...',
  isLong: true,
  options: TEST_OPTIONS,
  details: [
    'A path is a folder, a file or a glob. The default is .policy or policies in this directory, else the nearest .policy\nabove it, else this directory. It runs the *.test.yaml files below the path and the examples of its policies;\nwhere these only extend others and have no tests, the examples of those.',
    'The exit code is 1 if something fails, 2 if nothing ran, 3 if policies do not load.',
  ],
  example: [
    '$ policy test',
    '.policy  14 passed',
    '14 passed   coverage 100.0 % of policies, 91.6 % of alternatives (--coverage shows where)   31 ms',
  ],
  async run(args, io) {
    const options = testOptions(args);
    if (options.watch) return watchTests(args.operands, options, io);
    const found = findSuites(args.operands, io.cwd);
    const { changedSince } = options;
    const plans =
      changedSince === undefined ? found : changedSuites(found, changedSince, io.cwd, suitePorts(io));
    if (changedSince !== undefined && plans.length === 0) {
      io.stderr.write(`policy test: nothing to run: no suite differs from ${changedSince}\n`);
      return EXIT_CODE.ok;
    }
    if (options.mutate) return mutatePolicies(plans, options, io);
    if (options.update) updateOutputs(plans, io);
    const run = runTests(plans, options, io);
    if (isEmpty(run)) {
      const { load } = suitePorts(io);
      if (options.filter === undefined && plans.every((plan) => onlyExtends(plan, load([plan.folder])))) {
        io.stderr.write(
          'policy test: nothing to run: the policies that are extended here load, and have no examples\n',
        );
        return EXIT_CODE.ok;
      }
      throw new UsageError(
        options.filter === undefined
          ? 'Cannot run anything: there are no cases (*.test.yaml), and no policy has examples'
          : `Cannot find a case for --filter "${options.filter.text}"`,
      );
    }
    const lacks = writeCoverage(run, options, io);
    if (run.invalidPolicies) return EXIT_CODE.invalidPolicy;
    return lacks || run.counts.failed + run.counts.broken > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
  },
} satisfies Command;

function isEmpty({ counts, invalidPolicies }: TestRun): boolean {
  return !invalidPolicies && counts.passed + counts.failed + counts.skipped + counts.broken === 0;
}

/** Writes the wanted reports; true if too little was reached. */
function writeCoverage({ coverage }: TestRun, options: TestOptions, io: Io): boolean {
  const { lcov, html, minCoverage } = options;
  const wantsFiles = options.coverage || lcov !== undefined || html !== undefined;
  const files = wantsFiles ? coverage.files() : [];
  // Other formats have standard output to themselves.
  const output = options.format === 'text' ? io.stdout : io.stderr;
  if (options.coverage) output.write(`\n${coverageListing(files, paintFor(output, io.env))}`);
  if (lcov !== undefined) writeOutput(lcov, coverageLcov(files), io);
  if (html !== undefined) writeOutput(html, coverageHtml(files), io);
  if (minCoverage === undefined) return false;
  const lacking = lackingIn(coverage.totals(), minCoverage);
  for (const line of lacking) io.stderr.write(`policy test: ${line}\n`);
  return lacking.length > 0;
}

function lackingIn({ policies, alternatives }: CoverageTotals, wanted: number): readonly string[] {
  const tooLow = ({ hit, total }: CoverageShare) => hit * 100 < wanted * total;
  const text = (what: string, { hit, total }: CoverageShare) =>
    `the coverage of ${what} is ${percent(hit, total)}, less than ${wanted} %`;
  return [
    ...(tooLow(policies) ? [text('policies', policies)] : []),
    ...(tooLow(alternatives) ? [text('alternatives', alternatives)] : []),
  ];
}

/** Writes the outputs that cases expect into their files, and says so. */
function updateOutputs(plans: readonly SuitePlan[], io: Io): void {
  const ports = suitePorts(io);
  for (const plan of plans) {
    for (const planned of plan.testFiles) {
      const { text, count, diagnostics } = recordFile(plan, planned, ports);
      printDiagnostics(diagnostics, sourceIn(io.cwd), io);
      if (text === undefined || count === 0) continue;
      writeWhole(planned.path, text);
      io.stderr.write(`recorded ${countOf(count, 'output')} in ${planned.file}\n`);
    }
  }
}

/**
 * The suites of which a file differs from a git revision: tests, policies, the files that those extend, and new files.
 *
 * @throws UsageError if git cannot tell
 */
function changedSuites(
  plans: readonly SuitePlan[],
  revision: string,
  cwd: string,
  ports: SuitePorts,
): readonly SuitePlan[] {
  const asked = (...args: string[]): string => {
    const answer = git(args, cwd);
    if ('cause' in answer) throw new UsageError(`Cannot use --changed=${revision}: ${answer.cause}`);
    return answer.toString();
  };
  // A revision that begins with a dash would be an option.
  const commit = asked('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`).trim();
  const root = asked('rev-parse', '--show-toplevel').trim();
  const changed = [
    ...asked('diff', '--name-only', '-z', commit).split('\0'),
    ...asked('ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/').split('\0'),
  ]
    .filter((name) => name !== '')
    .map((name) => resolve(root, name));
  if (changed.length === 0) return [];
  return plans.filter((plan) => touches(plan, changed, cwd, ports));
}

function touches(plan: SuitePlan, changed: readonly string[], cwd: string, ports: SuitePorts): boolean {
  if (changed.some((path) => /\.ya?ml$/.test(path) && isInside(path, plan.folder))) return true;
  const inputs = new Set([...suiteInputs(plan, ports)].map((file) => resolve(cwd, file)));
  return changed.some((path) => inputs.has(path));
}
