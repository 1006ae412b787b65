import { CODE_ROWS } from '../../generated/code-rows.ts';
import type { CallResult } from './results.ts';

/** The languages whose code is looked at. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'r';

/** The use that a call makes of its first argument, or of the value before its dot; see docs/programs.md. */
export interface CodeRow {
  readonly of?: readonly string[];
  readonly alone?: true;
  readonly runs?: 'shell' | 'words' | 'program' | 'code' | 'file' | 'anything';
  readonly own_name?: number;
  readonly reads?: 'path';
  readonly lists?: 'path';
  readonly loads?: 'path';
  readonly writes?: 'path' | 'tree';
  readonly deletes?: 'path' | 'tree';
  readonly opens?: 'path';
  readonly bars?: 'path';
  readonly enters?: 'path';
  readonly like?: string;
  readonly network?: 'connect' | 'download' | 'upload';
  readonly place?: number;
  readonly saves?: number;
  readonly shows?: 'environment' | 'given';
  readonly topic?: true;
  readonly each?: number;
  readonly names?: number;
  readonly gives?: CallResult;
}

/** The form of a text in a language; see scripts/code-rows.ts. `Pattern`: a text, or an expression that is made of it. */
export interface TextForm<Pattern = RegExp> {
  readonly starts: Pattern;
  readonly raw?: true;
  readonly interpolates?: '{' | '#{' | '${' | '$';
  readonly runs?: true;
  readonly words?: '()' | '[]';
  readonly call?: string;
  readonly replaces?: boolean;
}

/** The syntax of a language; see scripts/code-rows.ts. */
export interface Syntax<Pattern = RegExp> {
  readonly name: Pattern;
  readonly comment: Pattern;
  readonly operators: readonly string[];
  readonly operator_words?: readonly string[];
  readonly bare_calls?: true;
  readonly lines?: true;
  readonly patterns?: true;
  readonly dynamic?: Pattern;
  readonly given?: { readonly name: string; readonly owners?: readonly string[]; readonly before: number };
  readonly texts: readonly TextForm<Pattern>[];
}

/** `textStart`: where any of the texts may start, so that most places are asked once. */
export interface CompiledSyntax extends Syntax {
  readonly textStart: RegExp;
}

/** A program that runs code of a language; see scripts/code-rows.ts. */
export interface CodeProgram {
  readonly inline: readonly string[];
  readonly in_place?: readonly string[];
  readonly loops?: readonly string[];
  readonly file_behind?: string;
}

interface Rows {
  readonly syntax: CompiledSyntax;
  readonly calls: Readonly<Record<string, readonly CodeRow[]>>;
}

const known = new Map<Language, Rows>();

/** Decoded when code of the language is met: most commands have none. */
function rowsOf(language: Language): Rows {
  const rows = known.get(language) ?? decode(CODE_ROWS[language]());
  known.set(language, rows);
  return rows;
}

function decode(text: string): Rows {
  const {
    syntax: { dynamic, ...syntax },
    calls,
  } = JSON.parse(text) as Rows & { readonly syntax: Syntax<string> };
  const name = new RegExp(syntax.name, 'y');
  const comment = new RegExp(syntax.comment, 'my');
  const texts = syntax.texts.map((form) => ({ ...form, starts: new RegExp(form.starts, 'y') }));
  const textStart = new RegExp(syntax.texts.map(({ starts }) => starts).join('|'), 'y');
  const compiled = { ...syntax, name, comment, texts, textStart };
  return {
    syntax: dynamic === undefined ? compiled : { ...compiled, dynamic: new RegExp(dynamic, 'm') },
    calls,
  };
}

export function syntaxOf(language: Language): CompiledSyntax {
  return rowsOf(language).syntax;
}

/** The row of a call by the parts of its name; undefined if it does not matter. */
export function callRow(language: Language, names: readonly string[]): CodeRow | undefined {
  const { calls } = rowsOf(language);
  const last = names.at(-1) ?? '';
  return Object.hasOwn(calls, last) ? calls[last]?.find((row) => fits(row, names)) : undefined;
}

/** True if the part before the last name agrees with the row. */
function fits({ of, alone }: CodeRow, names: readonly string[]): boolean {
  if (names.length === 1) return of === undefined || alone === true;
  if (of === undefined) return alone === undefined;
  // `node:fs` is fs.
  const before = names.slice(0, -1).map((name) => name.replace(/^(?:\$|node:)/, ''));
  return of.includes('*') || before.some((name) => of.includes(name));
}
