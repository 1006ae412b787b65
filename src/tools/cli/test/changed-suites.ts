import { resolve } from 'node:path';
import { isInside } from '../../../language/policy/files/folders.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';
import { suiteInputs } from '../../suite/suite-inputs.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import { git } from '../git.ts';
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
