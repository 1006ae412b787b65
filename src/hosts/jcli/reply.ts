import type { JsonObject } from '../../lib/json.ts';
import type { Reply } from '../host.ts';

/** An answer. Every exit code but 0 counts as a broken hook, which lets the call through. */
export function reply(body: JsonObject): Reply {
  const text = JSON.stringify(body);
  return { stdout: text.includes('\\ud') ? JSON.stringify(body, wellFormed) : text, stderr: '', exitCode: 0 };
}

/** The host cannot read half of a surrogate pair, and would throw the whole answer away for it. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
