const MAX_PATH_LENGTH = 1_024;
const MAX_SEGMENT_LENGTH = 200;

/** Why a file of an archive must not be written to where its path says, as what follows its name; undefined if it may. */
export function archivePathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return 'has too long a name';
  if (/[\p{Cc}\\:]/u.test(path)) return 'has characters in its name that not every system takes';
  const segments = path.split('/');
  if (path.startsWith('/') || segments.includes('..')) return 'leads out of it';
  if (segments.some((segment) => segment === '' || segment === '.' || segment.length > MAX_SEGMENT_LENGTH))
    return 'has no usual name';
  return undefined;
}
