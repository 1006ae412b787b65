import { deepEqual } from '../../../lib/deep-equal.ts';
import { own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { MESSAGES_SCHEMA, renderMessages } from './chat-messages.ts';

export const messages = {
  key: 'messages',
  summary: 'Replace all messages',
  events: ['before_llm', 'after_compact'],
  schema: MESSAGES_SCHEMA,
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const before = own(subject, 'messages');
    const after = renderMessages(spec, render);
    return before !== undefined && deepEqual(before, after) ? subject : { ...subject, messages: after };
  },
} satisfies RewriteForm;
