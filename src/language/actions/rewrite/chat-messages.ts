import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { Subject } from '../../../model/event.ts';
import type { Render } from '../action-spec.ts';
import { renderObject } from '../render-json.ts';

/** JSON Schema of a list of messages. */
export const MESSAGES_SCHEMA: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['role', 'content'],
    properties: {
      role: {
        description: 'Who speaks, in the words of the host: system, user, assistant',
        type: 'string',
        minLength: 1,
      },
      content: { description: 'The text; a template', type: 'string' },
    },
  },
};

/** A policy's messages with their templates filled in. */
export function renderMessages(spec: Json, render: Render): readonly JsonObject[] {
  if (!Array.isArray(spec)) return [];
  return spec.filter(isJsonObject).map((message: JsonObject) => renderObject(message, render));
}

/** The messages of a request; empty if the host sends none. */
export function messagesOf(subject: Subject): readonly Json[] {
  const messages = own(subject, 'messages');
  return Array.isArray(messages) ? messages : [];
}
