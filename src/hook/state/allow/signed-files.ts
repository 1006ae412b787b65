import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../lib/message-of.ts';
import { readPrivateFile, removeIfThere, sweepFiles, writePrivateFile } from '../private-file.ts';
import { findStateSubfolder, openStateSubfolder } from '../state-folder.ts';
import { createMachineKey, keyedDigest, SIGNED_FOLDER, writeWholeNew } from './machine-key.ts';

const MAX_FILE_BYTES = 64 * 1024;

/** The folders of signed files. A text that was signed for one of them counts in no other. */
export type SignedPart = 'refused' | 'granted' | 'used' | 'passed' | 'wrong';

/** JSON in files of the state folder, each signed with a key that lies beside them. All calls may throw. */
export interface SignedFiles {
  /** The content of a file; undefined if there is none. Throws if it is not as it was written. */
  read<T>(part: SignedPart, name: string): T | undefined;
  /** The contents of all files of a folder. Adds to `problems` why some of them do not count. */
  all<T>(part: SignedPart, problems?: string[]): readonly T[];
  write(part: SignedPart, name: string, value: unknown): void;
  /** Writes a file that must not be there; false if it is. Only one of several processes gets true. */
  writeNew(part: SignedPart, name: string, value: unknown): boolean;
  has(part: SignedPart, name: string): boolean;
  /** True if a folder has no file. */
  isEmpty(part: SignedPart): boolean;
  /** Deletes a file; says whether it was there. */
  remove(part: SignedPart, name: string): boolean;
  /** When something was last put into a folder or taken out, by the clock of the machine then; 0 if never. */
  changedMs(part: SignedPart): number;
  /** Deletes files that are too old to count, and the oldest beyond a number. */
  sweep(part: SignedPart, maxFiles: number, writtenAfterMs: number): void;
}

/** Nothing is made before something is written, and without anything written the key is not read. */
export function createSignedFiles(env: Readonly<Record<string, string | undefined>>): SignedFiles {
  const key = createMachineKey(env);
  const folderOf = (part: SignedPart) => `${SIGNED_FOLDER}/${part}`;
  const existing = (part: SignedPart) => findStateSubfolder(env, folderOf(part));
  const opened = (part: SignedPart) => openStateSubfolder(env, folderOf(part));
  const signed = (part: SignedPart, value: unknown): string => {
    const text = JSON.stringify(value);
    return `${keyedDigest(key.get(), part, text)}\n${text}`;
  };
  const readIn = <T>(folder: string, part: SignedPart, name: string): T | undefined => {
    const path = join(folder, name);
    const text = readPrivateFile(path, MAX_FILE_BYTES);
    if (text === undefined) return undefined;
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    const signing = key.find();
    if (signing === undefined || text.slice(0, end) !== keyedDigest(signing, part, body))
      throw new Error(`"${path}" is not signed with the key of this machine`);
    return JSON.parse(body) as T;
  };

  return {
    read: (part, name) => {
      const folder = existing(part);
      return folder === undefined ? undefined : readIn(folder, part, name);
    },
    all: <T>(part: SignedPart, problems: string[] = []) => {
      const folder = existing(part);
      if (folder === undefined) return [];
      return namesIn(folder).flatMap((name): readonly T[] => {
        try {
          const value = readIn<T>(folder, part, name);
          return value === undefined ? [] : [value];
        } catch (error) {
          problems.push(messageOf(error));
          return [];
        }
      });
    },
    write: (part, name, value) => {
      const text = signed(part, value);
      writePrivateFile(join(opened(part), name), text);
    },
    writeNew: (part, name, value) => {
      const text = signed(part, value);
      return writeWholeNew(join(opened(part), name), text);
    },
    has: (part, name) => {
      const folder = existing(part);
      return folder !== undefined && statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
    },
    isEmpty: (part) => {
      const folder = existing(part);
      return folder === undefined || namesIn(folder).length === 0;
    },
    remove: (part, name) => {
      const folder = existing(part);
      return folder !== undefined && removeIfThere(join(folder, name));
    },
    changedMs: (part) => {
      const folder = existing(part);
      return folder === undefined ? 0 : statSync(folder).mtimeMs;
    },
    sweep: (part, maxFiles, writtenAfterMs) => {
      const folder = existing(part);
      if (folder !== undefined) sweepFiles(folder, () => true, { maxFiles, sinceMs: writtenAfterMs });
    },
  };
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => !name.endsWith('.tmp'));
}
