/** A secret in a text, in UTF-16 units from 0, `end` excluded. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds secrets of one kind. Linear in the text, whatever it holds. */
export type SecretFinder = (text: string) => readonly SecretSpan[];
