import type { Json } from '../lib/json.ts';
import { redactSecrets } from '../lib/secret-detectors.ts';

/** Text beyond this is not looked at; what is kept of it is far shorter. */
const MAX_SCANNED_CHARS = 16_384;
const MAX_REMEMBERED_TEXTS = 256;
const MAX_REMEMBERED_CHARS = 1_024;

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
 * The JSON text of a value with the secrets taken out of every string in it; undefined if it is longer than `maxChars`
 * or nested too deeply to be written.
 */
export function redactedJson(value: Json, maxChars: number): string | undefined {
  let seen = 0;
  const redactString = (_key: string, part: unknown): unknown => {
    if (typeof part !== 'string') return part;
    seen += part.length;
    if (seen > maxChars) throw new RangeError('Too long');
    return redactSecrets(part).text;
  };
  try {
    const text = JSON.stringify(value, redactString);
    return text.length > maxChars ? undefined : text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
