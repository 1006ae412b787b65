import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import type { Subject } from '../../../model/event.ts';
import type { RewriteForm } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { messagesOf } from './messages.ts';

type Edit = 'replace' | 'append' | 'prepend';

export const systemPrompt = {
  key: 'system_prompt',
  summary: 'Replace the system prompt, or add a paragraph at its start or end if it is not there yet',
  events: ['before_llm'],
  schema: {
    oneOf: [
      { description: 'The whole new system prompt; a template', ...TEXT },
      {
        ...CLOSED,
        minProperties: 1,
        properties: {
          prepend: { description: 'A paragraph before it; a template', ...TEXT },
          append: { description: 'A paragraph after it; a template', ...TEXT },
        },
      },
    ],
  },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    if (typeof spec === 'string') return edit(subject, 'replace', render(spec));
    if (!isJsonObject(spec)) return subject;
    const prepend = ownString(spec, 'prepend');
    const append = ownString(spec, 'append');
    const prepended = prepend === undefined ? subject : edit(subject, 'prepend', render(prepend));
    return append === undefined ? prepended : edit(prepended, 'append', render(append));
  },
} satisfies RewriteForm;

function edit(subject: Subject, how: Edit, text: string): Subject {
  const whole = own(subject, 'system_prompt');
  if (typeof whole === 'string') {
    const changed = editText(whole, how, text);
    return changed === whole ? subject : { ...subject, system_prompt: changed };
  }
  const messages = messagesOf(subject);
  const { start, end } = systemRun(messages);
  if (start === end) {
    return { ...subject, messages: [{ role: 'system', content: text }, ...messages] };
  }
  const index = how === 'append' ? end - 1 : start;
  const message = messages[index];
  if (!isJsonObject(message)) return subject;
  const changed = editMessage(message, how, text);
  const run = how === 'replace' ? [changed] : messages.slice(start, end).with(index - start, changed);
  if (run.length === end - start && changed === message) return subject;
  return { ...subject, messages: [...messages.slice(0, start), ...run, ...messages.slice(end)] };
}

/** The first run of system messages; later ones are remarks in the conversation. */
function systemRun(messages: readonly Json[]): { readonly start: number; readonly end: number } {
  const isSystem = (message: Json | undefined) => isJsonObject(message) && own(message, 'role') === 'system';
  const start = messages.findIndex(isSystem);
  if (start === -1) return { start: 0, end: 0 };
  let end = start + 1;
  while (isSystem(messages[end])) end += 1;
  return { start, end };
}

/** Content is a text or a list of parts; `system_parts` is a second form of it that some hosts send beside. */
function editMessage(message: JsonObject, how: Edit, text: string): JsonObject {
  let changed = message;
  for (const key of ['content', 'system_parts']) {
    const before = own(message, key);
    const after = editContent(before, how, text);
    if (after !== undefined && after !== before) changed = { ...changed, [key]: after };
  }
  return changed;
}

function editContent(content: Json | undefined, how: Edit, text: string): Json | undefined {
  if (typeof content === 'string') return editText(content, how, text);
  if (!Array.isArray(content)) return undefined;
  const part = { type: 'text', text };
  const holds = (at: Json | undefined) => isJsonObject(at) && own(at, 'text') === text;
  switch (how) {
    case 'replace':
      return content.length === 1 && holds(content[0]) ? content : [part];
    case 'append':
      return holds(content.at(-1)) ? content : [...content, part];
    case 'prepend':
      return holds(content[0]) ? content : [part, ...content];
  }
}

function editText(before: string, how: Edit, text: string): string {
  if (how === 'replace' || before === '') return text;
  if (how === 'append')
    return before === text || before.endsWith(`\n\n${text}`) ? before : `${before}\n\n${text}`;
  return before === text || before.startsWith(`${text}\n\n`) ? before : `${text}\n\n${before}`;
}
