import { codeOf, messageOf } from '../../../lib/message-of.ts';

export const NOT_REGULAR = 'it is not a regular file';

export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'it is a link',
  EISDIR: 'it is a folder',
  ENXIO: NOT_REGULAR,
};

const WRITE_CAUSES: Readonly<Record<string, string>> = {
  ...CAUSES,
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  EACCES: 'writing it is not permitted',
  EPERM: 'writing it is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
};

/** Why a file or folder cannot be had, for messages. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  if (typeof code === 'string') return CAUSES[code] ?? `reading it failed with ${code}`;
  return messageOf(error);
}

/** Why a file cannot be written, or a folder made. */
export function whyUnwritable(error: unknown): string {
  const code = codeOf(error);
  if (typeof code === 'string') return WRITE_CAUSES[code] ?? `writing it failed with ${code}`;
  return messageOf(error);
}
