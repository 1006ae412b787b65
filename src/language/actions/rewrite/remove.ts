import type { Json } from '../../../lib/json.ts';
import { removeAt } from '../../../lib/json-path.ts';
import type { RewriteForm, RewriteInput } from '../action-spec.ts';
import { CALL_EVENTS, RESULT_EVENTS } from '../event-groups.ts';
import { checkPath } from './check-path.ts';
import { hostPath } from './host-path.ts';
import { withRoot } from './root.ts';

export const remove = {
  key: 'remove',
  summary: 'Remove the values at these paths',
  events: ['before_llm', 'after_llm', ...CALL_EVENTS, ...RESULT_EVENTS],
  schema: {
    type: 'array',
    minItems: 1,
    items: { description: 'A path, such as options.timeout', type: 'string', minLength: 1 },
  },
  check: (spec: Json) => pathsOf(spec).flatMap((path, i) => checkPath(path, [i])),
  apply: (spec, subject, input) => withRoot(subject, input.kind, (root) => removePaths(root, spec, input)),
} satisfies RewriteForm;

/** A copy without what is at the paths of a spec; the same object if there is nothing. */
export function removePaths(root: Json, spec: Json, { aliases }: Pick<RewriteInput, 'aliases'>): Json {
  return pathsOf(spec).reduce((from, path) => removeAt(from, hostPath(path, aliases, from)), root);
}

function pathsOf(spec: Json): readonly string[] {
  return Array.isArray(spec) ? spec.map((path: Json) => String(path)) : [];
}
