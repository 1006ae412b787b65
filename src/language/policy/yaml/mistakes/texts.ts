import { YamlProblem } from '../yaml-problem.ts';
import type { Stop } from './stop.ts';

const QUOTE_IT = 'put the text in single quotes';

/** YAML reads the first character of a text so. */
const MEANINGS: Readonly<Record<string, string>> = {
  '*': 'YAML takes it for an alias',
  '&': 'YAML takes it for an anchor',
  '@': 'YAML keeps it for itself',
  '`': 'YAML keeps it for itself',
  '%': 'YAML keeps it for itself',
  '-': 'YAML takes it for an item of a list',
  '?': 'YAML takes it for a key',
  ',': 'YAML takes it for the end of an item',
  ']': 'YAML takes it for the end of a list',
  '}': 'YAML takes it for the end of a mapping',
};

/** A text that begins with a character that has a meaning. */
export function firstCharacterProblem({ offset, char, before }: Stop): YamlProblem | undefined {
  const name = /(?:^|[,[{]|[:-][ \t])[ \t]*([*&][^\s,[\]{}]*[ \t]*)$/.exec(before)?.[1];
  if (name !== undefined) return textBegins(name.charAt(0), offset - name.length);
  const isFirst = /(?:^|[,[{]|[:-][ \t])[ \t]*$/.test(before);
  // On a line of its own a dash does begin an item.
  const isItem = char === '-' && before.trim() === '';
  return isFirst && !isItem && Object.hasOwn(MEANINGS, char) ? textBegins(char, offset) : undefined;
}

/** @param char a character with a meaning */
export function textBegins(char: string, offset: number, length = 1): YamlProblem {
  const message = `Cannot begin a string with "${char}": ${MEANINGS[char]}`;
  return new YamlProblem(message, offset, offset + length, QUOTE_IT, { at: offset, with: '_' });
}

/** A second `: ` in a value without quotes. */
export function colonProblem(
  { offset, char, line, before }: Stop,
  isInBrackets: boolean,
): YamlProblem | undefined {
  if (char !== ':') return undefined;
  const quoteIt = line.text.includes("'") ? `${QUOTE_IT}, and write each ' in it twice` : QUOTE_IT;
  const hint = isInBrackets ? `${quoteIt}, or write a comma before the next key` : quoteIt;
  const rest = line.text.slice(before.length);
  const fix = isInBrackets ? undefined : { at: offset, with: rest.replaceAll(':', '_') };
  return new YamlProblem('Cannot use ": " in a string without quotes', offset, offset + 1, hint, fix);
}

/** A key with a value that is neither in quotes nor in brackets. */
const PLAIN_VALUE = /^ *(?:- +)*[\w.-]+: +[^"'[{&!\s]/;

/** Reports text behind a closing quote. Quotes inside plain texts are text. */
export function afterQuoteProblem({ offset, before }: Stop, isInBrackets: boolean): YamlProblem | undefined {
  if (!/["'][ \t]*$/.test(before) || PLAIN_VALUE.test(before)) return undefined;
  const whole = "put the whole text in single quotes, and write each ' in it twice";
  const hint = isInBrackets ? `write a comma between the two, or ${whole}` : whole;
  return new YamlProblem('Cannot read on here: the quote before it ends the text', offset, offset + 1, hint);
}

const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A backslash in double quotes that begins no escape. */
export function escapeProblem({ text, offset }: Stop): YamlProblem {
  const start = text.lastIndexOf('\\', offset);
  const letter = text.charAt(start + 1);
  const digits = DIGITS[letter];
  const cause = digits === undefined ? 'it is not an escape' : `${digits} hexadecimal digits must follow`;
  const message = `Cannot use "\\${letter}" in double quotes: ${cause}`;
  const hint = `${QUOTE_IT}, where a backslash is only a backslash`;
  return new YamlProblem(message, start, start + 2, hint, { at: start, with: '\\\\' });
}

export function characterProblem({ text, offset }: Stop): YamlProblem {
  const code = text.charCodeAt(offset);
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  const hint = code === 0 ? 'remove it' : `remove it, or write "\\u${hex}" in double quotes`;
  return new YamlProblem(`Cannot use character U+${hex}: it is not printable`, offset, offset + 1, hint);
}

/** Text in the line of `|` or `>`. */
export function blockMarkProblem({ offset, before }: Stop): YamlProblem {
  const mark = /[|>](?=[^|>]*$)/.exec(before)?.[0] ?? '|';
  const hint = `begin the text in the next line, or put it in single quotes if "${mark}" belongs to it`;
  return new YamlProblem(`Cannot write text in the line of "${mark}"`, offset, offset + 1, hint);
}
