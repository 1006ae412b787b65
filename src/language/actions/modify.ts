import { isJsonObject, type JsonObject, own } from '../../lib/json.ts';
import { CLOSED } from '../../lib/schema-parts.ts';
import { EVENT_KINDS } from '../../model/event.ts';
import type { ActionSpec, ParamProblem } from './action-spec.ts';
import { REWRITE_FORMS, rewriteForm } from './rewrite/registry.ts';

export const modify = {
  action: 'modify',
  summary: 'Rewrite the event: only the named parts change',
  events: EVENT_KINDS.filter((kind) => REWRITE_FORMS.some((form) => form.events.includes(kind))),
  params: {
    rewrite: {
      description: 'The changes by form, applied in the order of the reference',
      ...CLOSED,
      minProperties: 1,
      properties: Object.fromEntries(
        REWRITE_FORMS.map(({ key, summary, schema }) => [key, { description: summary, ...schema }]),
      ),
    },
  },
  required: ['rewrite'],
  check: checkForms,
  decide: () => ({}),
} satisfies ActionSpec;

function checkForms(params: JsonObject): readonly ParamProblem[] {
  const rewrite = own(params, 'rewrite');
  if (!isJsonObject(rewrite)) return [];
  return Object.entries(rewrite).flatMap(([key, spec]) =>
    (rewriteForm(key)?.check?.(spec) ?? []).map((problem) => ({
      ...problem,
      path: ['rewrite', key, ...problem.path],
    })),
  );
}
