import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../lib/digest.ts';
import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { StateError, stateError } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'installed';
const VERSION = 1;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** What `policy install` has done to one configuration file. */
export interface InstallRecord {
  /** The text before; undefined if there was no file. */
  readonly before: string | undefined;
  /** Digest of the text that was written. */
  readonly written: string;
  /** Folders that were made for the file, outermost first. */
  readonly made: readonly string[];
  /** The program that was installed, and its digest. */
  readonly program: string;
  readonly programDigest: string;
  /** Which file that was, by `fileIdentity`: the same one need not be read again. */
  readonly programFile: string | undefined;
}

/**
 * The backup of every configuration that was written, one file each, where an agent may not write. Throws `StateError`
 * if it cannot read or keep one.
 */
export interface InstallStore {
  find(path: string): InstallRecord | undefined;
  /** When the record of a file was written, in milliseconds since 1970; undefined if there is none. */
  installedMs(path: string): number | undefined;
  keep(path: string, record: InstallRecord): void;
  forget(path: string): void;
  /** Where the record of a file is kept. */
  placeOf(path: string): string;
}

export function createInstallStore(env: Readonly<Record<string, string | undefined>>): InstallStore {
  const existing = (path: string): string | undefined => {
    const folder = findStateSubfolder(env, SUBFOLDER);
    return folder === undefined ? undefined : join(folder, nameFor(path));
  };
  const placeOf = (path: string) => join(openStateSubfolder(env, SUBFOLDER), nameFor(path));
  return {
    placeOf,
    find: (path) => {
      const place = existing(path);
      return place === undefined ? undefined : guarded('read', path, () => readRecord(place, path));
    },
    installedMs: (path) => {
      const place = existing(path);
      return place === undefined ? undefined : statSync(place, { throwIfNoEntry: false })?.mtimeMs;
    },
    keep: (path, { before, written, made, program, programDigest, programFile }) => {
      const place = placeOf(path);
      const text = JSON.stringify({
        version: VERSION,
        path,
        before: before ?? null,
        written,
        made,
        program,
        program_digest: programDigest,
        program_file: programFile ?? null,
      });
      guarded('keep', path, () => writePrivateFile(place, text));
    },
    forget: (path) => {
      const place = existing(path);
      if (place !== undefined) guarded('delete', path, () => removeIfThere(place));
    },
  };
}

function nameFor(path: string): string {
  return `${sha256Hex([path])}.json`;
}

function readRecord(place: string, path: string): InstallRecord | undefined {
  const text = readPrivateFile(place, MAX_FILE_BYTES);
  if (text === undefined) return undefined;
  const record = recordFrom(JSON.parse(text) as Json, path);
  if (record === undefined) throw new Error('it is not what was written');
  return record;
}

function recordFrom(value: Json, path: string): InstallRecord | undefined {
  if (!isJsonObject(value) || own(value, 'version') !== VERSION || own(value, 'path') !== path)
    return undefined;
  const [written, program, programDigest] = ['written', 'program', 'program_digest'].map((key) =>
    ownString(value, key),
  );
  const made = own(value, 'made');
  if (written === undefined || program === undefined || programDigest === undefined) return undefined;
  if (!Array.isArray(made)) return undefined;
  const [before, programFile] = [ownString(value, 'before'), ownString(value, 'program_file')];
  return { before, written, made: made.map(String), program, programDigest, programFile };
}

function guarded<T>(verb: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof StateError ? error : stateError(`Cannot ${verb} the backup of "${path}"`, error);
  }
}
