import { knownText, type Word } from './word.ts';

/**
 * The name a program goes by in policies: without directory, `.exe` and the version of its package (`eslint@9`); undefined if
 * it cannot be known.
 */
export function programName(program: Word): string | undefined {
  const known = knownText(program);
  if (known === undefined) return undefined;
  const file = known.slice(Math.max(known.lastIndexOf('/'), known.lastIndexOf('\\')) + 1);
  const at = file.lastIndexOf('@');
  const base = at > 0 ? file.slice(0, at) : file;
  return /\.(?:exe|cmd|bat|com|ps1)$/i.test(base) ? base.slice(0, base.lastIndexOf('.')).toLowerCase() : base;
}

/** Names of files are not longer, and a longer one would be looked through again and again. */
const MAX_NAME = 255;

/** The row of a table for a program: its name, in lower case, or without a version at its end (`python3.11`). */
export function rowOf<T>(find: (name: string) => T | undefined, name: string | undefined): T | undefined {
  if (name === undefined) return undefined;
  const row = find(name);
  if (row !== undefined || name.length > MAX_NAME) return row;
  const lower = name.toLowerCase();
  const plain = lower.replace(/-?[0-9]+(?:\.[0-9]+)*$/, '');
  return (
    (lower === name ? undefined : find(lower)) ?? (plain === '' || plain === name ? undefined : find(plain))
  );
}
