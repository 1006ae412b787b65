import { join } from 'node:path';
import {
  type ManagedRecord,
  parseManagedRecord,
  treeFolder,
} from '../../../language/policy/files/managed-record.ts';
import { MANAGED_FOLDER, MANAGED_RECORD } from '../../../language/policy/files/organisation.ts';
import { readRealFile } from '../../../language/policy/files/read-file.ts';

/** The last record of `policy sync` on this machine; undefined if nothing is managed. */
export function readRecord(): ManagedRecord | undefined {
  const read = readRealFile(join(MANAGED_FOLDER, MANAGED_RECORD));
  return read.ok ? parseManagedRecord(read.text) : undefined;
}

/** The folder with the files of the bundle in force, if there is one. */
export function managedFolders(): readonly string[] {
  const bundle = readRecord()?.bundle;
  return bundle === undefined ? [] : [join(MANAGED_FOLDER, ...treeFolder(bundle.digest))];
}
