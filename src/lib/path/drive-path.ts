/**
 * Paths of Windows inside the program have slashes and start at a drive in a capital letter, `C:/Users/me`, so that code for
 * paths with slashes also reads them.
 */

/** A drive, followed by either slash. */
const FROM_DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;
/**
 * Other spellings of a drive: `\\?\C:`, `//localhost/c$`, `/C:` of URLs, and `/c`, `/mnt/c` and `/cygdrive/c` of Unix shells,
 * also below `/proc`.
 */
const AS_DRIVE =
  /^(?:\/\/[?.]\/(?:unc\/)?)?(?:\/{0,2}(?:localhost|127\.0\.0\.1|wsl\.localhost\/[^/]+\/mnt)\/([a-z])\$?|\/(?:(?:mnt|(?:proc\/)?cygdrive)\/)?([a-z])|\/?([a-z]):)(?=\/|$)/i;
/** Folders at the root of a Windows drive; no system without drives has them. */
const OF_ROOT = /^\/(?:users|windows|program files(?: \(x86\))?|programdata)(?=\/|$)/i;

/** The letter of a path's drive, such as `C`; undefined if it has none. */
export function driveOf(path: string): string | undefined {
  return FROM_DRIVE.exec(path)?.[1]?.toUpperCase();
}

/** The drive of the folder, or else of the home. */
export function driveAt(folder: string | undefined, home: string | undefined): string | undefined {
  return driveOf(folder ?? '') ?? driveOf(home ?? '');
}

/** True if a path with slashes is absolute, with or without a drive. */
export function isRooted(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:(?:\/|$)/.test(path);
}

/** Rewrites the start of a path on Windows to the program's spelling. `drive` is the present one. */
export function driveStart(written: string, drive: string): string {
  const text = written.replaceAll('\\', '/');
  const found = AS_DRIVE.exec(text);
  const letter = found?.[1] ?? found?.[2] ?? found?.[3];
  if (found !== null && letter !== undefined)
    return `${letter.toUpperCase()}:${text.slice(found[0].length) || '/'}`;
  const unprefixed = text.replace(/^\/\/[?.]\/(?:unc\/)?/i, '//');
  if (OF_ROOT.test(text) || /^\\(?!\\)/.test(written)) return `${drive}:${unprefixed}`;
  // `C:name` is in the current folder of the drive.
  const [, other, rest = ''] = /^([A-Za-z]):([^/].*)$/s.exec(text) ?? [];
  if (other !== undefined) return other.toUpperCase() === drive ? rest : `${other.toUpperCase()}:/${rest}`;
  return unprefixed;
}

/** A glob that starts at a drive; a backslash there is no escape. */
export function driveGlob(glob: string): string {
  return /^[A-Za-z]:\\/.test(glob) ? glob.replaceAll('\\', '/') : glob;
}

/** An absolute path of Windows in the program's spelling; undefined for other paths of Windows. */
export function fromDrive(path: string): string | undefined {
  const drive = driveOf(path);
  return drive === undefined ? undefined : driveStart(path, drive);
}
