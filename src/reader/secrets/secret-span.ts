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

export interface SecretFinder {
  /** A text without any of these, in any case, has no such secrets. Lower case, at least 3 characters; empty if there are none. */
  readonly literals: readonly string[];
  /** Where the literals count, by default anywhere: in a long word, or at the end of a name with a value. */
  readonly mark?: 'run' | 'name';
  /** Another text, in lower case, without which there are no such secrets. */
  readonly beside?: string | undefined;
  /** The service of these secrets, as `token-owner.ts` reads it. */
  readonly owner?: string | undefined;
  /** Takes time linear in the text. */
  readonly find: (text: string) => readonly SecretSpan[];
}

const PLACEHOLDER =
  /^(?:string|null|none|nil|true|false|undefined|required|optional|example|hidden|redacted|secret|token|your[-_].*|[x*.#_-]+)$/i;
const VARIABLE = /^(?:\$[A-Za-z_]\w*|\$[{(].*|%\w+%|%[a-z]|<.*>?|\{.*\}?|\[redacted:.*)$/i;

/** True for a text that only marks the place of a secret: a variable, a slot of a template, a word such as `string`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || VARIABLE.test(value);
}

/** True if a shell runs a part of it, which a person must see in any case. */
export function hasCommand(value: string): boolean {
  return value.includes('$(') || value.includes('`') || value.includes('<(');
}
