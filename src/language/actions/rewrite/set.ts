import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { removeAt, setAt, valuesAt } from '../../../lib/json-path.ts';
import { LIST, TEXT } from '../../../lib/schema-parts.ts';
import type { RewriteForm, RewriteInput } from '../action-spec.ts';
import { CALL_EVENTS, RESULT_EVENTS } from '../event-groups.ts';
import { renderJson } from '../render-json.ts';
import { checkTemplates } from '../template-params.ts';
import { checkPath, hostPath, RewriteError, withRoot } from './paths.ts';

export const set = {
  key: 'set',
  summary: 'Set values at paths in the arguments, the result, the answer or the model request',
  events: ['before_llm', 'after_llm', ...CALL_EVENTS, ...RESULT_EVENTS],
  schema: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { description: 'The new value; strings inside are templates' },
  },
  check: (spec: Json) =>
    Object.entries(isJsonObject(spec) ? spec : {}).flatMap(([path, value]) => [
      ...checkPath(path, [path]),
      ...checkTemplates(value, [path]),
    ]),
  apply: (spec, subject, input) => {
    if (!isJsonObject(spec)) return subject;
    if (input.unwritten !== undefined && own(spec, 'command') !== undefined)
      throw new RewriteError('Cannot set "command": no argument holds the command as it runs');
    return withRoot(subject, input.kind, (root) => setPaths(root, spec, input));
  },
} satisfies RewriteForm;

/** A copy with the values of a spec at their paths; the same object if all of them are there already. */
export function setPaths(
  root: Json,
  spec: JsonObject,
  input: Pick<RewriteInput, 'aliases' | 'render'>,
): Json {
  const changed = Object.entries(spec).reduce<Json>(
    (to, [path, value]) => setPath(to, path, renderJson(value, input.render), input.aliases),
    root,
  );
  return deepEqual(changed, root) ? root : changed;
}

function setPath(root: Json, path: string, value: Json, aliases: RewriteInput['aliases']): Json {
  const steps = hostPath(path, aliases, root);
  const changed = setAt(root, steps, value);
  if (steps.includes('*')) return changed;
  const found = valuesAt(changed, steps)[0];
  if (found === undefined || !deepEqual(found, value)) {
    throw new RewriteError(`Cannot set "${path}": there is no such place`);
  }
  return changed;
}

export const remove = {
  key: 'remove',
  summary: 'Remove the values at these paths',
  events: ['before_llm', 'after_llm', ...CALL_EVENTS, ...RESULT_EVENTS],
  schema: { ...LIST, items: { description: 'A path, such as options.timeout', ...TEXT } },
  check: (spec: Json) =>
    itemsOf(spec)
      .map(String)
      .flatMap((path, i) => checkPath(path, [i])),
  apply: (spec, subject, input) => withRoot(subject, input.kind, (root) => removePaths(root, spec, input)),
} satisfies RewriteForm;

/** A copy without the values at the paths of a spec; the same object if there are none. */
export function removePaths(root: Json, spec: Json, { aliases }: Pick<RewriteInput, 'aliases'>): Json {
  return itemsOf(spec)
    .map(String)
    .reduce((from, path) => removeAt(from, hostPath(path, aliases, from)), root);
}
