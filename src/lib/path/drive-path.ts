/**
 * Paths of Windows inside the program: with slashes, from a drive in a capital letter, `C:/Users/me`. So everything that knows
 * paths by their slashes knows them too.
 */

/** From a drive, with either slash. */
const FROM_DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;
/** The same as a drive: `\\?\C:`, `//localhost/c$`, `/C:` of URLs, and `/c`, `/mnt/c` and `/cygdrive/c`, also below `/proc`, of the shells that come from Unix. */
const AS_DRIVE =
  /^(?:\/\/[?.]\/(?:unc\/)?)?(?:\/{0,2}(?:localhost|127\.0\.0\.1|wsl\.localhost\/[^/]+\/mnt)\/([a-z])\$?|\/(?:(?:mnt|(?:proc\/)?cygdrive)\/)?([a-z])|\/?([a-z]):)(?=\/|$)/i;
/** Windows has these at the root of a drive; no system without drives has them. */
const OF_ROOT = /^\/(?:users|windows|program files(?: \(x86\))?|programdata)(?=\/|$)/i;

/** The letter of the drive that a path is on, such as `C`; undefined if it starts at none. */
export function driveOf(path: string): string | undefined {
  return FROM_DRIVE.exec(path)?.[1]?.toUpperCase();
}

/** The drive where paths of Windows are looked at: that of the folder, or of the home where the folder is on none. */
export function driveAt(folder: string | undefined, home: string | undefined): string | undefined {
  return driveOf(folder ?? '') ?? driveOf(home ?? '');
}

/** True if a path with slashes starts at a root, of a drive or of all there is. */
export function isRooted(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:(?:\/|$)/.test(path);
}

/** The start of a path on Windows in the spelling that the program knows. `drive` is where the path is looked at. */
export function driveStart(written: string, drive: string): string {
  const text = written.replaceAll('\\', '/');
  const found = AS_DRIVE.exec(text);
  const letter = found?.[1] ?? found?.[2] ?? found?.[3];
  if (found !== null && letter !== undefined)
    return `${letter.toUpperCase()}:${text.slice(found[0].length) || '/'}`;
  const unprefixed = text.replace(/^\/\/[?.]\/(?:unc\/)?/i, '//');
  if (OF_ROOT.test(text) || /^\\(?!\\)/.test(written)) return `${drive}:${unprefixed}`;
  // `C:name` is in the folder that the drive is at.
  const [, other, rest = ''] = /^([A-Za-z]):([^/].*)$/s.exec(text) ?? [];
  if (other !== undefined) return other.toUpperCase() === drive ? rest : `${other.toUpperCase()}:/${rest}`;
  return unprefixed;
}

/** A glob that starts at a drive: a backslash there is no escape. */
export function driveGlob(glob: string): string {
  return /^[A-Za-z]:\\/.test(glob) ? glob.replaceAll('\\', '/') : glob;
}

/** An absolute path of the machine in the spelling that the program knows; undefined for any other path of Windows. */
export function fromDrive(path: string): string | undefined {
  const drive = driveOf(path);
  return drive === undefined ? undefined : driveStart(path, drive);
}
