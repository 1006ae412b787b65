import { relative } from 'node:path';
import { organisationFiles } from '../../../language/policy/organisation.ts';
import { kindOf, readRealFile } from '../../../language/policy/source.ts';
import { sha256Hex } from '../../../lib/digest.ts';

/** A digest of an organisation's files: the same on all machines that have the same ones. Undefined where there are none. */
export function organisationDigest(folders: readonly string[]): string | undefined {
  const parts = folders
    .filter((folder) => kindOf(folder) === 'folder')
    .flatMap((folder) =>
      organisationFiles(folder).flatMap(({ path, real }) => {
        const read = readRealFile(real);
        return [relative(folder, path), read.ok ? read.text : read.cause];
      }),
    );
  return parts.length === 0 ? undefined : sha256Hex(parts);
}
