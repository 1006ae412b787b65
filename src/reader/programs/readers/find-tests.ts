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

/** Actions of find whose value is a file that is written. */
export const FIND_WRITES: ReadonlySet<string> = new Set(['-fls', '-fprint', '-fprint0', '-fprintf']);

/** Actions of find that run a command, up to `;` or `+`. */
export const FIND_RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Tests of find that choose files of a kind. */
export const FIND_KINDS: ReadonlySet<string> = new Set(['-type', '-xtype']);

/** Globs and regexes that every path fits. */
const ANY_GLOB = /^(?:\.{1,2}(?=\/))?(?=[?/]*\*)[*?/]+$/;
const ANY_REGEX = /^\^?(?:\\?\.)?\/?(?:\.[*+]\/?)+\$?$/;

/** Tests of find whose value is a pattern, and what that is like if everything fits it. */
export const FIND_PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ...['-name', '-iname', '-path', '-ipath', '-wholename', '-iwholename'].map(
    (name) => [name, ANY_GLOB] as const,
  ),
  ['-regex', ANY_REGEX],
  ['-iregex', ANY_REGEX],
]);
