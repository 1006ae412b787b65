import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const GREP: ProgramSpec = {
  values:
    '-e,--regexp -f,--file -m,--max-count -A,--after-context -B,--before-context -C,--context --include --exclude --exclude-dir --exclude-from --label -d,--directories -D,--devices --binary-files',
  attached: '--color --colour',
  long: '--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --version --help --byte-offset --line-number --line-buffered --with-filename --no-filename --only-matching --quiet --silent --text --recursive --dereference-recursive --files-without-match --files-with-matches --count --initial-tab --null --unix-byte-offsets --binary',
  first: ['text'],
  firstUnless: '-e --regexp -f --file',
  rest: 'read',
  keepsQuiet: '-q -l -L -c --quiet --silent --files-with-matches --files-without-match --count',
  flags: { '-f': 'read', '--file': 'read', '--exclude-from': 'read', '--include': 'files' },
  recursive: '-r -R --recursive --dereference-recursive',
};

const RIPGREP: ProgramSpec = {
  values:
    '-e,--regexp -f,--file -m,--max-count -A,--after-context -B,--before-context -C,--context -g,--glob --iglob -t,--type -T,--type-not --type-add -j,--threads -M,--max-columns -d,--max-depth --maxdepth -r,--replace -E,--encoding --sort --sortr --ignore-file --pre --colors --color --engine --path-separator',
  first: ['text'],
  firstUnless: '-e --regexp -f --file --files --type-list',
  rest: 'read',
  keepsQuiet: '-q -l -c --quiet --files --files-with-matches --files-without-match --count --count-matches',
  // Of what it is to print the last counts.
  speaks: '--json --no-json',
  flags: {
    '-f': 'read',
    '--file': 'read',
    '--ignore-file': 'read',
    '--pre': 'execute',
    '-g': 'files',
    '--iglob': 'files',
  },
  recursive: true,
  fallback: '.',
};

const DUMP: ProgramSpec = { values: '-n -s -e -f', rest: 'read', flags: { '-f': 'read' } };

const SORT: ProgramSpec = {
  values:
    '-k,--key -t,--field-separator -S,--buffer-size -T,--temporary-directory -o,--output --parallel --batch-size --compress-program --files0-from --random-source --sort',
  rest: 'read',
  flags: { '-o': 'write', '--output': 'write', '--compress-program': 'execute', '--files0-from': 'read' },
};

const DIFF: ProgramSpec = {
  values:
    '-U,--unified -C,--context -I -x,--exclude -X,--exclude-from -W,--width -F --label -S --to-file --from-file',
  rest: 'read',
  recursive: '-r --recursive',
};

const YQ: ProgramSpec = {
  values: '-o,--output-format -p,--input-format -I,--indent',
  first: ['text'],
  rest: 'read',
};

/** Programs that read text and print it changed. */
export const TEXT_PROGRAMS: ProgramTable = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  zcat: { rest: 'read' },
  bzcat: { rest: 'read' },
  xzcat: { rest: 'read' },
  zstdcat: { rest: 'read' },
  zless: { rest: 'read' },
  rg: RIPGREP,
  ag: { ...RIPGREP, values: '-A -B -C -G -m --ignore --depth -p,--path-to-ignore -W' },
  ack: { ...RIPGREP, values: '-A -B -C -m --type --ignore-dir --pager' },
  ugrep: { ...GREP, recursive: true },
  sort: SORT,
  gsort: SORT,
  uniq: { values: '-f,--skip-fields -s,--skip-chars -w,--check-chars', first: ['read', 'write'] },
  cut: { values: '-b,--bytes -c,--characters -d,--delimiter -f,--fields --output-delimiter', rest: 'read' },
  tr: { dashes: 'none', rest: 'text' },
  rev: { rest: 'read' },
  wc: { values: '--files0-from', rest: 'read', flags: { '--files0-from': 'read' } },
  nl: { values: '-b -d -f -h -i -l -n -s -v -w', rest: 'read' },
  fold: { values: '-w,--width', rest: 'read' },
  fmt: { values: '-w,--width -p,--prefix -g,--goal', rest: 'read' },
  expand: { values: '-t,--tabs', rest: 'read' },
  unexpand: { values: '-t,--tabs', rest: 'read' },
  column: {
    values:
      '-s,--separator -c,--output-width -o,--output-separator -N,--table-columns -R,--table-right -H,--table-hide -E -T -W -O -l',
    rest: 'read',
  },
  paste: { values: '-d,--delimiters', rest: 'read' },
  join: { values: '-1 -2 -a -v -e -o -t -j', rest: 'read' },
  comm: { rest: 'read' },
  diff: DIFF,
  colordiff: DIFF,
  diff3: { rest: 'read' },
  sdiff: { values: '-o,--output -w,--width', rest: 'read', flags: { '-o': 'write', '--output': 'write' } },
  vimdiff: { rest: 'read' },
  cmp: { values: '-n,--bytes -i,--ignore-initial', rest: 'read' },
  apply_patch: { first: ['text'] },
  applypatch: { first: ['text'] },
  patch: {
    values:
      '-p,--strip -i,--input -o,--output -d,--directory -r,--reject-file -D,--ifdef -B,--prefix -F,--fuzz -V,--version-control -Y -z,--suffix',
    first: ['write', 'read'],
    flags: {
      '-i': 'read',
      '--input': 'read',
      '-o': 'write',
      '--output': 'write',
      '-d': 'write',
      '--directory': 'write',
    },
    harmless: '--dry-run',
  },
  split: {
    values:
      '-a,--suffix-length -b,--bytes -C,--line-bytes -l,--lines -n,--number --additional-suffix --filter -t,--separator',
    first: ['read', 'write'],
  },
  csplit: { values: '-b,--suffix-format -f,--prefix -n,--digits', first: ['read'] },
  shuf: {
    values: '-n,--head-count -o,--output -i,--input-range --random-source',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write' },
  },
  strings: { values: '-n,--bytes -t,--radix -e,--encoding -s,--output-separator', rest: 'read' },
  xxd: { values: '-c -g -l -n -o -s -seek -len -cols -name', dashes: 'word', first: ['read', 'write'] },
  hexdump: DUMP,
  hd: DUMP,
  od: {
    values: '-A,--address-radix -j,--skip-bytes -N,--read-bytes -S,--strings -t,--format',
    attached: '-w,--width',
    rest: 'read',
  },
  base64: {
    values: '-w,--wrap -i --input -o,--output -b,--break',
    rest: 'read',
    flags: { '-i': 'read', '--input': 'read', '-o': 'write', '--output': 'write' },
  },
  base32: { values: '-w,--wrap', rest: 'read' },
  basenc: { values: '-w,--wrap', rest: 'read' },
  uudecode: { values: '-o', rest: 'read', flags: { '-o': 'write' } },
  uuencode: { first: ['read', 'text'] },
  iconv: {
    values: '-f,--from-code -t,--to-code -o,--output',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write' },
  },
  dos2unix: { values: '-c', rest: 'write' },
  unix2dos: { values: '-c', rest: 'write' },
  jq: {
    values:
      '-f,--from-file --tab --indent -L,--library-path --arg --argjson --slurpfile --rawfile --args --jsonargs',
    first: ['text'],
    firstUnless: '-f --from-file',
    rest: 'read',
    flags: { '-f': 'read', '--from-file': 'read' },
  },
  yq: { ...YQ, subcommands: { e: YQ, eval: YQ, ea: YQ, 'eval-all': YQ } },
  dasel: { values: '-f,--file -r,--read -w,--write -s,--selector', flags: { '-f': 'read' }, rest: 'text' },
  xmllint: {
    values: '--xpath --schema -o,--output',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write' },
  },
  csvcut: { values: '-c -d', rest: 'read' },
  pandoc: {
    values: '-o,--output -f,--from -t,--to',
    rest: 'read',
    flags: { '-o': 'write', '--output': 'write' },
  },
  look: { values: '-t,--terminate', first: ['text', 'read'] },
  tsort: { rest: 'read' },
  sponge: { rest: 'write' },
  ts: { rest: 'text' },
  pv: { values: '-L -s -N -i -B', rest: 'read' },
  ed: { rest: 'edit' },
  ex: { values: '-c', rest: 'edit' },
  vim: {
    values: '-c --cmd -u -U -S -w -W -T -i',
    rest: 'edit',
    flags: { '-S': 'execute', '-u': 'execute', '-w': 'append', '-W': 'write' },
  },
  vi: { values: '-c -u', rest: 'edit' },
  nvim: {
    values: '-c --cmd -u -l -S',
    rest: 'edit',
    flags: { '-S': 'execute', '-u': 'execute', '-l': 'execute' },
  },
  nano: { values: '-T -r -s -Y', rest: 'edit' },
  emacs: {
    values: '--eval,-eval,--execute,-execute --load,-load,-l -f,--funcall,-funcall',
    dashes: 'word',
    rest: 'edit',
  },
  micro: { values: '-config-dir', dashes: 'word', rest: 'edit' },
};
