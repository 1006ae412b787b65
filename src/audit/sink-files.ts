import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The file that is being written. */
export const CURRENT_FILE = 'decisions.jsonl';
/** Held by the process that rotates. */
export const LOCK_FILE = 'decisions.lock';

const FULL_FILE = /^decisions\.(\d{9})\.jsonl$/;

/** Paths of the log's files, oldest first; the current one is last. Files that are not there are left out. */
export function logFiles(folder: string): readonly string[] {
  const names = readdirSync(folder);
  const current = names.includes(CURRENT_FILE) ? [CURRENT_FILE] : [];
  return [...fullFiles(names), ...current].map((name) => join(folder, name));
}

/**
 * A path for the file that is full now. Its number grows and never changes, unlike that of the usual `.1`, `.2`, so
 * nobody can shift one file over another.
 */
export function nextFullFile(folder: string): string {
  const newest = fullFiles(readdirSync(folder)).at(-1);
  const number = Number(FULL_FILE.exec(newest ?? '')?.[1] ?? 0) + 1;
  return join(folder, `decisions.${String(number).padStart(9, '0')}.jsonl`);
}

/** Deletes all but the newest `keep` full files. */
export function pruneFullFiles(folder: string, keep: number): void {
  const names = fullFiles(readdirSync(folder));
  for (const name of names.slice(0, Math.max(0, names.length - keep))) unlinkSync(join(folder, name));
}

function fullFiles(names: readonly string[]): readonly string[] {
  return names.filter((name) => FULL_FILE.test(name)).sort();
}
