/** A secret in a text, in UTF-16 units from 0, `end` excluded. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds secrets of one kind. */
export interface SecretFinder {
  /** A text without any of these, whatever their case, has none of the secrets. Lower case, at least 3 characters. */
  readonly literals: readonly string[];
  /** Linear in the text, whatever it holds. */
  readonly find: (text: string) => readonly SecretSpan[];
}

const PLACEHOLDER =
  /^(?:string|null|none|nil|true|false|undefined|required|optional|example|hidden|redacted|secret|token|your[-_].*|[x*.#_-]+)$/i;
const VARIABLE = /^(?:\$[A-Za-z_]\w*|\$[{(].*|%\w+%|%[a-z]|<.*>?|\{.*\}?|\[redacted:.*)$/i;

/** True for what stands where a secret will stand: a variable, a template's slot, a word such as `string`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || VARIABLE.test(value);
}
