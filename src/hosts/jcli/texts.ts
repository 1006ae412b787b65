import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import type { EventText, Subject } from '../../model/event.ts';

/** The speakers of the texts that stand alone in the subject. */
const ROLES = { system_prompt: 'system', prompt: 'user', response: 'assistant', result: 'tool' } as const;

/** The event's texts: the system prompt, the messages, the user's or the assistant's words, the tool's result. */
export function textsOf(subject: Subject): readonly EventText[] {
  const texts: EventText[] = [];
  for (const [key, role] of Object.entries(ROLES)) {
    const text = ownString(subject, key);
    if (text !== undefined) texts.push({ role, text, path: [key] });
  }
  const messages = own(subject, 'messages');
  if (Array.isArray(messages)) for (const [i, message] of messages.entries()) addMessage(texts, message, i);
  return texts;
}

function addMessage(texts: EventText[], message: Json, index: number): void {
  if (!isJsonObject(message)) return;
  const text = ownString(message, 'content');
  if (text !== undefined) {
    texts.push({ role: ownString(message, 'role'), text, path: ['messages', index, 'content'] });
  }
}
