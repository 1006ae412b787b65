import { sha256Hex } from '../../../lib/digest.ts';
import { BUILD_INFO } from '../../generated/build-info.ts';
import type { Discovered } from '../files/discovery.ts';
import type { DataFile, ExtendedFile } from './program-text.ts';

/** The digest of the build and of all discovered files, but not of those that they extend. */
export function discoveredDigest({ found }: Discovered): string {
  const texts: string[] = [];
  const outline = found.map((item) => {
    if ('pack' in item) return ['pack', item.layer, item.pack];
    texts.push(item.text);
    return ['file', item.layer, item.root ?? null, item.path, item.file];
  });
  // One after the other: joined, large files would be in memory three times.
  return sha256Hex([BUILD_INFO.digest, JSON.stringify(outline), ...texts]);
}

/** The same with the extended files, and with the data files. */
export function digestWith(
  digest: string,
  extended: readonly ExtendedFile[],
  data: readonly DataFile[],
): string {
  if (extended.length === 0 && data.length === 0) return digest;
  return sha256Hex([
    digest,
    ...extended.flatMap((file) => [file.path, file.digest]),
    ...data.flatMap((file) => [file.at, file.state]),
  ]);
}
