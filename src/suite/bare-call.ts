import type { BareCall } from '../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../lib/json.ts';
import { CONTEXT_KEYS, EVENT_KINDS, type EventKind } from '../model/event.ts';

/** The keys of a call as a person writes it, with what each must be. */
const KEYS: Readonly<Record<keyof BareCall, (value: Json) => boolean>> = {
  on: (value) => EVENT_KINDS.some((kind) => kind === value),
  tool: isText,
  arguments: isJsonObject,
  model: isText,
  prompt: isText,
  messages: (value) => Array.isArray(value) && value.every(isJsonObject),
  result: () => true,
  response: () => true,
  context: isContext,
  event: isJsonObject,
};

const WANTED: Readonly<Record<keyof BareCall, string>> = {
  on: `one of ${EVENT_KINDS.join(', ')}`,
  tool: 'a text',
  arguments: 'an object',
  model: 'a text',
  prompt: 'a text',
  messages: 'a list of objects',
  result: 'any value',
  response: 'any value',
  context: `an object with some of ${CONTEXT_KEYS.join(', ')}`,
  event: 'an object',
};

/** A call that a person wrote, or what is wrong with it. */
export type ReadCall = { readonly ok: true; readonly call: BareCall } | { readonly ok: false; readonly problem: string };

/** True if an object has no other keys than those of a bare call, and some of them. */
export function looksLikeBareCall(value: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => Object.hasOwn(KEYS, key));
}

/** Reads a bare call; what it leaves out comes from `defaults`. */
export function readBareCall(value: JsonObject, defaults: Partial<BareCall>): ReadCall {
  for (const [key, part] of Object.entries(value)) {
    if (!isKey(key)) return { ok: false, problem: `Cannot use key "${key}" in a call: give ${Object.keys(KEYS).join(', ')}` };
    if (!KEYS[key](part)) return { ok: false, problem: `Cannot use ${JSON.stringify(part)} as "${key}" of a call: give ${WANTED[key]}` };
  }
  return { ok: true, call: { on: defaultEvent(value), ...defaults, ...(value as Partial<BareCall>) } };
}

/** The event that a call without `on` means, by what it carries. */
function defaultEvent(value: JsonObject): EventKind {
  if (own(value, 'tool') !== undefined || own(value, 'arguments') !== undefined) {
    return own(value, 'result') === undefined ? 'before_tool' : 'after_tool';
  }
  if (own(value, 'result') !== undefined) return 'after_tool';
  if (own(value, 'response') !== undefined) return 'after_llm';
  if (own(value, 'messages') !== undefined) return 'before_llm';
  return own(value, 'prompt') === undefined ? 'before_tool' : 'before_prompt';
}

function isKey(key: string): key is keyof BareCall {
  return Object.hasOwn(KEYS, key);
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isContext(value: Json): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([key, part]) =>
        CONTEXT_KEYS.some((known) => known === key) && ['string', 'number', 'boolean'].includes(typeof part),
    )
  );
}
