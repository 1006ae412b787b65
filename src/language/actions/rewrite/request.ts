import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, own, ownObject } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';
import type { RewriteForm } from '../action-spec.ts';
import { renderObject } from '../render-json.ts';
import { checkTemplates } from '../template-params.ts';
import { RewriteError } from './paths.ts';

export const model = {
  key: 'model',
  summary: 'Use another model',
  events: ['before_llm'],
  schema: TEXT,
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const name = typeof spec === 'string' ? render(spec) : '';
    if (name === '') throw new RewriteError("Cannot change the model: the new model's name is empty");
    return subject['model'] === name ? subject : { ...subject, model: name };
  },
} satisfies RewriteForm;

export const mode = {
  key: 'mode',
  summary: 'Whether the model may (AUTO), must (ANY) or must not (NONE) call tools; nothing overrides NONE',
  events: ['tool_choice'],
  schema: { enum: ['AUTO', 'ANY', 'NONE'] },
  apply: (spec, subject) => {
    const before = own(subject, 'mode');
    return before === 'NONE' || before === spec ? subject : { ...subject, mode: spec };
  },
} satisfies RewriteForm;

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
