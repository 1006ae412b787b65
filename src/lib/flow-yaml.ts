import { isJsonObject, type Json } from './json.ts';

/** Texts that are themselves without quotes, in brackets too: words, flags, paths, `~/.ssh`, `*.env` not. */
const PLAIN = /^(?:\p{L}|--?\p{L}|~?\/(?=[^*]|$)|\.(?=[\p{L}/]))(?:[\p{L}\p{N} @+=._/-]*[\p{L}\p{N}_/])?$/u;
/** Words that are no texts without quotes, here or for older readers of YAML. */
const NOT_TEXT = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Only double quotes can write these. */
const NEEDS_ESCAPES = /[\p{C}\u2028\u2029\u00a0]/u;

/** A value as YAML in one line, quoted as `policy fmt` does. */
export function flowYaml(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(', ')}]`;
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([key, inside]) => `${flowYaml(key)}: ${flowYaml(inside)}`)
      .join(', ')}}`;
  if (typeof value !== 'string' || NEEDS_ESCAPES.test(value)) return JSON.stringify(value);
  if (PLAIN.test(value) && !NOT_TEXT.test(value)) return value;
  return value.includes("'") && !/["\\]/.test(value) ? `"${value}"` : `'${value.replaceAll("'", "''")}'`;
}
