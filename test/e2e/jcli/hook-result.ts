import { isJsonObject, type Json, type JsonObject, own } from '../../../src/lib/json.ts';
import type { Generation } from './generations.ts';

/** What one hook said, as the host understood it. */
export interface HookResult {
  readonly halt: 'stop' | 'skip' | undefined;
  /** The text fields that were given. */
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  readonly messages: readonly Json[] | undefined;
  readonly inject_messages: readonly Json[] | undefined;
}

const TEXT_FIELDS = [
  'user_input',
  'assistant_output',
  'system_prompt',
  'tool_arguments',
  'tool_result',
  'tool_error',
  'retry_feedback',
  'additional_context',
  'system_message',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
const LISTS = ['messages', 'inject_messages'] as const;
const ROLES: readonly (Json | undefined)[] = ['user', 'assistant', 'tool', 'system'];

export const NO_CHANGE: HookResult = {
  halt: undefined,
  texts: {},
  messages: undefined,
  inject_messages: undefined,
};

/** Reads a hook's whole output the way the host does: one slip and all of it is thrown away. */
export function parseHookResult(stdout: string, { control }: Generation): HookResult {
  // Unlike String.trim this leaves a byte order mark in place, as the host does.
  const text = stdout.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (text === '' || text === '{}') return NO_CHANGE;
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value)) throw new Error('the output is not an object');
  const known = [...TEXT_FIELDS, ...LISTS, ...(control === 'abort' ? ['abort'] : ['action'])];
  if (control === 'both') known.push('abort');
  const duplicate = topLevelKeys(text).find((key, i, keys) => known.includes(key) && keys.indexOf(key) !== i);
  if (duplicate !== undefined) throw new Error(`duplicate field ${duplicate}`);
  return {
    halt: haltOf(value, control),
    texts: Object.fromEntries(TEXT_FIELDS.flatMap((field) => textEntry(value, field))),
    messages: messagesIn(value, 'messages'),
    inject_messages: messagesIn(value, 'inject_messages'),
  };
}

function haltOf(value: JsonObject, control: Generation['control']): HookResult['halt'] {
  const abort = control === 'action' ? undefined : own(value, 'abort');
  if (abort !== undefined && typeof abort !== 'boolean') throw new Error('abort is not a boolean');
  const action = control === 'abort' ? undefined : own(value, 'action');
  if (action !== undefined && action !== null && action !== 'stop' && action !== 'skip') {
    throw new Error(`unknown action ${JSON.stringify(action)}`);
  }
  return abort === true ? 'stop' : (action ?? undefined);
}

function textEntry(value: JsonObject, field: TextField): readonly (readonly [TextField, string])[] {
  const text = own(value, field);
  if (text === undefined || text === null) return [];
  if (typeof text !== 'string') throw new Error(`${field} is not a string`);
  return [[field, text]];
}

function messagesIn(value: JsonObject, field: (typeof LISTS)[number]): readonly Json[] | undefined {
  const list = own(value, field);
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw new Error(`${field} is not a list`);
  for (const message of list as readonly Json[]) {
    if (!isJsonObject(message)) throw new Error(`${field} has something else than a message`);
    if (!ROLES.includes(own(message, 'role'))) throw new Error(`${field} has an unknown role`);
    if (typeof own(message, 'content') !== 'string')
      throw new Error(`${field} has a content that is no string`);
  }
  return list;
}

/** The keys of the outermost object, twice if they are there twice. The text is valid JSON. */
export function topLevelKeys(text: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') depth--;
    if (char !== '"') continue;
    const start = i;
    for (i++; text[i] !== '"'; i++) if (text[i] === '\\') i++;
    const isKey = depth === 1 && /^\s*:/.test(text.slice(i + 1, i + 64));
    if (isKey) keys.push(JSON.parse(text.slice(start, i + 1)) as string);
  }
  return keys;
}
