import type { ProgramSpec, ProgramTable } from './program-spec.ts';
import type { WrapperSpec } from './wrapper-programs.ts';

const SHELL: ProgramSpec = { values: '-o -O --rcfile --init-file +o +O', attached: '', stops: true };

/** Programs that run code: shells and interpreters. What they run is in their readers. */
export const RUNNER_PROGRAMS: ProgramTable = {
  sh: SHELL,
  bash: SHELL,
  dash: SHELL,
  ash: SHELL,
  zsh: SHELL,
  ksh: SHELL,
  mksh: SHELL,
  rbash: SHELL,
  fish: { values: '-c --command -C --init-command -d -o -f -p', stops: true },
  csh: SHELL,
  tcsh: SHELL,
  pwsh: { dashes: 'none' },
  powershell: { dashes: 'none' },
  cmd: { dashes: 'none' },
  su: { values: '-c --command -s --shell -g --group -G --supp-group -w --whitelist-environment' },
  runuser: { values: '-c --command -s --shell -g --group -G --supp-group -u --user -w' },
  python: { values: '-c -m -W -X -Q --check-hash-based-pycs', stops: true },
  pypy: { values: '-c -m -W -X', stops: true },
  ipython: { values: '-c -m', stops: true },
  node: {
    values:
      '-e --eval -p --print -r --require --import --loader --experimental-loader -C --conditions --env-file --title --icu-data-dir --input-type --max-old-space-size --inspect-port --watch-path',
    stops: true,
  },
  nodejs: {
    values: '-e --eval -p --print -r --require --import --loader --env-file --input-type',
    stops: true,
  },
  deno: {
    values: '-c --config --import-map --lock --cert -L --log-level --location --seed --env-file',
    subcommands: {
      eval: { values: '--ext' },
      run: { stops: true, values: '-c --config --import-map --lock --env-file' },
    },
  },
  tsx: { values: '-e --eval --tsconfig', stops: true },
  'ts-node': { values: '-e --eval -p --print -P --project -r --require', stops: true },
  perl: { values: '-e -E -I -M -m -F', attached: '-i -C -D -V -x', stops: true },
  ruby: { values: '-e -I -r -C -E -F -S', attached: '-i -x', stops: true },
  irb: { values: '-r -I', stops: true },
  php: { values: '-r -f -d -c -B -R -E -F -S -t -z', stops: true },
  lua: { values: '-e -l', stops: true },
  luajit: { values: '-e -l -j -O -b', stops: true },
  Rscript: { values: '-e', stops: true },
  R: { values: '-e -f -g' },
  julia: { values: '-e -E --eval --print -L --load -p -t --project', stops: true },
  osascript: { values: '-e -l', stops: true },
  tclsh: { stops: true },
  groovy: { values: '-e -cp', stops: true },
  scala: { values: '-e -cp', stops: true },
  elixir: { values: '-e -r -S', stops: true },
  erl: { values: '-eval -s -noshell', dashes: 'word' },
  jshell: {},
  swift: { values: '-e', stops: true },
  ghc: { values: '-e' },
  racket: { values: '-e -f -t -l' },
  guile: { values: '-c -s -l', stops: true },
  sqlite3: { values: '-cmd -init -separator', dashes: 'word', first: ['write'], rest: 'text' },
  duckdb: { values: '-c -s -cmd', dashes: 'word', first: ['write'] },
  awk: {
    values: '-f --file -v --assign -F --field-separator',
    stops: true,
    first: ['text'],
    firstUnless: '-f --file',
    rest: 'read',
    flags: { '-f': 'execute', '--file': 'execute' },
  },
  gawk: {
    values: '-f --file -v --assign -F --field-separator -e --source -i --include -l --load -E --exec',
    stops: true,
    first: ['text'],
    firstUnless: '-f --file -e --source',
    rest: 'read',
    flags: { '-f': 'execute', '--file': 'execute' },
  },
  mawk: {
    values: '-f -v -F -W',
    stops: true,
    first: ['text'],
    firstUnless: '-f',
    rest: 'read',
    flags: { '-f': 'execute' },
  },
  nawk: {
    values: '-f -v -F',
    stops: true,
    first: ['text'],
    firstUnless: '-f',
    rest: 'read',
    flags: { '-f': 'execute' },
  },
  sed: {
    values: '-e --expression -f --file -l --line-length',
    attached: '-i --in-place',
    long: '--quiet --silent --debug --follow-symlinks --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --help --version',
    first: ['text'],
    firstUnless: '-e --expression -f --file',
    flags: { '-f': 'read', '--file': 'read' },
  },
  find: { dashes: 'none' },
  gfind: { dashes: 'none' },
  fd: {
    values:
      '-e --extension -E --exclude -t --type -d --max-depth --min-depth --exact-depth -S --size --changed-within --changed-before -o --owner -c --color -j --threads --base-directory --path-separator --search-path -g -x --exec -X --exec-batch',
  },
  fdfind: {
    values:
      '-e --extension -E --exclude -t --type -d --max-depth --min-depth -S --size -c --color -j --threads -x --exec -X --exec-batch',
  },
  xargs: {
    values:
      '-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars --process-slot-var -R -S -J',
    attached: '-i --replace -l -e --eof',
    stops: true,
    flags: { '-a': 'read', '--arg-file': 'read' },
  },
  parallel: {
    values:
      '-a --arg-file -C --colsep -d --delimiter -I -J --profile -j --jobs --max-procs -P -L -n --max-args -N --max-replace-args -s --max-chars -S --sshlogin --sshloginfile --joblog --results --tmpdir --tempdir --timeout --delay --retries --halt --load --memfree --nice --wd --workdir --env --basefile --return --trc --transferfile --tagstring --block --recstart --recend --shuf-seed --limit --semaphore-name --shell-quote-n',
    stops: true,
  },
  'git-shell': { values: '-c' },
};

/** A wrapper's own flags in the form of a table: they end at the first operand. */
export function wrapperFlags(spec: WrapperSpec): ProgramSpec {
  return {
    stops: true,
    ...(spec.values === undefined && spec.script === undefined
      ? {}
      : {
          values: [spec.values, spec.script].filter((flags) => flags !== undefined && flags !== '').join(' '),
        }),
    ...(spec.attached === undefined ? {} : { attached: spec.attached }),
    ...(spec.dashes === undefined ? {} : { dashes: spec.dashes }),
  };
}
