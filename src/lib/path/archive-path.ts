const MAX_PATH_LENGTH = 1_024;
const MAX_SEGMENT_LENGTH = 200;

/** Why an entry of an archive is no file that may be kept, worded to follow its name; undefined if it is one. */
export function archiveEntryProblem(path: string, type: string | null | undefined): string | undefined {
  if (type === 'symlink' || type === 'link') return 'is a link';
  return type === 'file' ? archivePathProblem(path) : 'is no regular file';
}

/** A path in a form that is equal for names that some system takes for one. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** A name as messages show it: nothing in it moves the cursor. */
export function shownPath(path: string): string {
  return path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, MAX_SEGMENT_LENGTH);
}

/** Why a file of an archive must not be written to its path, worded to follow its name; undefined if it may. */
export function archivePathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return 'has too long a name';
  if (/[\p{Cc}\\:]/u.test(path)) return 'has characters in its name that not every system takes';
  const segments = path.split('/');
  if (path.startsWith('/') || segments.includes('..')) return 'leads out of it';
  if (segments.some((segment) => segment === '' || segment === '.' || segment.length > MAX_SEGMENT_LENGTH))
    return 'has no usual name';
  return undefined;
}
