import type { DiagnosticCode } from '../../model/diagnostic.ts';

/** Something wrong in a value of a test file or an example. */
export interface FoundProblem {
  readonly code: DiagnosticCode;
  /** Keys and indexes that lead from the value to the culprit. */
  readonly path: readonly (string | number)[];
  /** Whether the culprit is the key or the value at the path. */
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly hint?: string;
}

/** The same problems, seen from further up. */
export function below(
  path: readonly (string | number)[],
  problems: readonly FoundProblem[],
): readonly FoundProblem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** What a value is, in the author's words. */
export function kindName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'a mapping';
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    default:
      return 'true or false';
  }
}
