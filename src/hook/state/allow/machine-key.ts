import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../lib/message-of.ts';
import { readPrivateFile, removeIfThere } from '../private-file.ts';
import { findStateSubfolder, openStateSubfolder } from '../state-folder.ts';

/** The folder of the key and of the files signed with it; self-protection keeps agents from reading it. */
export const SIGNED_FOLDER = 'allow';
const KEY_FILE = 'key';
const KEY_BYTES = 32;
const MAX_FILE_BYTES = 1_024;

/** The secret of this machine for one user. Both may throw. */
export interface MachineKey {
  /** Undefined if there is none yet. */
  find(): Uint8Array | undefined;
  /** Makes one if there is none. */
  get(): Uint8Array;
}

export function createMachineKey(env: Readonly<Record<string, string | undefined>>): MachineKey {
  let key: Uint8Array | undefined;
  const find = (): Uint8Array | undefined => {
    if (key !== undefined) return key;
    const folder = findStateSubfolder(env, SIGNED_FOLDER);
    key = folder === undefined ? undefined : keyIn(folder);
    return key;
  };
  return {
    find,
    get: () => {
      key = find() ?? makeKey(openStateSubfolder(env, SIGNED_FOLDER));
      return key;
    },
  };
}

/** A digest that nobody without the key can make or check; `use` keeps one purpose of the key from another. */
export function keyedDigest(key: Uint8Array, use: string, text: string): string {
  return new Bun.CryptoHasher('sha256', key).update(`${use}\n${text}`).digest('hex');
}

function keyIn(folder: string): Uint8Array | undefined {
  const path = join(folder, KEY_FILE);
  const text = readPrivateFile(path, MAX_FILE_BYTES);
  if (text === undefined) return undefined;
  const key = bytesOf(text);
  if (key?.length !== KEY_BYTES) throw new Error(`"${path}" is not a key; delete it to begin anew`);
  return key;
}

/** Undefined if a text is not made of hex digits. `Buffer` would have to load how it reads any encoding. */
function bytesOf(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromHex(text.trim());
  } catch {
    return undefined;
  }
}

/** Of processes that make it at once, the first one's stays. */
function makeKey(folder: string): Uint8Array {
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  if (writeWholeNew(join(folder, KEY_FILE), made.toString('hex'))) return made;
  const there = keyIn(folder);
  if (there === undefined) throw new Error(`"${join(folder, KEY_FILE)}" comes and goes`);
  return there;
}

/** Writes a file that must not be there; false if it is. Who reads it sees all of it. */
export function writeWholeNew(path: string, text: string): boolean {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeIfThere(temporary);
  }
}
