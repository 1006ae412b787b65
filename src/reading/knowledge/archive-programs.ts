import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const PACK_IN_PLACE: ProgramSpec = {
  values: '-S,--suffix -T,--threads',
  rest: 'move',
  harmless: '-t --test -l --list',
};
const FROM_ARCHIVE: ProgramSpec = { dashes: 'word', first: ['read'], rest: 'text' };
const SEVEN_ZIP: ProgramSpec = {
  dashes: 'word',
  first: ['text', 'write'],
  rest: 'read',
  recursive: true,
  subcommands: { x: FROM_ARCHIVE, e: FROM_ARCHIVE, l: FROM_ARCHIVE, t: FROM_ARCHIVE },
};

/** Programs that pack and unpack. `tar` has its own reader. */
export const ARCHIVE_PROGRAMS: ProgramTable = {
  gzip: PACK_IN_PLACE,
  gunzip: PACK_IN_PLACE,
  pigz: PACK_IN_PLACE,
  unpigz: PACK_IN_PLACE,
  bzip2: PACK_IN_PLACE,
  bunzip2: PACK_IN_PLACE,
  xz: PACK_IN_PLACE,
  unxz: PACK_IN_PLACE,
  lzma: PACK_IN_PLACE,
  unlzma: PACK_IN_PLACE,
  lz4: { first: ['read', 'write'] },
  zstd: { values: '-o -D -T', rest: 'read', flags: { '-o': 'write', '-D': 'read' } },
  unzstd: { values: '-o -D', rest: 'read', flags: { '-o': 'write' } },
  compress: PACK_IN_PLACE,
  uncompress: PACK_IN_PLACE,
  brotli: { values: '-o -q -w', rest: 'read', flags: { '-o': 'write' } },
  zip: {
    values: '-b -i -n -O -P -s -t -tt -x -Z -TT,--unzip-command',
    first: ['write'],
    rest: 'read',
    recursive: '-r -R --recurse-paths',
  },
  unzip: {
    values: '-d -P -x',
    first: ['read'],
    rest: 'text',
    harmless: '-l -t -v -Z',
  },
  '7z': SEVEN_ZIP,
  '7za': SEVEN_ZIP,
  '7zz': SEVEN_ZIP,
  rar: { dashes: 'word', first: ['text', 'write'], rest: 'read', recursive: true },
  unrar: { dashes: 'word', first: ['text', 'read'] },
  ar: { dashes: 'none', first: ['text', 'write'], rest: 'read' },
  unar: { values: '-o', rest: 'read' },
};
