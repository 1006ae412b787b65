import { basename, dirname, resolve, sep } from 'node:path';
import { displayPath, isInside, kindOf } from '../../../language/policy/files/folders.ts';
import { isPolicyName } from '../../../language/policy/files/list-policy-files.ts';
import { child } from '../../../lib/child.ts';
import { compileGlob, globProblem } from '../../../lib/glob/glob.ts';
import type { PlannedFile, SuitePlan } from '../../suite/suite-plan.ts';
import { UsageError } from '../io.ts';
import { listFiles } from '../list-files.ts';
import { policyFolder } from '../policy-place.ts';

const WILD = /[*?[{]/;

/**
 * The suites below files, folders and globs, by name. A folder is a suite if it has tests; policy files in folders
 * without tests belong to the nearest suite above, and are one on their own where there is none.
 *
 * @throws UsageError if a path does not exist, cannot be listed or has neither tests nor policies
 */
export function findSuites(operands: readonly string[], cwd: string): readonly SuitePlan[] {
  const found: Found = { tests: new Set(), policies: new Set() };
  for (const operand of operands.length > 0 ? operands : [policyFolder(cwd) ?? '.'])
    take(operand, cwd, found);
  return suitesOf(found, cwd);
}

export function isTestName(name: string): boolean {
  return /\.test\.ya?ml$/.test(name);
}

interface Found {
  /** Absolute paths. */
  readonly tests: Set<string>;
  readonly policies: Set<string>;
}

function take(operand: string, cwd: string, found: Found): void {
  const path = resolve(cwd, operand);
  const before = found.tests.size + found.policies.size;
  switch (kindOf(path)) {
    case 'file':
      if (!takeFile(path, found)) {
        throw new UsageError(
          `Cannot test "${operand}": it is neither a test (*.test.yaml) nor a policy file`,
        );
      }
      return;
    case 'folder':
      for (const each of listFiles(path, 'test')) takeFile(each, found);
      break;
    case 'missing':
      if (!WILD.test(operand))
        throw new UsageError(`Cannot test "${operand}": there is no such file or folder`);
      takeGlob(operand, cwd, found);
      break;
    default:
      throw new UsageError(`Cannot test "${operand}": it cannot be read`);
  }
  if (found.tests.size + found.policies.size === before) {
    throw new UsageError(`Cannot test "${operand}": it has neither tests (*.test.yaml) nor policies`);
  }
}

function takeFile(path: string, { tests, policies }: Found): boolean {
  if (isTestName(path)) tests.add(path);
  else if (isPolicyName(path)) policies.add(path);
  else return false;
  return true;
}

function takeGlob(operand: string, cwd: string, found: Found): void {
  const problem = globProblem(operand);
  if (problem !== undefined) throw new UsageError(`Cannot use glob "${operand}": ${problem}`);
  const pattern = resolve(cwd, operand);
  const glob = compileGlob(pattern);
  const fixed = pattern.slice(0, pattern.search(WILD));
  const base = fixed.slice(0, fixed.lastIndexOf(sep) + 1);
  if (kindOf(base) !== 'folder') return;
  for (const path of listFiles(base.replace(/(.)[\\/]$/, '$1'), 'test')) {
    if (glob.test(path) === true || glob.test(dirname(path)) === true) takeFile(path, found);
  }
}

function suitesOf({ tests, policies }: Found, cwd: string): readonly SuitePlan[] {
  const folders = new Map<string, { readonly tests: PlannedFile[]; readonly policies: string[] }>();
  const suiteAt = (folder: string) => child(folders, folder, () => ({ tests: [], policies: [] }));
  for (const path of tests) suiteAt(dirname(path)).tests.push({ path, file: displayPath(path, cwd) });
  const withTests = [...folders.keys()];
  for (const path of policies) {
    const above = withTests
      .filter((folder) => isInside(path, folder))
      .sort((a, b) => b.length - a.length)
      .at(0);
    suiteAt(above ?? dirname(path)).policies.push(displayPath(path, cwd));
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, suite]) => ({
      name: displayPath(folder, cwd) === '.' ? basename(folder) : displayPath(folder, cwd),
      folder,
      testFiles: suite.tests.sort((a, b) => (a.file < b.file ? -1 : 1)),
      policyFiles: suite.policies.sort(),
    }));
}
