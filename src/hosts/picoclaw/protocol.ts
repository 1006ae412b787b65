import { exactNumber } from '../../lib/exact-numbers.ts';
import { asObject, isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import { createEvent, type EventParts } from '../create-event.ts';
import type { Decoded, HostSetting, Reply } from '../host.ts';
import { contextOf } from './context.ts';
import { generationOf, versionOf } from './generation.ts';
import { afterLlm, beforeLlm } from './llm-methods.ts';
import { answerOf, type Method, problemOf, sessionOf, turnOf } from './method.ts';
import {
  isNotification,
  notificationKind,
  notificationName,
  notificationTexts,
  notifiedModel,
  promptOf,
} from './notification.ts';
import { afterTool, approveTool, beforeTool } from './tool-methods.ts';
import { answer, NO_ANSWER, requestIdOf } from './wire.ts';

const HELLO = 'hook.hello';
/** Without an answer PicoClaw would take this hook for broken and start no hook at all. */
const HELLO_RESULT = JSON.stringify({ ok: true, name: 'policy' });
/** Whatever a method that we do not know asks for, one of the two refuses it. */
const REFUSE_UNKNOWN = JSON.stringify({ action: 'deny_tool', approved: false });

/** Every request that waits for a verdict, by its name. */
export const METHODS: Readonly<Record<string, Method>> = {
  'hook.before_llm': beforeLlm,
  'hook.after_llm': afterLlm,
  'hook.before_tool': beforeTool,
  'hook.approve_tool': approveTool,
  'hook.after_tool': afterTool,
};

export function decode(message: Json, setting: HostSetting): Decoded {
  if (!isJsonObject(message)) return malformed(message, 'the message is not an object');
  const name = ownString(message, 'method');
  if (name === undefined) return malformed(message, 'the message has no "method"');
  const method = own(METHODS, name);
  if (method !== undefined) return decodeRequest(method, name, message, setting);
  if (name === HELLO) return { type: 'reply', reply: answer(requestIdOf(message), HELLO_RESULT) };
  if (isNotification(name)) return decodeNotification(name, message, setting);
  return { type: 'reply', reply: answer(requestIdOf(message), REFUSE_UNKNOWN) };
}

/** As in `Host`. */
export function approvalFollows(message: Json): boolean | undefined {
  if (!isJsonObject(message) || own(message, 'method') !== HELLO) return undefined;
  const { modes } = asObject(message['params']);
  return Array.isArray(modes) && modes.includes('approve');
}

function decodeRequest(method: Method, name: string, message: JsonObject, setting: HostSetting): Decoded {
  const requestId = requestIdOf(message);
  // PicoClaw takes no answer to it, so there is nothing to decide.
  if (requestId === undefined) return { type: 'reply', reply: NO_ANSWER };
  const params = message['params'];
  if (!isJsonObject(params)) return malformed(message, `${name}: "params" is not an object`);
  const problem = problemOf(method, params);
  if (problem !== undefined) return malformed(message, `${name}: ${problem}`);
  return eventOf(params, setting, {
    kind: method.kind,
    native: name,
    requestId,
    subject: method.subject(params),
    model: method.model?.(params),
    textsOf: method.texts ?? noTexts,
    toolOf: method.tool ?? noTool,
  });
}

function decodeNotification(name: string, message: JsonObject, setting: HostSetting): Decoded {
  const params = message['params'];
  if (!isJsonObject(params)) return malformed(message, `${name}: "params" is not an object`);
  const native = notificationName(name, params);
  const kind = notificationKind(native);
  return eventOf(params, setting, {
    kind,
    native,
    requestId: requestIdOf(message),
    subject: kind === 'prompt_sent' ? { prompt: promptOf(params) ?? '' } : {},
    model: notifiedModel(params),
    textsOf: (_subject, raw) => notificationTexts(kind, raw),
    toolOf: noTool,
  });
}

type DecodedField = 'kind' | 'native' | 'requestId' | 'subject' | 'model' | 'textsOf' | 'toolOf';

function eventOf(raw: JsonObject, setting: HostSetting, fields: Pick<EventParts, DecodedField>): Decoded {
  return {
    type: 'event',
    event: createEvent({
      kind: fields.kind,
      native: fields.native,
      requestId: fields.requestId,
      subject: fields.subject,
      model: fields.model,
      textsOf: fields.textsOf,
      toolOf: fields.toolOf,
      host: 'picoclaw',
      raw,
      session: sessionOf(raw),
      turn: turnOf(raw),
      context: contextFor(setting.cwd),
    }),
  };
}

/** Made once for the folder that all messages of a process have. */
function contextFor(cwd: string): EventParts['context'] {
  if (lastContext?.cwd !== cwd) lastContext = { cwd, of: (raw) => contextOf(raw, cwd) };
  return lastContext.of;
}

let lastContext: { readonly cwd: string; readonly of: EventParts['context'] } | undefined;

function noTexts(): readonly [] {
  return [];
}

function noTool(): undefined {
  return undefined;
}

function malformed(message: Json, cause: string): Decoded {
  return { type: 'malformed', reply: refuse(message, cause), cause };
}

export function encode(event: Event, decision: Decision, setting: HostSetting): Reply {
  const method = own(METHODS, event.native);
  // Notifications have no id; should one come with an id, its sender waits for any answer.
  if (method === undefined) return answer(event.requestId, '{}');
  const generation = generationOf(versionOf(event.raw, setting));
  return answer(event.requestId, answerOf(method, event, decision, generation));
}

/** Answers a line that cannot be judged. */
export function refuse(message: Json | undefined, cause: string): Reply {
  const id = requestIdOf(message);
  if (id === undefined || !isJsonObject(message)) return NO_ANSWER;
  const name = ownString(message, 'method');
  if (name === HELLO) return answer(id, HELLO_RESULT);
  if (name !== undefined && isNotification(name)) return answer(id, '{}');
  const method = name === undefined ? undefined : own(METHODS, name);
  if (method === undefined) return answer(id, REFUSE_UNKNOWN);
  const params = own(message, 'params');
  return answer(
    id,
    method.refuse(
      isJsonObject(params) ? params : undefined,
      `Refused by policy: this event cannot be judged: ${cause}`,
    ),
  );
}

/** PicoClaw writes these fields first and in this order. The comma tells that the id is whole. */
const HEAD =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?(?:0|[1-9]\d{0,1021})|"[\w.:-]{1,1022}")\s*,\s*(?:"method"\s*:\s*"([\w.]{1,100})")?/;

/** The id and the method in the head of a line that is not JSON: the host waits for an answer to that id all the same. */
export function salvage(text: string): Json | undefined {
  const [, id, method] = HEAD.exec(text) ?? [];
  if (id === undefined) return undefined;
  const known = id.startsWith('"') ? id.slice(1, -1) : exactNumber(id);
  return method === undefined ? { id: known } : { id: known, method };
}
