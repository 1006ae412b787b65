import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { EventText, Subject } from '../../model/event.ts';

type Path = readonly (string | number)[];

/** The event's texts: prompt, model messages, model answer, tool result, final answer; empty for other events. */
export function textsOf(subject: Subject): readonly EventText[] {
  const texts: EventText[] = [];
  const messages = own(subject, 'messages');
  if (Array.isArray(messages)) messages.forEach((message, i) => addMessage(texts, message, ['messages', i]));
  const prompt = own(subject, 'prompt');
  if (typeof prompt === 'string') texts.push({ role: 'user', text: prompt, path: ['prompt'] });
  const response = own(subject, 'response');
  if (typeof response === 'string') texts.push({ role: 'assistant', text: response, path: ['response'] });
  if (isJsonObject(response)) addCandidates(texts, response);
  const result = ownObject(subject, 'result');
  if (result !== undefined) addResult(texts, result);
  return texts;
}

function addMessage(texts: EventText[], message: Json, path: Path): void {
  if (!isJsonObject(message)) return;
  const role = portableRole(ownString(message, 'role'));
  addParts(texts, role, own(message, 'content'), [...path, 'content']);
}

function addCandidates(texts: EventText[], response: JsonObject): void {
  const candidates = own(response, 'candidates');
  if (!Array.isArray(candidates)) return;
  candidates.forEach((candidate: Json, i) => {
    const content = isJsonObject(candidate) ? ownObject(candidate, 'content') : undefined;
    if (content === undefined) return;
    addParts(texts, 'assistant', own(content, 'parts'), ['response', 'candidates', i, 'content', 'parts']);
  });
}

/** What the model reads: the content, or the error's message where there is no content. */
function addResult(texts: EventText[], result: JsonObject): void {
  addParts(texts, 'tool', own(result, 'llmContent'), ['result', 'llmContent']);
  const error = ownObject(result, 'error');
  const message = error === undefined ? undefined : ownString(error, 'message');
  if (texts.length === 0 && message !== undefined) {
    texts.push({ role: 'tool', text: message, path: ['result', 'error', 'message'] });
  }
}

/** A string, a part with a `text`, or a list of these. */
function addParts(texts: EventText[], role: string | undefined, content: Json | undefined, path: Path): void {
  if (typeof content === 'string') texts.push({ role, text: content, path });
  else if (Array.isArray(content)) content.forEach((part: Json, i) => addPart(texts, role, part, [...path, i]));
  else if (content !== undefined) addPart(texts, role, content, path);
}

function addPart(texts: EventText[], role: string | undefined, part: Json, path: Path): void {
  if (typeof part === 'string') texts.push({ role, text: part, path });
  const text = isJsonObject(part) ? ownString(part, 'text') : undefined;
  if (text !== undefined) texts.push({ role, text, path: [...path, 'text'] });
}

/** Gemini calls the assistant `model`; policies that are to fit every host say `assistant`. */
function portableRole(role: string | undefined): string | undefined {
  return role === 'model' ? 'assistant' : role;
}
