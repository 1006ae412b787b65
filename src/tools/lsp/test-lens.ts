import { resolve } from 'node:path';
import type { CodeLens } from 'vscode-languageserver';
import { localId } from '../../model/rule-id.ts';
import { countOf } from '../report/layout/quantity.ts';
import { failureText } from '../report/test/test-failure.ts';
import type { CaseResult } from '../suite/case-result.ts';
import type { RunCase, TestRun } from './ports.ts';
import { rangeOf } from './protocol.ts';
import type { OpenFile } from './workspace.ts';

/** The command that a lens runs: a file's URI, then a policy's id unless the whole file is meant. */
export const RUN_TESTS = 'policy.runTests';

/** Lenses on a file and each of its policies, with the result of their tests if they were run. */
export function testLenses(file: OpenFile, run: TestRun | undefined): readonly CodeLens[] {
  const lens = (line: number, id: string | undefined): CodeLens => {
    const start = { line, character: 0 };
    const title = run === undefined ? 'Run tests' : summaryOf(run, id);
    return {
      range: { start, end: start },
      command: { title, command: RUN_TESTS, arguments: id === undefined ? [file.uri] : [file.uri, id] },
    };
  };
  const own = (file.set?.compiled.program.rules ?? []).filter(
    ({ position }) => resolve(file.place.directory, position.file) === file.path,
  );
  return [lens(0, undefined), ...own.map(({ id, position }) => lens(rangeOf(position).start.line, id))];
}

/** The result of the tests of a policy, or of all: `3 tests pass`. */
export function summaryOf(run: TestRun, id: string | undefined): string {
  const cases = casesOf(run, id);
  const failed = cases.filter(({ result }) => result.status.type === 'failed').length;
  const skipped = cases.filter(({ result }) => result.status.type === 'skipped').length;
  const passed = cases.length - failed - skipped;
  const parts = [
    failed === 0 ? '' : `✗ ${countOf(failed, 'test')} failed`,
    passed === 0 ? '' : `✓ ${countOf(passed, 'test')} passed`,
    skipped === 0 ? '' : `${countOf(skipped, 'test')} skipped`,
    run.problems.length === 0 ? '' : `✗ ${countOf(run.problems.length, 'file')} could not be used`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No tests' : parts.join(', ');
}

/** The failures of a policy, or all, as `policy test` shows them. */
export function failuresOf(run: TestRun, id: string | undefined): readonly string[] {
  const failed = casesOf(run, id).filter(({ result }) => result.status.type === 'failed');
  return [...failed.map(({ result }) => failureText(result)), ...run.problems];
}

/** Those that are about a policy, and those that it should have decided and has not matched. */
function casesOf({ cases }: TestRun, id: string | undefined): readonly RunCase[] {
  if (id === undefined) return cases;
  return cases.filter(({ result, about }) => about.has(id) || isExpected(result, id));
}

function isExpected({ status }: CaseResult, id: string): boolean {
  if (status.type !== 'failed') return false;
  return status.differences.some(
    ({ key, expected }) =>
      key === 'policy' && (expected.endsWith(` ${id}`) || expected.endsWith(` ${localId(id)}`)),
  );
}
