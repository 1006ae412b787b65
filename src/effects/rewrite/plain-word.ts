/**
 * Regex for a character of a word that means itself in every shell, inside and outside of quotes: what is put into a
 * command has to read the same wherever it comes to stand.
 */
export const PLAIN_WORD = '[A-Za-z0-9_./:@=+,-]';

/** Regex for such a word that is no flag and no assignment: a program's name, a flag's without its dashes. */
export const PLAIN_NAME = '[A-Za-z0-9_./][A-Za-z0-9_./:@+,-]*';
