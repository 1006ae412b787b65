import type { Host } from '../hosts/host.ts';
import { parseWithExactId } from '../lib/exact-numbers.ts';
import { isJsonObject, type Json } from '../lib/json.ts';
import { MAX_MESSAGE_DEPTH, nestsDeeper } from '../lib/json-depth.ts';
import { hasTooManyValues, MAX_MESSAGE_VALUES } from '../lib/json-size.ts';

/** A message above this size is refused unread: no host sends one, and it must not fill the memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A host's message that can be judged, or why it cannot and the part of it that still tells how to refuse it. */
export type Message =
  | { readonly ok: true; readonly message: Json }
  | { readonly ok: false; readonly cause: string; readonly head: Json | undefined };

/** A level takes two characters at least, so shorter texts need no look. */
const SURELY_FLAT_CHARS = 2 * MAX_MESSAGE_DEPTH;

/** Reads a message. Never throws, whatever the text is. */
export function readMessage(host: Pick<Host, 'salvage'>, text: string): Message {
  if (hasTooManyValues(text)) {
    const cause = `the message has more than ${MAX_MESSAGE_VALUES} values`;
    return { ok: false, cause, head: host.salvage?.(text) };
  }
  const message = parse(text);
  if (message === undefined)
    return { ok: false, cause: 'the message is not JSON', head: host.salvage?.(text) };
  if (text.length > SURELY_FLAT_CHARS && nestsDeeper(message, MAX_MESSAGE_DEPTH)) {
    return {
      ok: false,
      cause: `the message nests deeper than ${MAX_MESSAGE_DEPTH} levels`,
      head: scalarsOf(message),
    };
  }
  return { ok: true, message };
}

/** The part of a message that is needed to refuse it. */
export function headOf(host: Pick<Host, 'salvage'>, text: string): Json | undefined {
  const read = readMessage(host, text);
  return read.ok ? read.message : read.head;
}

function parse(text: string): Json | undefined {
  try {
    return parseWithExactId(text);
  } catch {
    return undefined;
  }
}

/** Every host names the event on top of its messages. */
function scalarsOf(message: Json): Json | undefined {
  if (!isJsonObject(message)) return undefined;
  return Object.fromEntries(Object.entries(message).filter(([, value]) => typeof value !== 'object'));
}

/** A message without the byte order marks that Cursor on Windows writes before it, one or two: JSON has no place for them. */
export function withoutByteOrderMarks(text: string): string {
  return text.startsWith('\ufeff') ? text.replace(/^\ufeff+/, '') : text;
}
