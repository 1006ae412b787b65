import type { ProgramSpec, ProgramTable } from './program-spec.ts';
import type { WrapperSpec } from './wrapper-spec.ts';

const SHELL: ProgramSpec = { values: '-o -O --rcfile,--init-file +o +O', attached: '', stops: true };

const PARALLEL: ProgramSpec = {
  values:
    '-a,--arg-file -C,--colsep -d,--delimiter -I -J,--profile -j,-P,--jobs,--max-procs -L -n,--max-args -N,--max-replace-args -s,--max-chars -S,--sshlogin --sshloginfile --joblog --results --tmpdir --tempdir --timeout --delay --retries --halt --load --memfree --nice --wd --workdir --env --basefile --return --trc --transferfile --tagstring --block --recstart --recend --shuf-seed --limit --semaphore-name --shell-quote-n',
  stops: true,
};

const AWK: ProgramSpec = {
  values: '-f,--file -v,--assign -F,--field-separator -e,--source -i,--include -l,--load -E,--exec -W',
  stops: true,
  first: ['text'],
  firstUnless: '-f --file -e --source',
  rest: 'read',
  flags: { '-f': 'execute', '-i': 'execute', '-E': 'execute' },
  output: 'made',
};

/** Modules that are loaded before the program. */
const LOADS: ProgramSpec['flags'] = {
  '-r': 'module',
  '--require': 'module',
  '--import': 'module',
  '--loader': 'module',
};

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
  yash: SHELL,
  posh: SHELL,
  elvish: SHELL,
  nu: SHELL,
  xonsh: SHELL,
  fish: { values: '-c,--command -C,--init-command -d -o -f -p', stops: true },
  csh: SHELL,
  tcsh: SHELL,
  pwsh: { dashes: 'none' },
  powershell: { dashes: 'none' },
  cmd: { dashes: 'none' },
  su: { values: '-c,--command -s,--shell -g,--group -G,--supp-group -w,--whitelist-environment' },
  runuser: { values: '-c,--command -s,--shell -g,--group -G,--supp-group -u,--user -w' },
  python: { values: '-c -m -W -X -Q --check-hash-based-pycs', ends: '-c -m', stops: true },
  py: { values: '-c -m -W -X', ends: '-c -m', stops: true },
  pypy: { values: '-c -m -W -X', ends: '-c -m', stops: true },
  ipython: { values: '-c -m', ends: '-c -m', stops: true },
  node: {
    values:
      '-e,--eval -p,--print -pe -r,--require --import --loader --experimental-loader -C,--conditions --env-file --title --icu-data-dir --input-type --max-old-space-size --inspect-port --watch-path',
    flags: LOADS,
    dashes: 'word',
    stops: true,
  },
  nodejs: {
    values: '-e,--eval -p,--print -pe -r,--require --import --loader --env-file --input-type',
    flags: LOADS,
    dashes: 'word',
    stops: true,
  },
  deno: {
    values: '-c,--config --import-map --lock --cert -L,--log-level --location --seed --env-file',
    network: { download: 'add cache install outdated update upgrade', upload: 'deploy publish' },
    offline: '--cached-only --no-remote',
    subcommands: {
      eval: { values: '--ext' },
      run: {
        stops: true,
        values: '-c,--config --import-map --lock --env-file',
        same: '-A,--allow-all -N,--allow-net -R,--allow-read -W,--allow-write -E,--allow-env -r,--reload -q,--quiet',
        network: { download: 'http://* https://* npm:* jsr:*' },
      },
    },
  },
  tsx: { values: '-e,--eval --tsconfig', stops: true },
  'ts-node': {
    dashes: 'word',
    values: '-e,--eval -p,--print -pe -P,--project -r,--require',
    flags: LOADS,
    stops: true,
  },
  perl: { values: '-e -E -I -M -m -F', attached: '-i -C -D -V -x', stops: true },
  ruby: { values: '-e -I -r -C -E -F -S', flags: { '-r': 'module' }, attached: '-i -x', stops: true },
  irb: { values: '-r -I', stops: true },
  php: { values: '-r -f -d -c -B -R -E -F -S -t -z', stops: true },
  lua: { values: '-e -l', stops: true },
  luajit: { values: '-e -l -j -O -b', stops: true },
  Rscript: { values: '-e', stops: true },
  R: { values: '-e -f -g' },
  julia: {
    values: '-e,--eval -E,--print -L,--load -p,--procs -t,--threads --project',
    stops: true,
    first: ['execute'],
    firstUnless: '-e --eval -E --print',
  },
  osascript: { values: '-e -l', stops: true, first: ['execute'], firstUnless: '-e' },
  tclsh: { stops: true, first: ['execute'] },
  wish: { stops: true, first: ['execute'] },
  expect: { values: '-c -f', stops: true, first: ['execute'], firstUnless: '-c', flags: { '-f': 'execute' } },
  groovy: { values: '-e -cp', stops: true, first: ['execute'], firstUnless: '-e' },
  kotlinc: { values: '-e -cp', stops: true },
  sbcl: { values: '--eval --load', dashes: 'word' },
  clojure: { values: '-e -M -X', dashes: 'word', stops: true },
  bb: { values: '-e -f', stops: true },
  ocaml: { values: '-e -I', dashes: 'word', stops: true, first: ['execute'], firstUnless: '-e' },
  nim: { subcommands: { r: { stops: true, first: ['execute'] } }, stops: true },
  runhaskell: { stops: true, first: ['execute'] },
  runghc: { stops: true, first: ['execute'] },
  gnuplot: { values: '-e', stops: true },
  scala: { values: '-e -cp', stops: true, first: ['execute'], firstUnless: '-e' },
  elixir: { values: '-e,--eval -r -S', stops: true, first: ['execute'], firstUnless: '-e --eval -S' },
  erl: { values: '-eval -s', dashes: 'word' },
  jshell: {},
  swift: { values: '-e', stops: true, first: ['module'], firstUnless: '-e' },
  ghc: { values: '-e' },
  racket: { values: '-e,--eval -f -t -l' },
  guile: { values: '-c -s -l', stops: true, first: ['execute'], firstUnless: '-c' },
  sqlite3: { values: '-cmd -init -separator', dashes: 'word', first: ['edit'], rest: 'text' },
  duckdb: { values: '-c -s -cmd', dashes: 'word', first: ['edit'] },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  goawk: AWK,
  'original-awk': AWK,
  sed: {
    values: '-e,--expression -f,--file -l,--line-length',
    attached: '-i,--in-place',
    long: '--quiet --silent --debug --follow-symlinks --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --help --version',
    first: ['text'],
    firstUnless: '-e --expression -f --file',
    flags: { '-f': 'read', '--file': 'read' },
  },
  find: { dashes: 'none' },
  gfind: { dashes: 'none' },
  bfs: { dashes: 'none' },
  fd: {
    values:
      '-e,--extension -E,--exclude -t,--type -d,--max-depth --min-depth --exact-depth -S,--size --changed-within --changed-before -o,--owner -c,--color -j,--threads --base-directory --path-separator --search-path -x,--exec -X,--exec-batch',
  },
  fdfind: {
    values:
      '-e,--extension -E,--exclude -t,--type -d,--max-depth --min-depth -S,--size -c,--color -j,--threads -x,--exec -X,--exec-batch',
  },
  xargs: {
    values:
      '-a,--arg-file -d,--delimiter -E -I -L,--max-lines -n,--max-args -P,--max-procs -s,--max-chars --process-slot-var -R -S -J',
    attached: '-i,--replace -l -e,--eof',
    stops: true,
    flags: { '-a': 'read', '--arg-file': 'read' },
  },
  parallel: PARALLEL,
  sem: PARALLEL,
  env_parallel: PARALLEL,
  rush: PARALLEL,
  'git-shell': { values: '-c' },
};

/** A wrapper's own flags in the form of a table: they end at the first operand. */
export function wrapperFlags(spec: WrapperSpec): ProgramSpec {
  return {
    stops: true,
    ...(spec.values === undefined && spec.script === undefined
      ? {}
      : { values: [spec.values, spec.script].filter((flags) => flags !== undefined).join(' ') }),
    ...(spec.pairs === undefined ? {} : { pairs: spec.pairs }),
    ...(spec.attached === undefined ? {} : { attached: spec.attached }),
    ...(spec.dashes === undefined ? {} : { dashes: spec.dashes }),
  };
}
