import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownItems } from '../../../lib/json.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import type { Subject } from '../../../model/event.ts';
import type { Render, RewriteForm } from '../action-spec.ts';
import { renderObject } from '../render-json.ts';
import { checkTemplates } from '../template-params.ts';

const MESSAGES_SCHEMA: JsonObject = {
  type: 'array',
  items: {
    ...CLOSED,
    required: ['role', 'content'],
    properties: {
      role: { description: "Who speaks, in the agent's words: system, user, assistant", ...TEXT },
      content: { description: 'The text; a template', type: 'string' },
    },
  },
};

/** A policy's messages with their templates filled in. */
function renderMessages(spec: Json, render: Render): readonly JsonObject[] {
  return itemsOf(spec)
    .filter(isJsonObject)
    .map((message) => renderObject(message, render));
}

/** The messages of a request; empty if the host sends none. */
export function messagesOf(subject: Subject): readonly Json[] {
  return ownItems(subject, 'messages');
}

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

export const addMessages = {
  key: 'add_messages',
  summary: 'Append messages that are not there yet',
  events: ['before_llm'],
  schema: { ...MESSAGES_SCHEMA, minItems: 1 },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const before = messagesOf(subject);
    const added = renderMessages(spec, render);
    // Some hosts keep the additions to a request, and send them again with the next.
    const isThere = before.some((_, at) => deepEqual(before.slice(at, at + added.length), added));
    return isThere ? subject : { ...subject, messages: [...before, ...added] };
  },
} satisfies RewriteForm;
