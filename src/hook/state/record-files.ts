import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../lib/digest.ts';
import { isJsonObject, type JsonObject, own, parseJson } from '../../lib/json.ts';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { guarded } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const VERSION = 1;

/** A kind of record about files or folders of this machine. */
export interface RecordKind<T> {
  /** Below the state folder. */
  readonly subfolder: string;
  /** Clause for messages: `the trust in`. */
  readonly what: string;
  /** The key that holds the path. */
  readonly key: string;
  readonly maxBytes: number;
  /** Undefined for anything else than a record. */
  readonly read: (value: JsonObject) => T | undefined;
}

/** Records by path, each in a file of its own. Throws `StateError` if one cannot be read or kept. */
export interface RecordFiles<T> {
  find(path: string): T | undefined;
  /** All that can be read. */
  all(): readonly T[];
  /** When the record was written, in milliseconds since 1970; undefined if there is none. */
  writtenMs(path: string): number | undefined;
  /** @param verb for messages */
  keep(path: string, value: JsonObject, verb: string): void;
  /** Says whether there was a record. */
  remove(path: string, verb: string): boolean;
  /** The file of a record, whether it is there or not. */
  placeOf(path: string): string;
}

/** The folder is made when the first record is kept. */
export function createRecordFiles<T>(
  env: Readonly<Record<string, string | undefined>>,
  { subfolder, what, key, maxBytes, read }: RecordKind<T>,
): RecordFiles<T> {
  const existing = (path: string): string | undefined => {
    const folder = findStateSubfolder(env, subfolder);
    return folder === undefined ? undefined : join(folder, nameFor(path));
  };
  const placeOf = (path: string) => join(openStateSubfolder(env, subfolder), nameFor(path));
  const doing = <R>(verb: string, path: string, action: () => R): R =>
    guarded(`Cannot ${verb} ${what} "${path}"`, action);
  return {
    placeOf,
    find: (path) => {
      const place = existing(path);
      if (place === undefined) return undefined;
      return doing('read', path, () => {
        const text = readPrivateFile(place, maxBytes);
        if (text === undefined) return undefined;
        const value = parseJson(text);
        const isOurs = isJsonObject(value) && own(value, 'version') === VERSION && own(value, key) === path;
        const record = isOurs ? read(value) : undefined;
        if (record === undefined) throw new Error('it is not what was written');
        return record;
      });
    },
    all: () => {
      const folder = findStateSubfolder(env, subfolder);
      if (folder === undefined) return [];
      return doing('read', folder, () => readdirSync(folder)).flatMap((name) => {
        const value = parseJson(readIfPossible(join(folder, name), maxBytes) ?? '');
        const isOurs = isJsonObject(value) && own(value, 'version') === VERSION;
        return (isOurs ? read(value) : undefined) ?? [];
      });
    },
    writtenMs: (path) => {
      const place = existing(path);
      return place === undefined ? undefined : statSync(place, { throwIfNoEntry: false })?.mtimeMs;
    },
    keep: (path, value, verb) => {
      const place = placeOf(path);
      const text = JSON.stringify({ version: VERSION, [key]: path, ...value });
      doing(verb, path, () => writePrivateFile(place, text));
    },
    remove: (path, verb) => {
      const place = existing(path);
      return place !== undefined && doing(verb, path, () => removeIfThere(place));
    },
  };
}

/** One record that cannot be read says nothing of the others. */
function readIfPossible(place: string, maxBytes: number): string | undefined {
  try {
    return readPrivateFile(place, maxBytes);
  } catch {
    return undefined;
  }
}

function nameFor(path: string): string {
  return `${sha256Hex([path])}.json`;
}
