import { checkTime } from '../../lib/time-limit.ts';
import { isSecretName, isSecretOption } from './secret-name.ts';
import { isPlaceholder, type SecretFinder, type SecretSpan } from './secret-span.ts';

const MAX_NAME_LENGTH = 64;
const MIN_VALUE_LENGTH = 6;
/** Behind an option or a variable of the environment. */
const MIN_LITERAL_LENGTH = 4;
const MAX_VALUE_LENGTH = 4096;

const QUOTED_VALUE = /[ \t]{0,8}(\\?["'`])([^\s"'`\\]{4,4096})\1/y;
/** The value of an option may have blanks: no shell runs it. */
const QUOTED_PHRASE = /[ \t]{0,8}(\\?["'])([^\r\n"'`\\]{4,256})\1/y;
const DOTTED_NAME = /^[A-Za-z_$][\w$-]*(?:\??\.[A-Za-z_$][\w$-]*)+$/;
const AUTHORISATION =
  /(?:[Bb]earer|BEARER|[Bb]asic|BASIC|SSWS|Bot|GenieKey|Token|token) {1,4}(?:token=)?["']?([A-Za-z0-9._~+/-]{12,4096}={0,2})/y;

/**
 * Finds values of names like a secret's (`password=`, `"api_key": "..."`) or after `Bearer` and `Basic`; no code such as
 * `get_token()`.
 */
export const ASSIGNED_SECRETS: SecretFinder = {
  // The ends of names, as `secret-name.ts` has them, and words before a secret.
  literals: [
    ...'password passwd passphrase passcode pwd secret token credential credentials key secret_key_base'.split(
      ' ',
    ),
    ...'pass psw auth dsn pat pin'.split(' '),
    ...['pw=', 'pw:', 'pw ', 'pw"', "pw'", 'pw`', 'pw\\'],
    ...['bearer ', 'basic ', 'ssws ', 'bot ', 'geniekey ', 'token '],
  ],
  mark: 'name',
  find: findAssignedSecrets,
};

function findAssignedSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  // The end of the run of value characters that was read last: names inside it do not read it again.
  const run = { from: 0, end: 0 };
  for (const separator of ['=', ':']) {
    run.from = run.end = 0;
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
      checkTime();
      const span = assignedAt(text, at, run);
      if (span !== undefined) spans.push(span);
    }
  }
  run.from = run.end = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
    checkTime();
    const span = optionAt(text, at, run);
    if (span !== undefined) spans.push(span);
  }
  for (const scheme of ['earer ', 'EARER ', 'asic ', 'ASIC ', 'SWS ', 'ot ', 'enieKey ', 'oken ']) {
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

/** `--password value`, of any program. */
function optionAt(text: string, at: number, run: { from: number; end: number }): SecretSpan | undefined {
  if (!endsSecretName(text.charCodeAt(at - 1))) return undefined;
  const nameStart = startOfName(text, at);
  if (text.charCodeAt(nameStart) !== 45 || !' \t\n"\'(`'.includes(text.charAt(nameStart - 1)))
    return undefined;
  if (!isSecretOption(text.slice(nameStart, at))) return undefined;
  const quoted = quotedAt(text, at, QUOTED_PHRASE);
  const start = quoted?.start ?? startOfBare(text, at);
  if (quoted === undefined && (start < run.from || start >= run.end)) {
    run.from = start;
    run.end = endOfRun(text, start);
  }
  const end = quoted?.end ?? run.end;
  const value = text.slice(start, end);
  // A word of prose is none: "the --token flag".
  if (value.startsWith('-') || !/[^a-z]/.test(value)) return undefined;
  return isBareSecret(value, true) ? { start, end } : undefined;
}

function assignedAt(text: string, at: number, run: { from: number; end: number }): SecretSpan | undefined {
  const nameEnd = endOfName(text, at);
  if (!endsSecretName(text.charCodeAt(nameEnd - 1))) return undefined;
  const nameStart = startOfName(text, nameEnd);
  const name = text.slice(nameStart, nameEnd);
  const isLiteralName = isLiteralPlace(text, nameStart, name);
  if (!(isLiteralName ? isSecretOption(name) : isSecretName(name))) return undefined;
  const quoted = quotedAt(text, at + 1, name.startsWith('-') ? QUOTED_PHRASE : QUOTED_VALUE);
  if (quoted !== undefined) {
    const value = text.slice(quoted.start, quoted.end);
    if (isPlaceholder(value) || DOTTED_NAME.test(value)) return undefined;
    if (value.length < (isLiteralName ? MIN_LITERAL_LENGTH : MIN_VALUE_LENGTH)) return undefined;
    // Directly behind the sign a shell would run the text in backquotes; code has templates there.
    if (quoted.quote.endsWith('`') && (quoted.from === at + 1 || !looksRandom(value))) return undefined;
    return { start: quoted.start, end: quoted.end };
  }
  const start = startOfBare(text, at);
  if (start < run.from || start >= run.end) {
    run.from = start;
    run.end = endOfRun(text, start);
  }
  const end = run.end;
  const value = text.slice(start, end);
  const isLiteral = isLiteralName && start === at + 1 && nameEnd === at;
  return isBareSecret(value, isLiteral) ? { start, end } : undefined;
}

interface Quoted extends SecretSpan {
  readonly quote: string;
  /** The offset of the opening quote. */
  readonly from: number;
}

function quotedAt(text: string, at: number, sticky: RegExp): Quoted | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  if (match === null) return undefined;
  const [, quote = '', value = ''] = match;
  const end = sticky.lastIndex - quote.length;
  const start = end - value.length;
  return { quote, from: start - quote.length, start, end };
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

/** True for the last letters of names of secrets, which rules out most separators at one look. */
function endsSecretName(unit: number): boolean {
  const letter = (unit | 32) - 97;
  return letter >= 0 && letter < 26 && ((LAST_LETTERS >>> letter) & 1) === 1;
}

/** A bit for each of them. */
const LAST_LETTERS = [...'dehlnstwy'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0);

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

/** Values without quotes go on to a blank, a quote, or the separator of the next thing. */
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

/** True if a bare word is a value and no variable's name: environment files, options, query strings, lists of settings. */
function isLiteralPlace(text: string, nameStart: number, name: string): boolean {
  if (/^[A-Z0-9_]+$/.test(name) || /^--?[A-Za-z]/.test(name)) return true;
  const before = text.charAt(nameStart - 1) || ' ';
  // `/password:x`, as Windows has it.
  if (before === '/') return '" \''.includes(text.charAt(nameStart - 2) || ' ');
  // `-Djavax.net.ssl.trustStorePassword=x`.
  if (before === '.') return /(?:^|[\s"'])-[\w.-]*$/.test(text.slice(Math.max(0, nameStart - 64), nameStart));
  return (
    '?&'.includes(before) ||
    (before === ';' && text.slice(Math.max(0, nameStart - 64), nameStart).includes('='))
  );
}

function isBareSecret(value: string, isLiteral: boolean): boolean {
  if (value.length < (isLiteral ? MIN_LITERAL_LENGTH : MIN_VALUE_LENGTH)) return false;
  if (value.length > MAX_VALUE_LENGTH || /^\d{1,5}$/.test(value)) return false;
  if (/[([{]|^[$/.]|\$[({]/.test(value) || isPlaceholder(value) || DOTTED_NAME.test(value)) return false;
  return isLiteral || looksRandom(value);
}

/** True for a text that nobody would name a variable: letters and digits in turn, or with signs between them. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return changes.length >= 3 || /[!@#%^*+/=~]/.test(value);
}
