/** A secret in a text, in UTF-16 units from 0, `end` excluded. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** A text without its secrets, and the detectors that found them. */
export interface Redacted {
  readonly text: string;
  readonly found: readonly string[];
}

/** Finds secrets of one kind. */
export interface SecretFinder {
  /**
   * A text without any of these, whatever their case, has none of the secrets. Lower case, at least 3 characters. Empty for
   * secrets that are known by their form: `mayHoldSecret` looks for these.
   */
  readonly literals: readonly string[];
  /** The places where they count, anywhere unless given: in a long word, at the end of a name with a value. */
  readonly mark?: 'run' | 'name';
  /** A text without this in lower case has none of the secrets either. */
  readonly beside?: string | undefined;
  /** The service of these secrets, as `token-owner.ts` reads it. */
  readonly owner?: string | undefined;
  /** Linear in the text, whatever it holds. */
  readonly find: (text: string) => readonly SecretSpan[];
}

const PLACEHOLDER =
  /^(?:string|null|none|nil|true|false|undefined|required|optional|example|hidden|redacted|secret|token|your[-_].*|[x*.#_-]+)$/i;
const VARIABLE = /^(?:\$[A-Za-z_]\w*|\$[{(].*|%\w+%|%[a-z]|<.*>?|\{.*\}?|\[redacted:.*)$/i;

/** True for a text in the place of a later secret: a variable, a template's slot, a word such as `string`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || VARIABLE.test(value);
}

/** True if a shell runs a part of it: a person must see that part, whatever it is put into. */
export function hasCommand(value: string): boolean {
  return value.includes('$(') || value.includes('`') || value.includes('<(');
}
