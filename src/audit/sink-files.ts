import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The file that is being written. */
export const CURRENT_FILE = 'decisions.jsonl';
/** Held by the process that rotates. */
export const LOCK_FILE = 'decisions.lock';

const ROTATED_FILE = /^decisions\.\d{8}T\d{9}Z-[0-9a-z]+\.jsonl$/;

/** A name for a full file: unlike the usual `.1`, `.2` it never has to change, so nobody can shift over another. */
export function rotatedName(nowMs: number, processId: string): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  return `decisions.${time}-${processId}.jsonl`;
}

/** Paths of the log's files, oldest first; the current one is last. Files that are not there are left out. */
export function logFiles(folder: string): readonly string[] {
  const names = readdirSync(folder);
  const rotated = names.filter((name) => ROTATED_FILE.test(name)).sort();
  const current = names.includes(CURRENT_FILE) ? [CURRENT_FILE] : [];
  return [...rotated, ...current].map((name) => join(folder, name));
}

/** Deletes all but the newest `keep` full files. */
export function pruneRotated(folder: string, keep: number): void {
  const rotated = readdirSync(folder)
    .filter((name) => ROTATED_FILE.test(name))
    .sort();
  for (const name of rotated.slice(0, Math.max(0, rotated.length - keep))) unlinkSync(join(folder, name));
}
