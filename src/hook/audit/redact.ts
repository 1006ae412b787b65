import type { Json } from '../../lib/json.ts';
import { redactSecrets } from '../../reader/secrets/redact-secrets.ts';
import { redactValue } from '../../reader/secrets/redact-value.ts';

/** Text beyond this is not looked at; what is kept of it is far shorter. */
const MAX_SCANNED_CHARS = 16_384;
const MAX_REMEMBERED_TEXTS = 256;
const MAX_REMEMBERED_CHARS = 1_024;
const MAX_DEPTH = 256;

/**
 * A function that takes secrets out of text and cuts it to `maxChars` characters. It remembers short texts, because a
 * policy gives the same reason again and again.
 */
export function createTextRedactor(maxChars: number): (text: string) => string {
  const remembered = new Map<string, string>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const clean = cut(redactSecrets(cut(text, MAX_SCANNED_CHARS)).text, maxChars);
    if (text.length > MAX_REMEMBERED_CHARS) return clean;
    if (remembered.size >= MAX_REMEMBERED_TEXTS) remembered.clear();
    remembered.set(text, clean);
    return clean;
  };
}

/**
 * The JSON text of a value with the secrets taken out of every string and key in it; undefined if it is longer than about
 * `maxChars` or nested deeper than any host's event.
 */
export function redactedJson(value: Json, maxChars: number): string | undefined {
  if (!isWithin(value, maxChars)) return undefined;
  return JSON.stringify(redactValue(value));
}

/** True if a value is short and flat. Looked at first and without recursion: a stack that overflows in `JSON.stringify` takes more than a second. */
export function isWithin(value: Json, maxChars: number): boolean {
  const waiting: { readonly part: Json; readonly depth: number }[] = [{ part: value, depth: 0 }];
  let chars = 0;
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { part, depth } = item;
    chars += typeof part === 'string' ? part.length : 1;
    if (chars > maxChars || depth > MAX_DEPTH) return false;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inside] of Object.entries(part)) {
      chars += key.length;
      waiting.push({ part: inside, depth: depth + 1 });
    }
  }
  return true;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
