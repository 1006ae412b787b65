import { isJsonObject, type Json, own, ownItems, ownObject, ownString } from '../../lib/json.ts';
import type { EventText, Subject } from '../../model/event.ts';
import { loneTexts } from '../create-event.ts';

type Path = readonly (string | number)[];

/** The speakers of the texts that are alone in the subject. */
const ROLES = { prompt: 'user', message: 'system', response: 'assistant' } as const;

/** The event's texts: prompt, model messages, model answer, tool result, final answer, notification. */
export function textsOf(subject: Subject): readonly EventText[] {
  return [...loneTexts(subject, ROLES), ...messages(subject), ...candidates(subject), ...result(subject)];
}

function* messages(subject: Subject): Generator<EventText> {
  for (const [i, message] of ownItems(subject, 'messages').entries()) {
    if (!isJsonObject(message)) continue;
    yield* parts(portableRole(ownString(message, 'role')), own(message, 'content'), [
      'messages',
      i,
      'content',
    ]);
  }
}

function* candidates(subject: Subject): Generator<EventText> {
  const response = ownObject(subject, 'response') ?? {};
  for (const [i, candidate] of ownItems(response, 'candidates').entries()) {
    const content = (isJsonObject(candidate) ? ownObject(candidate, 'content') : undefined) ?? {};
    yield* parts('assistant', own(content, 'parts'), ['response', 'candidates', i, 'content', 'parts']);
  }
}

/** The text that the model reads: the content, or the error's message if there is no content. */
function* result(subject: Subject): Generator<EventText> {
  const whole = ownObject(subject, 'result') ?? {};
  const content = own(whole, 'llmContent');
  yield* parts('tool', content, ['result', 'llmContent']);
  const error = content === undefined ? ownObject(whole, 'error') : undefined;
  const text = error === undefined ? undefined : ownString(error, 'message');
  if (text !== undefined) yield { role: 'tool', text, path: ['result', 'error', 'message'] };
}

/** A string, a part with a `text`, or a list of these. */
function* parts(role: string | undefined, content: Json | undefined, path: Path): Generator<EventText> {
  if (typeof content === 'string') yield { role, text: content, path };
  if (isJsonObject(content)) {
    const text = ownString(content, 'text');
    if (text !== undefined) yield { role, text, path: [...path, 'text'] };
  }
  if (!Array.isArray(content)) return;
  for (const [i, part] of content.entries()) {
    if (!Array.isArray(part)) yield* parts(role, part, [...path, i]);
  }
}

/** Gemini calls the assistant `model`; policies that are to fit every host say `assistant`. */
function portableRole(role: string | undefined): string | undefined {
  return role === 'model' ? 'assistant' : role;
}
