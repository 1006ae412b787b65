import { resolve } from 'node:path';
import { isInside } from '../../../language/policy/files/source.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';
import { suiteInputs } from '../../suite/suite-inputs.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import { UsageError } from '../io.ts';

/**
 * The suites of which a file differs from a git revision: tests, policies, what those extend, and files that are new.
 *
 * @throws UsageError if git cannot tell
 */
export function changedSuites(
  plans: readonly SuitePlan[],
  revision: string,
  cwd: string,
  ports: SuitePorts,
): readonly SuitePlan[] {
  // A revision that begins with a dash would be an option.
  const commit = git(
    ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`],
    revision,
    cwd,
  ).trim();
  const root = git(['rev-parse', '--show-toplevel'], revision, cwd).trim();
  const changed = [
    ...git(['diff', '--name-only', '-z', commit], revision, cwd).split('\0'),
    ...git(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/'], revision, cwd).split(
      '\0',
    ),
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

function git(args: readonly string[], revision: string, cwd: string): string {
  const refuse = (cause: string) => new UsageError(`Cannot use --changed=${revision}: ${cause}`);
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], {
      cwd,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    if (exitCode === 0) return stdout.toString();
    throw refuse(`git says "${stderr.toString().trim().split('\n')[0] ?? ''}"`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refuse('git cannot be started');
  }
}
