/**
 * Regex for a character of a word that means itself in every shell, inside and outside of quotes: what is put into a
 * command has to read the same wherever it comes to stand.
 */
export const PLAIN_WORD = '[A-Za-z0-9_./:@=+,-]';

/** Regex for such a word where a program's name is expected: no flag, no assignment. */
export const PLAIN_NAME = '[A-Za-z0-9_./][A-Za-z0-9_./:@+,-]*';
