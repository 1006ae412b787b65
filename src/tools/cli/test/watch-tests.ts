import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInside } from '../../../language/policy/files/folders.ts';
import { suiteInputs } from '../../suite/suite-inputs.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import { type Io, UsageError } from '../io.ts';
import { findSuites, isTestName } from './find-suites.ts';
import { runTests } from './run-tests.ts';
import { suitePorts } from './suite-ports.ts';
import type { TestOptions } from './test-options.ts';

/** Editors write a file in several steps; those that come within this time count as one. */
const SETTLE_MS = 30;

/** Runs everything once, then the changed suites, for ever. */
export function watchTests(operands: readonly string[], options: TestOptions, io: Io): Promise<never> {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let inputs = new Map<string, ReadonlySet<string>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const follow = (plans: readonly SuitePlan[]) => {
    const ports = suitePorts(io);
    inputs = new Map(
      plans.map((plan) => [
        plan.folder,
        new Set([...suiteInputs(plan, ports)].map((file) => resolve(io.cwd, file))),
      ]),
    );
    const wanted = new Set(plans.map(({ folder }) => folder));
    for (const files of inputs.values()) for (const file of files) wanted.add(dirname(file));
    for (const folder of [...wanted].filter((each) => !watchers.has(each))) watchFolder(folder);
  };

  const watchFolder = (folder: string) => {
    try {
      const watcher = watch(folder, { recursive: true }, (_event, name) => {
        if (name === null || !/\.ya?ml$/.test(name)) return;
        changed.add(resolve(folder, name));
        clearTimeout(timer);
        timer = setTimeout(runChanged, SETTLE_MS);
      });
      // A folder that goes away takes its watcher with it.
      watcher.on('error', () => watchers.delete(folder));
      watchers.set(folder, watcher);
    } catch {
      // A folder that cannot be watched, as one that is gone again, is simply not followed.
    }
  };

  const runChanged = () => {
    const paths = [...changed];
    changed.clear();
    try {
      const plans = findSuites(operands, io.cwd);
      const touched = plans.flatMap((plan) => narrowed(plan, paths, inputs.get(plan.folder)));
      if (touched.length > 0) {
        io.stdout.write('\n');
        runTests(touched, options, io);
      }
      follow(plans);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      io.stderr.write(`policy test: ${error.message}\n`);
    }
  };

  const plans = findSuites(operands, io.cwd);
  runTests(plans, options, io);
  follow(plans);
  io.stderr.write('watching for changes\n');
  return new Promise(() => {});
}

/** The part of a suite that changed files concern: changed tests on their own, everything if a policy has changed. */
function narrowed(
  plan: SuitePlan,
  changed: readonly string[],
  inputs: ReadonlySet<string> | undefined,
): readonly SuitePlan[] {
  const own = changed.filter((path) => inputs?.has(path) === true || isInside(path, plan.folder));
  if (own.length === 0) return [];
  const tests = plan.testFiles.filter(({ path }) => own.includes(path));
  if (own.some((path) => !isTestName(path))) return [plan];
  return tests.length === 0 ? [] : [{ ...plan, testFiles: tests, policyFiles: [] }];
}
