import { isExactNumber } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json } from '../../lib/json.ts';
import { redactSecrets } from './redact-secrets.ts';
import { isSecretName } from './secret-name.ts';
import { hasCommand, isPlaceholder } from './secret-span.ts';

const BY_NAME = '[redacted:assignment]';
const MIN_NAMED_LENGTH = 4;
const MAX_WORDS = 1_024;

/** A value without the secrets in its texts and keys. Recursive, for values of limited depth. */
export function redactValue(value: Json, redact: (text: string) => string = redacted): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactList(value, redact);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const made: Record<string, Json> = Object.create(null);
  for (const [key, inside] of Object.entries(value)) {
    const hides = typeof inside === 'string' && isSecretName(key) && isNamedSecret(inside);
    made[unused(redact(key), made)] = hides ? BY_NAME : redactValue(inside, redact);
  }
  return made;
}

function redacted(text: string): string {
  return redactSecrets(text).text;
}

/** A list may be a command: then its words say which of them is a secret. */
function redactList(list: readonly Json[], redact: (text: string) => string): Json {
  if (list.length < 2 || list.length > MAX_WORDS || !list.every((item) => typeof item === 'string'))
    return list.map((item) => redactValue(item, redact));
  const words = list as readonly string[];
  // As one text, it shows whether there is anything to look for.
  if (redactSecrets(words.join(' ')).found.length === 0) return words.map(redact);
  const { findSecretsInWords } = require('./command-secrets.ts') as typeof import('./command-secrets.ts');
  const spans = findSecretsInWords(words);
  return words.map((word, index) => {
    const span = spans[index];
    return span === undefined
      ? redact(word)
      : `${word.slice(0, span.start)}[redacted:command-line]${word.slice(span.end)}`;
  });
}

function isNamedSecret(value: string): boolean {
  return value.length >= MIN_NAMED_LENGTH && !/\s/.test(value) && !isPlaceholder(value) && !hasCommand(value);
}

/** Two keys may be the same without their secrets. */
function unused(key: string, taken: Readonly<Record<string, Json>>): string {
  let name = key;
  for (let count = 2; name in taken; count++) name = `${key} (${count})`;
  return name;
}
