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

/** Why a file or folder cannot be had, for messages. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  if (typeof code === 'string') return CAUSES[code] ?? `reading it failed with ${code}`;
  return messageOf(error);
}
