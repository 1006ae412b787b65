import { CODE_ROWS } from '../../generated/code-rows.ts';
import type { Language } from './language.ts';
import type { CallResult } from './results.ts';

/** Languages that have rows: awk has a reader of its own. */
export type CodeLanguage = Exclude<Language, 'awk'>;

/** What a call does with its first argument, or with what stands before its dot; see docs/programs.md. */
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

type Rows = Readonly<Record<string, readonly CodeRow[]>>;
const known = new Map<CodeLanguage, Rows>();

/** What is known of a call by the parts of its name; undefined if it does not matter. */
export function callRow(language: Language, names: readonly string[]): CodeRow | undefined {
  if (language === 'awk') return undefined;
  const rows = known.get(language) ?? (JSON.parse(CODE_ROWS[language]()) as Rows);
  known.set(language, rows);
  const last = names.at(-1) ?? '';
  return Object.hasOwn(rows, last) ? rows[last]?.find((row) => fits(row, names)) : undefined;
}

/** Does what stands before the last name agree with what the row wants? */
function fits({ of, alone }: CodeRow, names: readonly string[]): boolean {
  if (names.length === 1) return of === undefined || alone === true;
  if (of === undefined) return alone === undefined;
  return of.includes('*') || names.slice(0, -1).some((name) => of.includes(name.replace(/^\$/, '')));
}
