import type { SpecProblem } from '../../model/diagnostic.ts';

/** The same problems, seen from one level further out. */
export function prefixed(key: string | number, problems: readonly SpecProblem[]): readonly SpecProblem[] {
  return problems.map((problem) => ({ ...problem, path: [key, ...problem.path] }));
}
