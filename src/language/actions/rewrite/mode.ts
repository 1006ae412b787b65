import { own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';

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
