import type { SecretSpan } from './secret-span.ts';

/** What the name of a secret ends with. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase)|pwd|secret|token|credential|(?:api|access|secret|private|account|auth|encryption|signing)[_-]?key)$/i;
/** Names that end like a secret's but are none. */
const HARMLESS_NAME = /(?:next|page|continuation|sync|cancel(?:lation)?|csrf)[_-]?token$/i;
const MAX_NAME_LENGTH = 64;

const QUOTED_VALUE = /[ \t]{0,8}(\\?["'`])([^\s"'`\\]{6,512})\1/y;
const BARE_VALUE = /[^\s"'`\\,;&|<>(){}[\]$]{6,512}(?=[\s"'`\\,;&|)}\]]|$)/y;
const BEARER = /(?:Bearer|bearer|BEARER) {1,4}([A-Za-z0-9._~+/=-]{16,4096})/y;
const BASIC = /(?:Basic|basic) {1,4}([A-Za-z0-9+/]{12,4096}={0,2})/y;
const PLACEHOLDER =
  /^(?:string|null|none|nil|true|false|undefined|required|optional|example|hidden|secret|token|password|passwd|your[-_].*|my[-_].*|[x*.#_-]+)$/i;
const DOTTED_NAME = /^[A-Za-z_$][\w$-]*(?:\??\.[A-Za-z_$][\w$-]*)+$/;

/**
 * Finds values that are given to something named like a secret (`password=`, `"api_key": "..."`) and bearer tokens. Only
 * the value is the secret. Code that merely passes one on (`token = get_token()`, `${TOKEN}`) has none.
 */
export function findAssignedSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const separator of ['=', ':']) {
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
      const span = valueAfter(text, at);
      if (span === undefined) continue;
      spans.push(span);
      at = span.end - 1;
    }
  }
  addMatches(text, ['Bearer ', 'bearer ', 'BEARER '], BEARER, spans);
  addMatches(text, ['Authorization: ', 'authorization: '], BASIC, spans);
  return spans;
}
