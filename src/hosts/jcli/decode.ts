import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { MAX_MESSAGE_DEPTH, nestsDeeper } from '../../lib/json-depth.ts';
import { parseInner } from '../../lib/json-size.ts';
import type { EventText, Subject, ToolCall } from '../../model/event.ts';
import { classifyTool } from '../classify.ts';
import { contextIn, createEvent, loneTexts } from '../create-event.ts';
import type { Decoded, HostSetting } from '../host.ts';
import { EVENTS, isNativeEvent, type JcliKind, TEXT_EVENTS, type TextField } from './events.ts';
import { refuse, reply } from './refuse.ts';
import { asTyped, TOOLS } from './tools.ts';

export function decode(message: Json, setting: HostSetting): Decoded {
  const malformed = (cause: string): Decoded => ({
    type: 'malformed',
    cause,
    reply: refuse(message, cause, setting),
  });
  if (!isJsonObject(message)) return malformed('the message is not an object');
  const native = ownString(message, 'event');
  if (native === undefined) return malformed('the message has no "event"');
  if (!isNativeEvent(native)) return { type: 'reply', reply: reply({}) };
  const kind = EVENTS[native];
  const subject = subjectOf(kind, message);
  if (typeof subject === 'string') return malformed(`${native}: ${subject}`);
  return {
    type: 'event',
    event: createEvent({
      kind,
      host: 'jcli',
      native,
      requestId: undefined,
      raw: message,
      subject,
      model: ownString(message, 'model'),
      session: ownString(message, 'session_id'),
      turn: undefined,
      startsTurn: kind === 'before_prompt',
      context: (raw) => contextIn('jcli', raw),
      textsOf,
      toolOf,
    }),
  };
}

/** The part that a policy may see and rewrite; a string names the fault of the message. */
function subjectOf(kind: JcliKind, raw: JsonObject): Subject | string {
  switch (kind) {
    case 'before_tool':
      return callSubject(raw);
    case 'after_tool':
    case 'tool_failure':
    case 'before_prompt':
    case 'prompt_sent':
    case 'after_llm':
      return textSubject(raw, TEXT_EVENTS[kind]);
    // The host puts the assistant's last words into the field that holds the user's on other events.
    case 'after_turn':
      return Object.hasOwn(raw, 'user_input') ? textSubject(raw, ['user_input', 'response']) : {};
    case 'before_llm':
      return requestSubject(raw);
    case 'before_compact':
    case 'after_compact': {
      const messages = own(raw, 'messages');
      return Array.isArray(messages) ? { messages } : {};
    }
    case 'session_start':
    case 'session_end':
      return {};
    default:
      return kind satisfies never;
  }
}

function textSubject(raw: JsonObject, [field, key]: TextField): Subject | string {
  const text = ownString(raw, field);
  return text === undefined ? `"${field}" is not a string` : { [key]: text };
}

function requestSubject(raw: JsonObject): Subject | string {
  const messages = own(raw, 'messages');
  if (!Array.isArray(messages)) return '"messages" is not a list';
  const model = ownString(raw, 'model');
  const prompt = ownString(raw, 'system_prompt');
  return {
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { system_prompt: prompt }),
    messages,
  };
}

function callSubject(raw: JsonObject): Subject | string {
  const tool = ownString(raw, 'tool_name');
  if (tool === undefined) return '"tool_name" is not a string';
  const text = own(raw, 'tool_arguments');
  if (text !== undefined && typeof text !== 'string') return '"tool_arguments" is not a string';
  const args = text === undefined ? undefined : parseArguments(tool, text);
  return args === undefined ? { tool } : { tool, arguments: args };
}

/** The arguments are the text that the model wrote. An empty one has none; one that is no object cannot be read. */
function parseArguments(tool: string, text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const value = parseInner(text);
  return isJsonObject(value) && !nestsDeeper(value, MAX_MESSAGE_DEPTH) ? asTyped(tool, value) : undefined;
}

/** The terminal of an interactive command starts here, unless the call names a directory. */
const AT_HOME: Pick<ToolCall, 'extraArguments'> = { extraArguments: { cwd: '~' } };

/** After a call the host names the tool, and only some versions its arguments. */
function toolOf(subject: Subject, raw: JsonObject): ToolCall | undefined {
  const name = ownString(subject, 'tool') ?? ownString(raw, 'tool_name');
  if (name === undefined) return undefined;
  const text = Object.hasOwn(subject, 'tool') ? undefined : ownString(raw, 'tool_arguments');
  const args =
    ownObject(subject, 'arguments') ?? (text === undefined ? undefined : parseArguments(name, text));
  const tool = classifyTool(TOOLS, name, args);
  const startsAtHome = tool.classes.includes('shell') && args?.['interactive'] === true && !args['cwd'];
  return { name, arguments: args, ...tool, ...(startsAtHome ? AT_HOME : {}) };
}

/** The speakers of the texts that are alone in the subject. */
const ROLES = { system_prompt: 'system', prompt: 'user', response: 'assistant', result: 'tool' } as const;

/** The event's texts: the system prompt, the messages, the user's or the assistant's words, the tool's result. */
function textsOf(subject: Subject): readonly EventText[] {
  const texts = loneTexts(subject, ROLES);
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
