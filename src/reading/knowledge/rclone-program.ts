import type { ProgramSpec, Role } from './program-spec.ts';

/** What switches a flag of rclone off. */
const OFF = 'false False FALSE f F 0';
const VALUES =
  '--config --transfers --checkers --exclude --include --filter --filter-from --files-from --bwlimit --log-file --log-level --max-age --min-age --max-size --min-size --exclude-from --include-from --backup-dir --suffix --compare-dest --copy-dest --stats';
const SAME = '-n,--dry-run -P,--progress -v,--verbose -q,--quiet -i,--interactive';
const BASE: ProgramSpec = {
  values: VALUES,
  help: '--help -h',
  same: SAME,
  off: OFF,
  looks: '-n --dry-run',
  scheme: 'rclone',
};

const COPY: ProgramSpec = { ...BASE, rest: 'from', last: 'to', recursive: true, spreads: true };
const THERE: ProgramSpec = { ...BASE, rest: 'remote' };

function words(names: string, spec: ProgramSpec): Readonly<Record<string, ProgramSpec>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, spec]));
}

const FROM: readonly Role[] = ['from'];

/** rclone: places are `remote:path`; what `:backend,host=h:path` names is in its reader. */
export const RCLONE: ProgramSpec = {
  ...BASE,
  subcommands: {
    ...words('copy copyto sync bisync move moveto', COPY),
    ...words(
      'about backend check checksum cleanup cryptcheck dedupe delete deletefile hashsum link ls lsd lsf lsjson lsl md5sum mkdir ncdu purge rmdir rmdirs serve settier sha1sum size touch tree',
      THERE,
    ),
    cat: { ...BASE, first: FROM },
    rcat: { ...BASE, rest: 'to' },
    copyurl: { ...BASE, first: ['download'], rest: 'to' },
    mount: { ...BASE, first: ['remote', 'list'] },
  },
};
