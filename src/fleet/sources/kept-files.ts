import { MAX_SOURCE_BYTES, MAX_SOURCE_FILES } from '../../hook/state/source-store.ts';
import { MAX_FILE_BYTES } from '../../language/policy/files/read-file.ts';
import { archiveEntryProblem, foldedPath, shownPath } from '../../lib/path/archive-path.ts';
import { SourceError } from './fetched.ts';

/** Policies, their tests, and the data that they name. */
const KEPT = /\.(?:ya?ml|json)$/;

/** Collects the files of a source that are kept, and refuses entries that no honest source has. */
export interface KeptFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /**
   * True if a file is kept; asked before its content is read.
   *
   * @param type `file`, or its other kind in the words of `tar-stream`
   * @throws SourceError if its path leads out of the source, it is no file, or there is too much of it
   */
  readonly wants: (path: string, type: string | null | undefined, bytes: number) => boolean;
  /** Takes a file that is wanted. */
  readonly take: (path: string, content: Uint8Array) => void;
}

export function createKeptFiles(): KeptFiles {
  const files = new Map<string, Uint8Array>();
  const names = new Set<string>();
  let count = 0;
  let bytesLeft = MAX_SOURCE_BYTES;
  return {
    files,
    wants(path, type, bytes) {
      if (!KEPT.test(path)) return false;
      const problem = archiveEntryProblem(path, type);
      if (problem !== undefined) throw new SourceError(`its file "${shownPath(path)}" ${problem}`);
      if (bytes > MAX_FILE_BYTES) throw new SourceError(`its file "${shownPath(path)}" is larger than 4 MiB`);
      count += 1;
      bytesLeft -= bytes;
      if (count > MAX_SOURCE_FILES)
        throw new SourceError(`it has more than ${MAX_SOURCE_FILES} policy and data files`);
      if (bytesLeft < 0) throw new SourceError('its policy and data files are larger than 64 MiB');
      return true;
    },
    take(path, content) {
      const folded = foldedPath(path);
      if (names.has(folded)) throw new SourceError(`it has two files "${shownPath(path)}"`);
      names.add(folded);
      if (!isText(content)) throw new SourceError(`its file "${shownPath(path)}" is not UTF-8 text`);
      files.set(path, content);
    },
  };
}

function isText(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
