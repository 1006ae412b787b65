import { isPlaceholder, type SecretFinder, type SecretSpan } from './secret-span.ts';

/** What the name of a secret ends with. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase)|pwd|secret|token|credential|(?:api|access|secret|private|account|auth|encryption|signing)[_-]?key)$/i;
/** Names that end like a secret's but are none. */
const HARMLESS_NAME = /(?:next|page|continuation|sync|cancel(?:lation)?|csrf)[_-]?token$/i;
const MAX_NAME_LENGTH = 64;
const MIN_VALUE_LENGTH = 6;
const MAX_VALUE_LENGTH = 4096;

const QUOTED_VALUE = /[ \t]{0,8}(\\?["'`])([^\s"'`\\]{6,4096})\1/y;
const DOTTED_NAME = /^[A-Za-z_$][\w$-]*(?:\??\.[A-Za-z_$][\w$-]*)+$/;
const AUTHORISATION = /(?:[Bb]earer|BEARER|[Bb]asic|BASIC) {1,4}([A-Za-z0-9._~+/-]{12,4096}={0,2})/y;

/**
 * Finds values that are given to something named like a secret (`password=`, `"api_key": "..."`) and what follows
 * `Bearer` and `Basic`. Only the value is the secret. Code that passes one on (`token = get_token()`) has none.
 */
export const ASSIGNED_SECRETS: SecretFinder = {
  literals: ['passw', 'passphrase', 'pwd', 'secret', 'token', 'credential', 'key', 'bearer ', 'basic '],
  find: findAssignedSecrets,
};

function findAssignedSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  // Where the run of value characters that was read last ends: names inside it do not read it again.
  const run = { from: 0, end: 0 };
  for (const separator of ['=', ':']) {
    run.from = run.end = 0;
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
      const span = assignedAt(text, at, run);
      if (span !== undefined) spans.push(span);
    }
  }
  for (const scheme of ['earer ', 'EARER ', 'asic ', 'ASIC ']) {
    for (let at = text.indexOf(scheme); at !== -1; at = text.indexOf(scheme, at + 1)) {
      AUTHORISATION.lastIndex = at - 1;
      const value = AUTHORISATION.exec(text)?.[1] ?? '';
      const end = AUTHORISATION.lastIndex;
      if (isCredential(value)) spans.push({ start: end - value.length, end });
    }
  }
  return spans;
}

/** A bearer token, or `user:password` in base64. */
function isCredential(value: string): boolean {
  if (looksRandom(value)) return true;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0 && atob(value).includes(':');
}

function assignedAt(text: string, at: number, run: { from: number; end: number }): SecretSpan | undefined {
  const nameEnd = endOfName(text, at);
  if (!endsSecretName(text.charCodeAt(nameEnd - 1))) return undefined;
  const nameStart = startOfName(text, nameEnd);
  const name = text.slice(nameStart, nameEnd);
  if (!SECRET_NAME.test(name) || HARMLESS_NAME.test(name)) return undefined;
  QUOTED_VALUE.lastIndex = at + 1;
  const quoted = QUOTED_VALUE.exec(text);
  if (quoted !== null) {
    const [, quote = '', value = ''] = quoted;
    const end = QUOTED_VALUE.lastIndex - quote.length;
    return isPlaceholder(value) || DOTTED_NAME.test(value) ? undefined : { start: end - value.length, end };
  }
  const start = startOfBare(text, at);
  if (start < run.from || start >= run.end) {
    run.from = start;
    run.end = endOfRun(text, start);
  }
  const end = run.end;
  const value = text.slice(start, end);
  const isLiteral = isLiteralPlace(text, nameStart, name) && start === at + 1 && nameEnd === at;
  return isBareSecret(value, isLiteral) ? { start, end } : undefined;
}

/** Steps back over the colon of `:=`, blanks and the quote that closes a name. */
function endOfName(text: string, separator: number): number {
  let end = separator;
  if (text.charCodeAt(end - 1) === 58) end -= 1;
  for (let blanks = 0; blanks < 8 && text.charCodeAt(end - 1) === 32; blanks++) end -= 1;
  const unit = text.charCodeAt(end - 1);
  const isQuote = unit === 34 || unit === 39 || unit === 96;
  if (!isQuote) return end;
  return text.charCodeAt(end - 2) === 92 ? end - 2 : end - 1;
}

/** True for the last letters of such names, which rules out most separators at one look: d, e, l, n, t, y. */
function endsSecretName(unit: number): boolean {
  const lower = unit | 32;
  return lower === 100 || lower === 101 || lower === 108 || lower === 110 || lower === 116 || lower === 121;
}

function startOfName(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_NAME_LENGTH && isNameUnit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isNameUnit(unit: number): boolean {
  const lower = unit | 32;
  return (lower >= 97 && lower <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45;
}

function startOfBare(text: string, separator: number): number {
  let start = separator + 1;
  for (let blanks = 0; blanks < 8 && text.charAt(start) === ' '; blanks++) start += 1;
  return start;
}

/** Values without quotes go on to a blank, a quote, or what separates them from the next thing. */
function endOfRun(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isTerminator(text.charCodeAt(end))) end += 1;
  return end;
}

/** Blanks and `"'\`\\,;&|<>`. */
function isTerminator(unit: number): boolean {
  if (unit <= 32) return true;
  switch (unit) {
    case 34:
    case 38:
    case 39:
    case 44:
    case 59:
    case 60:
    case 62:
    case 92:
    case 96:
    case 124:
      return true;
    default:
      return false;
  }
}

/** Where a bare word is a value and no variable's name: environment files, options and query strings. */
function isLiteralPlace(text: string, nameStart: number, name: string): boolean {
  return (
    /^[A-Z0-9_]+$/.test(name) || name.startsWith('--') || '?&'.includes(text.charAt(nameStart - 1) || ' ')
  );
}

function isBareSecret(value: string, isLiteral: boolean): boolean {
  if (value.length < MIN_VALUE_LENGTH || value.length > MAX_VALUE_LENGTH) return false;
  if (/[([{]|^[$/.]|\$[({]/.test(value) || isPlaceholder(value) || DOTTED_NAME.test(value)) return false;
  return isLiteral || looksRandom(value);
}

/** True for what nobody would name a variable: letters and digits in turn, or with signs between them. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return changes.length >= 3 || /[!@#%^*+/=~]/.test(value);
}
