/** `-newerXY`: one time of a file against another of a file, or against a time that is written down. */
const NEWER = [...'aBcm'].flatMap((own) => [...'aBcmt'].map((other) => `-newer${own}${other}`));

/** Tests of find with a value that choose some files of all: what has a name, an age, a size, an owner. */
const CHOOSING =
  '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -uid -used -user -wholename -xattr -xattrname -Bmin -Btime -Bnewer';
/** What else takes a value. */
const OTHERS =
  '-flags -maxdepth -mindepth -printf -regextype -type -xtype -fls -fprint -fprint0 -files0-from';

/** Tests and actions of find that take values, and how many. Those not named take none. */
export const FIND_VALUES: ReadonlyMap<string, number> = new Map([
  ...[...`${CHOOSING} ${OTHERS}`.split(' '), ...NEWER].map((name) => [name, 1] as const),
  ['-fprintf', 2],
]);

/** Tests of find that choose some files of all. */
export const FIND_CHOOSES: ReadonlySet<string> = new Set([
  ...CHOOSING.split(' '),
  ...NEWER,
  ...'-empty -executable -false -nogroup -nouser -readable -writable'.split(' '),
]);

/** Globs and regexes that every path fits. */
const ANY_GLOB = /^(?:\.{1,2}(?=\/))?(?=[?/]*\*)[*?/]+$/;
const ANY_REGEX = /^\^?(?:\\?\.)?\/?(?:\.[*+]\/?)+\$?$/;

/** Is this the test of a pattern that every file fits? */
export function fitsAll(test: string, pattern: string): boolean {
  if (/^-i?regex$/.test(test)) return ANY_REGEX.test(pattern);
  return /^-i?(?:name|path|wholename)$/.test(test) && ANY_GLOB.test(pattern);
}
