import type { Random } from './random.ts';

/**
 * What can be in a place of a script. `statements`: commands; `word`: a part of a word outside quotes; `quoted`: a part
 * of a text inside double quotes or of a here-document; `sum`: an arithmetic expression.
 */
export type Kind = 'statements' | 'word' | 'quoted' | 'sum';

/** A construct of the shell with one place in it that holds another. */
export interface Context {
  readonly name: string;
  /** What it is. */
  readonly is: Kind;
  /** What it holds. */
  readonly holds: Kind;
  /** Writes it around what it holds. */
  readonly around: (inner: string, random: Random) => string;
}

type Row = string | ((inner: string, random: Random) => string);

/** How the place is filled, by the word that stands for it in a row. */
const PLACES: Readonly<Record<string, (inner: string, random: Random) => string>> = {
  INNER: (inner) => inner,
  LINE: lineOf,
  COMMAND: (statements) => (/[\n#;&|<]/.test(statements) ? `{ ${statements}\n}` : statements),
  TEXT: singleQuoted,
  QUOTED: quoted,
  /** A text that is a number, were it not for the subscript in it. */
  NUMBER: (statements) => singleQuoted(`a[$(${lineOf(statements)})]`),
  /** A text that runs them when it is expanded. */
  PROMPT: (statements) => singleQuoted(`$(${lineOf(statements)})`),
};
const PLACE = new RegExp(`\\b(?:${Object.keys(PLACES).join('|')})\\b`, 'g');
const CHOICE = /‹([^›]*)›/g;

/**
 * Contexts of one kind. A row is a function, or a text in which a word of `PLACES` stands for what the context holds and
 * `‹a·b›` for either.
 */
export function contexts(is: Kind, holds: Kind, rows: Readonly<Record<string, Row>>): readonly Context[] {
  return Object.entries(rows).map(([name, row]) => ({
    name,
    is,
    holds,
    around: typeof row === 'function' ? row : (inner, random) => fill(row, inner, random),
  }));
}

function fill(row: string, inner: string, random: Random): string {
  return row
    .replace(CHOICE, (_, choices: string) => random.pick(choices.split('·')))
    .replace(PLACE, (place) => PLACES[place]?.(inner, random) ?? '');
}

/** Statements that something on the same line may follow. A here-document or a comment needs the line's end. */
export function lineOf(statements: string): string {
  return /[\n#]/.test(statements) ? `${statements}\n` : statements;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as one word, quoted in one of the ways there are. */
function quoted(text: string, random: Random): string {
  switch (random.below(4)) {
    case 0:
      return `"${text.replace(/["$`\\]/g, '\\$&')}"`;
    case 1:
      return `$'${[...text].map((char) => escaped(char, random)).join('')}'`;
    default:
      return singleQuoted(text);
  }
}

/** A character inside `$' '`. */
function escaped(char: string, random: Random): string {
  const code = char.charCodeAt(0);
  if (char === '\n') return '\\n';
  if (char === "'" || char === '\\') return `\\${char}`;
  if (code >= 128 || random.below(4) > 0) return char;
  return random.pick([
    `\\x${code.toString(16).padStart(2, '0')}`,
    `\\${code.toString(8).padStart(3, '0')}`,
    `\\u${code.toString(16).padStart(4, '0')}`,
  ]);
}
