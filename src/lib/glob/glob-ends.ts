/** The parts that all texts that fit a glob share; empty where none is known. */
export interface GlobEnds {
  /** Their first characters. */
  readonly prefix: string;
  /** Their last characters. */
  readonly suffix: string;
  /** A name between slashes. */
  readonly name: string;
}

const SPECIAL = /[*?[\]{}\\]/;
const SPECIALS = ['*', '}', '?', ']', '{', '[', '\\'];
const NAMED = /^\*\*\/([^*?[\]{}\\/]+)\//;

/** Finds the ends of a glob by looking at its text only, so that hundreds can be ruled out without compiling one. */
export function globEnds(glob: string): GlobEnds {
  const start = glob.search(SPECIAL);
  if (start < 0) return { prefix: glob.endsWith('/') ? glob.slice(0, -1) : glob, suffix: glob, name: '' };
  let end = 0;
  for (const char of SPECIALS) end = Math.max(end, glob.lastIndexOf(char) + 1);
  // A slash beside stars may be left out together with them.
  return {
    prefix: glob.slice(0, glob[start - 1] === '/' ? start - 1 : start),
    suffix: glob.slice(glob[end] === '/' ? end + 1 : end),
    name: start === 0 ? (NAMED.exec(glob)?.[1] ?? '') : '',
  };
}
