import { deepEqual } from '../../../lib/deep-equal.ts';
import type { RewriteForm } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { MESSAGES_SCHEMA, messagesOf, renderMessages } from './chat-messages.ts';

export const addMessages = {
  key: 'add_messages',
  summary: 'Append messages that are not there yet',
  events: ['before_llm'],
  schema: { ...MESSAGES_SCHEMA, minItems: 1 },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const before = messagesOf(subject);
    const added = renderMessages(spec, render);
    // Some hosts keep what is added to a request, and send it again with the next.
    const isThere = before.some((_, at) => deepEqual(before.slice(at, at + added.length), added));
    return isThere ? subject : { ...subject, messages: [...before, ...added] };
  },
} satisfies RewriteForm;
