/** Programs of GNU that go by their name behind a `g` where the system has others of that name. */
const GNU_PROGRAMS = new Set(
  'base32 base64 basenc cat chgrp chmod chown cp cut dd env head install ln ls mkdir mv nice nl nohup od paste rm rmdir shred stdbuf tac tail tar tee touch truncate unlink xargs'.split(
    ' ',
  ),
);

/** `grm`, `gdd`. */
export function isGnuName(name: string): boolean {
  return name.startsWith('g') && GNU_PROGRAMS.has(name.slice(1));
}
