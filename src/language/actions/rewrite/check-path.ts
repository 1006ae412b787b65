import { parsePath } from '../../../lib/json-path.ts';
import type { ParamProblem } from '../action-spec.ts';

/** The problem of a path that names nothing, as in `a..b`. */
export function checkPath(path: string, at: readonly (string | number)[]): readonly ParamProblem[] {
  if (path !== '' && !parsePath(path).includes('')) return [];
  return [
    {
      code: 'bad-value',
      path: at,
      message: `Cannot follow path "${path}": it has an empty name`,
      hint: 'write names with dots between them, such as edits.0.path',
    },
  ];
}
