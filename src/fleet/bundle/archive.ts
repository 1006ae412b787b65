import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { codeOf, messageOf } from '../../lib/message-of.ts';
import { archiveEntryProblem, foldedPath, shownPath } from '../../lib/path/archive-path.ts';
import { BundleError } from './bundle-error.ts';
import { bodyOf, request, statusError } from './request.ts';

/** The largest archive, in bytes as it is sent. */
export const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;
/** The most that it may hold, the headers of its files included. */
const MAX_UNPACKED_BYTES = 96 * 1024 * 1024;
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** The byte of gzip's header with the number of the system that wrote it, and the number for none. */
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

/** One of the files, links and folders of an archive, with its content. */
export interface ArchiveEntry {
  readonly path: string;
  /** In the words of `tar-stream`: `file`, `symlink`, `link`, `directory` and others. */
  readonly type: string | null | undefined;
  readonly content: Uint8Array;
}

/**
 * The files of a gzipped tar by path, in its order. Nothing is written anywhere.
 *
 * @throws BundleError if it is none, has more than fits, or anything but files whose paths stay in it
 */
export async function unpackArchive(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const names = new Set<string>();
  for await (const { path, type, content } of archiveEntries(bytes)) {
    const problem =
      content.length > MAX_FILE_BYTES ? 'is larger than 4 MiB' : archiveEntryProblem(path, type);
    if (problem !== undefined) throw new BundleError(`its file "${shownPath(path)}" ${problem}`);
    const folded = foldedPath(path);
    if (names.has(folded)) throw new BundleError(`it has two files "${shownPath(path)}"`);
    names.add(folded);
    files.set(path, content);
  }
  return files;
}

/**
 * All that is in a gzipped tar, in its order.
 *
 * @throws BundleError if it is none, or has more than fits
 */
export async function* archiveEntries(bytes: Uint8Array): AsyncGenerator<ArchiveEntry> {
  if (bytes.length > MAX_ARCHIVE_BYTES) throw new BundleError('it is larger than 32 MiB');
  let count = 0;
  try {
    const archive = extract();
    archive.end(unzipped(bytes));
    for await (const entry of archive) {
      count += 1;
      if (count > MAX_FILES) throw new BundleError(`it has more than ${MAX_FILES} files`);
      const { name, type, size } = entry.header;
      // For the end of these tar-stream would wait for ever.
      const isEndless =
        !Number.isSafeInteger(size) || Number(size) < 0 || (type === 'directory' && size !== 0);
      if (isEndless) throw new Error(`"${shownPath(name)}" has an odd size`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(chunk);
      yield { path: name, type, content: Buffer.concat(chunks) };
    }
  } catch (error) {
    throw error instanceof BundleError
      ? error
      : new BundleError(`the archive is not complete (${messageOf(error)})`, { cause: error });
  }
}

function unzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new BundleError('it holds more than 96 MiB');
    throw error;
  }
}

/** The cause for an archive that is too large. */
export const TOO_LARGE = 'it is larger than 32 MiB';

/**
 * Fetches an archive from https, or from http on this machine. It is not verified here.
 *
 * @throws BundleError if it cannot be had
 */
export async function fetchArchive(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await request(url, { signal });
  if (!response.ok) throw statusError(response);
  return bodyOf(response, MAX_ARCHIVE_BYTES, TOO_LARGE);
}
