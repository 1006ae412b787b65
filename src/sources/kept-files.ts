import { MAX_FILE_BYTES } from '../policy/source.ts';
import { MAX_SOURCE_BYTES, MAX_SOURCE_FILES } from '../state/source-store.ts';
import { SourceError } from './source-error.ts';

/** Policies, their tests, and the data that they name. */
const KEPT = /\.(?:ya?ml|json)$/;
const MAX_PATH_LENGTH = 1_024;
const MAX_SEGMENT_LENGTH = 200;

/** Collects the files of a source that are kept, and refuses what no honest source has. */
export interface KeptFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /**
   * Whether a file is kept, asked before its content is read.
   *
   * @throws SourceError if its path leads out of the source, it is a link, or there is too much of it
   */
  readonly wants: (path: string, type: 'file' | 'link', bytes: number) => boolean;
  /** Takes a file that is wanted. */
  readonly take: (path: string, content: Uint8Array) => void;
}

export function createKeptFiles(): KeptFiles {
  const files = new Map<string, Uint8Array>();
  let count = 0;
  let bytesLeft = MAX_SOURCE_BYTES;
  return {
    files,
    wants(path, type, bytes) {
      if (!KEPT.test(path)) return false;
      const problem = pathProblem(path);
      if (problem !== undefined) throw new SourceError(`its file "${shown(path)}" ${problem}`);
      if (type === 'link') throw new SourceError(`its file "${shown(path)}" is a link`);
      if (bytes > MAX_FILE_BYTES) throw new SourceError(`its file "${shown(path)}" is larger than 4 MiB`);
      count += 1;
      bytesLeft -= bytes;
      if (count > MAX_SOURCE_FILES)
        throw new SourceError(`it has more than ${MAX_SOURCE_FILES} policy and data files`);
      if (bytesLeft < 0) throw new SourceError('its policy and data files are larger than 64 MiB');
      return true;
    },
    take(path, content) {
      if (files.has(path)) throw new SourceError(`it has two files "${shown(path)}"`);
      if (!isText(content)) throw new SourceError(`its file "${shown(path)}" is not UTF-8 text`);
      files.set(path, content);
    },
  };
}

function pathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return 'has too long a name';
  if (/[\p{Cc}\\:]/u.test(path)) return 'has characters in its name that not every system takes';
  const segments = path.split('/');
  if (path.startsWith('/') || segments.includes('..')) return 'leads out of it';
  if (segments.some((segment) => segment === '' || segment === '.' || segment.length > MAX_SEGMENT_LENGTH))
    return 'has no usual name';
  return undefined;
}

function isText(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

function shown(path: string): string {
  return path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, MAX_SEGMENT_LENGTH);
}
