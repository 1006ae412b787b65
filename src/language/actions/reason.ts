import { type JsonObject, ownString } from '../../lib/json.ts';
import { redactSecrets } from '../../reader/secrets/redact-secrets.ts';
import type { Render } from './action-spec.ts';
import { capText, visibleText } from './visible-text.ts';

/** The most a refusal takes, in bytes of UTF-8. */
export const MAX_REASON_BYTES = 2048;

const MAX_ID_BYTES = 256;
const MAX_INSTEAD_BYTES = 640;
const FINAL_PUNCTUATION = /[.!?…。！？]["'”’»)\]]*$/u;

/** The parts of a refusal. `reason` and `instead` are templates, `description` is not. */
export interface ReasonParts {
  readonly reason?: string | undefined;
  readonly instead?: string | undefined;
  readonly description?: string | undefined;
}

/** A refusal's text: `Refused by <id>: <reason>. Instead: <instead>.`, at most 2 KiB, without hidden characters or secrets. */
export function refusalText(ruleId: string, parts: ReasonParts, render: Render): string {
  return sentence('Refused by', ruleId, parts, render);
}

/** The text of a question to a person; reads as a refusal too where nobody can be asked. */
export function approvalText(ruleId: string, parts: ReasonParts, render: Render): string {
  return sentence('Approval needed by', ruleId, parts, render);
}

/** The parts of a refusal among an action's parameters. */
export function reasonParts(params: JsonObject): ReasonParts {
  return {
    reason: ownString(params, 'reason'),
    instead: ownString(params, 'instead'),
    description: ownString(params, 'description'),
  };
}

function sentence(verb: string, ruleId: string, parts: ReasonParts, render: Render): string {
  const head = `${verb} ${capText(visibleText(ruleId), MAX_ID_BYTES)}`;
  const instead = clause(parts.instead, render, MAX_INSTEAD_BYTES);
  const tail = instead === '' ? '' : ` Instead: ${instead}`;
  const room = MAX_REASON_BYTES - Buffer.byteLength(head) - Buffer.byteLength(tail) - 2;
  const why = clause(parts.reason, render, room) || clause(parts.description, (text) => text, room);
  return why === '' ? `${head}.${tail}` : `${head}: ${why}${tail}`;
}

/** A template as the second half of a sentence, with its final punctuation; empty if nothing is left of it. */
function clause(template: string | undefined, render: Render, maxBytes: number): string {
  const line = lowerFirst((template ?? '').replace(/\s+/g, ' ').trim());
  const rendered = render(line);
  // Only the filled-in parts can hold a secret of the call; the author's own words stay as they are.
  const safe = rendered === line ? line : redactSecrets(rendered).text;
  const text = capText(visibleText(safe.trim()), maxBytes - 1);
  if (text === '' || FINAL_PUNCTUATION.test(text)) return text;
  return `${text.replace(/[\s,;:]+$/, '')}.`;
}

/** Lower case for an ordinary first word; names and acronyms such as GitHub, API and I stay. */
function lowerFirst(text: string): string {
  // Spares most calls a pattern of all letters.
  if (text.charAt(0) === text.charAt(0).toLowerCase()) return text;
  const word = /^(?:A(?= )|\p{Lu}\p{Ll}+(?![\p{L}\p{N}]))/u.exec(text);
  return word === null ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}
