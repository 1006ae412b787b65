import type { Json, JsonObject } from '../../lib/json.ts';
import { createTextMemo } from '../../lib/text-memo.ts';
import { mayHoldSecret, redactSecrets } from '../../reader/secrets/redact-secrets.ts';
import { redactValue } from '../../reader/secrets/redact-value.ts';

/** Text beyond this is not looked at; the kept part of it is far shorter. */
const MAX_SCANNED_CHARS = 16_384;
const MAX_JOINED_CHARS = 1_024;
const MAX_DEPTH = 256;

/** Takes secrets out of text. */
export interface TextRedactor {
  readonly redact: (text: string) => string;
  /** Looks at texts that are about to be redacted, all at once: for most lines of the log one look is enough. */
  readonly lookAt: (texts: readonly (string | undefined)[]) => void;
}

/** Redacts secrets and cuts to `maxChars` characters. Keeps results for short texts, since reasons repeat. */
export function createTextRedactor(maxChars: number): TextRedactor {
  const clean = createTextMemo((text) => cut(redactSecrets(cut(text, MAX_SCANNED_CHARS)).text, maxChars));
  return {
    redact: clean.of,
    lookAt: (texts) => {
      const unknown: string[] = [];
      for (const text of texts)
        if (text !== undefined && text.length <= MAX_JOINED_CHARS && !clean.knows(text)) unknown.push(text);
      if (unknown.length < 2 || mayHoldSecret(unknown.join('\n'))) return;
      for (const text of unknown) clean.keep(text, cut(text, maxChars));
    },
  };
}

/** The redacted JSON text of a value; undefined if it is longer than about `maxChars` or nested too deeply. */
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
    for (const key in part) {
      const inside = (part as JsonObject)[key] ?? null;
      chars += key.length;
      if (typeof inside === 'string') chars += inside.length;
      else waiting.push({ part: inside, depth: depth + 1 });
    }
  }
  return chars <= maxChars;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
