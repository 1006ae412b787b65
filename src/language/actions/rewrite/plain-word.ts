/**
 * What is put into a command has to read the same wherever it comes to stand: bare, between quotes, in a script inside a
 * script. These characters mean themselves there, in every shell.
 */
export const PLAIN_CHARACTERS = 'letters, digits and any of _ . / : @ = + , -';

const WORD = '[A-Za-z0-9_./:@=+,-]';
/** No flag and no assignment. */
const NAME = '[A-Za-z0-9_./][A-Za-z0-9_./:@+,-]*';

const PROGRAM = new RegExp(`^${NAME}(?: ${WORD}+)*$`);
const FLAG_NAME = new RegExp(`^--?${NAME}$`);
const FLAG = new RegExp(`^--?${NAME}(?:=${WORD}*)?$`);

/** True for a program and words after it, with single spaces between. */
export function isPlainProgram(text: string): boolean {
  return PROGRAM.test(text);
}

/** True for a flag without a value. */
export function isPlainFlagName(text: string): boolean {
  return FLAG_NAME.test(text);
}

/** True for a flag, with a value behind `=` or without. */
export function isPlainFlag(text: string): boolean {
  return FLAG.test(text);
}
