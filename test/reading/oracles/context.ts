import type { Random } from './random.ts';

/**
 * What can stand in a place of a script. `statements`: commands; `word`: a part of a word outside quotes; `quoted`: a part
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

/** Contexts of one kind: a name for each way to write what it holds between a head and a tail. */
export function contexts(
  is: Kind,
  holds: Kind,
  rows: Readonly<Record<string, string | ((inner: string, random: Random) => string)>>,
): readonly Context[] {
  return Object.entries(rows).map(([name, row]) => ({
    name,
    is,
    holds,
    around: typeof row === 'string' ? (inner: string) => row.replaceAll('@@', () => inner) : row,
  }));
}

/** Statements that something on the same line may follow. A here-document or a comment needs the line's end. */
export function ended(statements: string): string {
  return /[\n#]/.test(statements) ? `${statements}\n` : statements;
}

/** Statements as one command. */
export function grouped(statements: string): string {
  return /[\n#;&|]/.test(statements) ? `{ ${statements}\n}` : statements;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function doubleQuoted(text: string): string {
  return `"${text.replace(/["$`\\]/g, '\\$&')}"`;
}

/** `$'text'`. */
export function ansiQuoted(text: string, random: Random): string {
  const escaped = [...text].map((char) => {
    const code = char.charCodeAt(0);
    if (char === '\n') return '\\n';
    if (char === "'" || char === '\\') return `\\${char}`;
    if (code < 128 && random.below(4) === 0) {
      return random.pick([
        `\\x${code.toString(16)}`.padEnd(4, '0'),
        `\\${code.toString(8).padStart(3, '0')}`,
        `\\u${code.toString(16).padStart(4, '0')}`,
      ]);
    }
    return char;
  });
  return `$'${escaped.join('')}'`;
}

/** A text as one word, quoted in one of the ways there are. */
export function quoted(text: string, random: Random): string {
  switch (random.below(4)) {
    case 0:
      return doubleQuoted(text);
    case 1:
      return ansiQuoted(text, random);
    default:
      return singleQuoted(text);
  }
}

/** Statements inside backquotes. */
export function backquoted(statements: string): string {
  return `\`${ended(statements).replace(/[\\`]/g, '\\$&')}\``;
}
