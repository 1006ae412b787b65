import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, ownObject } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';
import { renderObject } from '../render-json.ts';
import { checkTemplates } from '../template-params.ts';

export const options = {
  key: 'options',
  summary: 'Set options of the request, such as temperature; the others stay',
  events: ['before_llm'],
  schema: { type: 'object', minProperties: 1 },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    if (!isJsonObject(spec)) return subject;
    const before = ownObject(subject, 'options') ?? {};
    const after = { ...before, ...renderObject(spec, render) };
    return deepEqual(before, after) ? subject : { ...subject, options: after };
  },
} satisfies RewriteForm;
