/** The errors of the system that people meet, in words. */
const STATES: Readonly<Record<string, string>> = {
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this user',
  EROFS: 'the file system is read-only',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk does not answer',
};

/** The message of whatever was thrown, an error of the system in words, with its code and the path. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const state = typeof code === 'string' && 'syscall' in error ? STATES[code] : undefined;
  if (state === undefined) return error.message;
  return `${state} (${[code, ...('path' in error ? [error.path] : [])].join(' ')})`;
}

/** The code of an error of the system, as `ENOENT`; undefined if it has none. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
