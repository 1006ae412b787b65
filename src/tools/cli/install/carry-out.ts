import { chmodSync } from 'node:fs';
import { sha256Hex } from '../../../lib/digest.ts';
import { type FileChange, fileDiff } from '../../report/layout/file-diff.ts';
import { askYes } from '../ask.ts';
import { type Io, UsageError } from '../io.ts';
import { paintFor } from '../print.ts';
import type { InstallRecord, InstallStore } from './install-store.ts';
import type { Plan } from './plan.ts';
import { checkWritable, makeFolderOf, removeFolders, writeConfiguration } from './write-configuration.ts';

const MODE_FOR_ALL = 0o644;

/** How a person agrees to the shown changes. */
export interface Consent {
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** The question if no file changes. */
  readonly otherwise: string;
}

/** Shows the changes of plans and asks; true if they shall be made. */
export async function confirmPlans(
  plans: readonly FileChange[],
  { yes, dryRun, otherwise }: Consent,
  io: Io,
): Promise<boolean> {
  const paint = paintFor(io.stdout, io.env);
  for (const plan of plans) io.stdout.write(fileDiff(plan, paint));
  if (dryRun) return false;
  for (const { path } of plans) checkWritable(path);
  if (yes) return true;
  if (!io.stdin.isTTY)
    throw new UsageError('Nothing was changed: standard input is not a terminal, so agree with --yes');
  const files = plans.length === 1 ? 'this file' : `these ${plans.length} files`;
  // Above the question of many changes the screen shows the end of the last one.
  if (plans.length > 1) io.stdout.write(`\n${plans.map(({ path }) => `  ${path}\n`).join('')}`);
  if (await askYes(plans.length === 0 ? otherwise : `Change ${files}?`, io)) return true;
  io.stdout.write('Nothing was changed\n');
  return false;
}

/** The program that is installed, the digest of its bytes, and which file has them. */
export type InstalledProgram = Pick<InstallRecord, 'program' | 'programDigest' | 'programFile'>;

/** Puts the hook into a configuration, and keeps the old text. */
export function installHook(
  { path, before, after = '', base, record }: Plan,
  installed: InstalledProgram,
  store: InstallStore,
): void {
  // A file without a kept record must not change.
  store.placeOf(path);
  const made = makeFolderOf(path);
  try {
    writeConfiguration({ path, before, after }, () =>
      store.keep(path, {
        before: base,
        written: sha256Hex([after]),
        made: [...(record?.made ?? []), ...made],
        ...installed,
      }),
    );
  } catch (error) {
    removeFolders(made);
    throw error;
  }
}

/** Notes the program where a configuration names it already, as after an update of it. */
export function renew(
  { path, before, base, record }: Plan,
  installed: InstalledProgram,
  store: InstallStore,
): void {
  if (record !== undefined && Bun.deepEquals({ ...record, ...installed }, record)) return;
  store.keep(path, {
    before: base,
    written: sha256Hex([before ?? '']),
    made: record?.made ?? [],
    ...installed,
  });
}

/** Writes a file that everybody may read, or deletes it where nothing is to be left. */
export function writeForAll(change: FileChange): void {
  makeFolderOf(change.path);
  writeConfiguration(change);
  if (change.after !== undefined) chmodSync(change.path, MODE_FOR_ALL);
}

/** Takes the hook out of a configuration, with the files that were made for it. */
export function uninstallHook({ path, before, after, record }: Plan, store: InstallStore): void {
  writeConfiguration({ path, before, after });
  if (after === undefined) removeFolders(record?.made ?? []);
  store.forget(path);
}
