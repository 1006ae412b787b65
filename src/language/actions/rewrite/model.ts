import type { RewriteForm } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { RewriteError } from './rewrite-error.ts';

export const model = {
  key: 'model',
  summary: 'Use another model',
  events: ['before_llm'],
  schema: { type: 'string', minLength: 1 },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const name = typeof spec === 'string' ? render(spec) : '';
    if (name === '') throw new RewriteError("Cannot change the model: the new model's name is empty");
    return subject['model'] === name ? subject : { ...subject, model: name };
  },
} satisfies RewriteForm;
