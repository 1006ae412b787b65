import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Headers, pack } from 'tar-stream';
import { archivePathProblem } from '../lib/archive-path.ts';
import { messageOf } from '../lib/message-of.ts';
import { BundleError } from './bundle-error.ts';

/** The largest archive, in bytes as it is sent. */
export const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;
/** The most that it may hold, the headers of its files included. */
const MAX_UNPACKED_BYTES = 96 * 1024 * 1024;
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Where the header of gzip has the number of the system that wrote it, and what stands for none. */
const GZIP_SYSTEM_AT = 9;
const NO_SYSTEM = 255;

/** A gzipped tar of files, the same bytes for the same files in the same order on every system. */
export async function packArchive(
  files: Iterable<readonly [path: string, content: Uint8Array]>,
): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of files)
    archive.entry({ name, mode: 0o644, mtime: new Date(0) }, Buffer.from(content));
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  const zipped = gzipSync(Buffer.concat(chunks), { level: 9 });
  zipped[GZIP_SYSTEM_AT] = NO_SYSTEM;
  return zipped;
}

/**
 * The files of a gzipped tar by path, in its order. Nothing is written anywhere.
 *
 * @throws BundleError if it is none, has more than fits, or anything but files whose paths stay in it
 */
export async function unpackArchive(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  if (bytes.length > MAX_ARCHIVE_BYTES) throw new BundleError('it is larger than 32 MiB');
  const files = new Map<string, Uint8Array>();
  const names = new Set<string>();
  try {
    const archive = extract();
    archive.end(unzipped(bytes));
    for await (const entry of archive) {
      const { name } = entry.header;
      const problem = problemOf(entry.header);
      if (problem !== undefined) throw new BundleError(`its file "${shown(name)}" ${problem}`);
      // Some systems take names that differ in this alone for one.
      const folded = name.normalize('NFC').toLowerCase();
      if (names.has(folded)) throw new BundleError(`it has two files "${shown(name)}"`);
      if (names.size >= MAX_FILES) throw new BundleError(`it has more than ${MAX_FILES} files`);
      names.add(folded);
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(chunk);
      files.set(name, Buffer.concat(chunks));
    }
  } catch (error) {
    throw error instanceof BundleError
      ? error
      : new BundleError(`it is no whole archive (${messageOf(error)})`, { cause: error });
  }
  return files;
}

function unzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new BundleError('it holds more than 96 MiB');
    throw error;
  }
}

function problemOf({ name, type, size = 0 }: Headers): string | undefined {
  if (type === 'symlink' || type === 'link') return 'is a link';
  if (type !== 'file') return 'is no regular file';
  if (size > MAX_FILE_BYTES) return 'is larger than 4 MiB';
  return archivePathProblem(name);
}

function shown(path: string): string {
  return path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, 200);
}
