import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const RUNS: ProgramSpec = { stops: true };
/** Runners that fetch what they are to run unless it is there. */
const FETCHES_AND_RUNS: ProgramSpec = {
  stops: true,
  network: 'download',
  offline: '--no-install --no --offline -h -v',
};
const REGISTRY: ProgramSpec['flags'] = {
  '--registry': 'connect',
  '--proxy': 'connect',
  '--https-proxy': 'connect',
};
const NODE_SUBCOMMANDS: ProgramSpec['subcommands'] = {
  config: { rest: 'url' },
  cache: {},
  run: RUNS,
  'run-script': RUNS,
  dlx: RUNS,
  exec: RUNS,
  x: RUNS,
  owner: {},
  access: {},
  token: {},
  team: {},
  org: {},
  profile: {},
  // `init NAME` fetches what sets a project up.
  init: { network: { download: '*' } },
};
const ASKS = 'audit deprecate dist-tag info login logout outdated ping search show unpublish view v whoami';
const NPM: ProgramSpec = {
  values:
    '-C,--prefix --registry --proxy --https-proxy -w,--workspace --loglevel --tag --otp --cache --userconfig --globalconfig -m,--message -c,--call --location --omit --include',
  same: '-a,--all -B,--save-bundle -D,--save-dev -E,--save-exact -f,--force -g,--global -l,--long -O,--save-optional -p,--parseable -P,--save-prod -S,--save -y,--yes',
  flags: REGISTRY,
  offline: '--offline',
  network: {
    download:
      'add ci cit clean-install clean-install-test create dedupe exec i ic in innit install install-ci-test install-clean install-test isntall it sit up update upgrade x',
    upload: 'publish',
    connect: `${ASKS} access adduser doctor org owner profile star team token unstar`,
  },
  subcommands: NODE_SUBCOMMANDS,
};
const PNPM: ProgramSpec = {
  values:
    '-C,--dir -F,--filter --registry --proxy --https-proxy --loglevel --tag --otp --store-dir --lockfile-dir --config',
  same: '-D,--save-dev,--dev -E,--save-exact -g,--global -O,--save-optional -P,--save-prod,--prod -r,--recursive -s,--silent -w,--workspace-root',
  flags: REGISTRY,
  offline: '--offline',
  network: {
    download: 'add create dlx fetch i import install self-update up update upgrade',
    upload: 'publish',
    connect: ASKS,
  },
  subcommands: NODE_SUBCOMMANDS,
};
const YARN: ProgramSpec = {
  values:
    '--cwd --registry --proxy --https-proxy --modules-folder --cache-folder --tag --otp --network-timeout',
  same: '-A,--all -D,--dev -E,--exact -O,--optional -P,--peer -T,--tilde -s,--silent',
  flags: REGISTRY,
  offline: '--offline -v -h',
  network: {
    download: '. add create dlx install up upgrade upgrade-interactive',
    upload: 'publish',
    connect: ASKS,
  },
  subcommands: {
    ...NODE_SUBCOMMANDS,
    global: { network: { download: 'add upgrade' } },
    npm: { network: { upload: 'publish', connect: 'audit info login logout tag whoami' } },
  },
};
const BUN_ADD: ProgramSpec = {
  values: '-c,--config --cwd --registry --cache-dir --backend --omit',
  same: '-d,-D,--dev,--development -E,--exact -f,--force -g,--global -p,--production -y,--yarn',
};

const PIP: ProgramSpec = {
  values:
    '-r,--requirement -c,--constraint -e,--editable -t,--target -i,--index-url,--pypi-url --extra-index-url --proxy --cert --client-cert --trusted-host -f,--find-links --python --prefix --root --src --log --cache-dir -d,--dest,--destination-directory -w,--wheel-dir -C,--config-settings --only-binary --no-binary --platform --python-version --timeout --retries --upgrade-strategy --report --exists-action',
  same: '-h,--help -I,--ignore-installed -l,--local -o,--outdated -q,--quiet -U,--upgrade -u,--uptodate -v,--verbose -V,--version -y,--yes',
  flags: {
    '-r': 'read',
    '-c': 'read',
    '-i': 'connect',
    '--extra-index-url': 'connect',
    '--proxy': 'connect',
    '-f': 'url',
  },
  offline: '--no-index',
  network: { download: 'install download wheel index search lock' },
  subcommands: { config: {}, cache: {} },
};

const UV_VALUES =
  '-p,--python --directory --project --config-file --cache-dir -i,--index-url --extra-index-url --index --default-index -f,--find-links --with';
const UV: ProgramSpec = {
  values: UV_VALUES,
  same: '-n,--no-cache -q,--quiet -v,--verbose -U,--upgrade',
  flags: {
    '-i': 'connect',
    '--extra-index-url': 'connect',
    '--index': 'connect',
    '--default-index': 'connect',
    '-f': 'url',
  },
  offline: '--offline --no-index',
  network: { download: 'sync add lock', upload: 'publish' },
  subcommands: {
    pip: {
      values: `${UV_VALUES} -r,--requirement,--requirements -c,--constraint,--constraints -e,--editable --target --prefix`,
      flags: { '-r': 'read', '-c': 'read' },
      network: { download: 'install sync compile' },
    },
    tool: {
      network: { download: 'install upgrade run' },
      subcommands: { run: { stops: true, values: '--from --with -p,--python' } },
    },
    run: {
      stops: true,
      values:
        '--with -p,--python --env-file --directory --project --extra --group --package --with-requirements',
    },
    python: { network: { download: 'install' } },
    cache: {},
  },
};

const CONDA: ProgramSpec = {
  values: '-n,--name -p,--prefix -c,--channel -f,--file',
  flags: { '-c': 'url', '-f': 'read' },
  offline: '--offline',
  network: { download: 'install create update upgrade search' },
  subcommands: {
    run: { stops: true, values: '-n,--name -p,--prefix --cwd' },
    env: { network: { download: 'create update' } },
    config: {},
  },
};

/** Package managers and build tools of programming languages. */
export const PACKAGE_PROGRAMS: ProgramTable = {
  npm: NPM,
  pnpm: PNPM,
  yarn: YARN,
  bun: {
    values:
      '--cwd -c,--config --env-file -F,--filter -r,--preload --registry --backend -e,--eval -p,--print -d,--define -l,--loader --port --outdir --outfile --target',
    flags: REGISTRY,
    network: {
      download: 'a add c create i install update upgrade x',
      upload: 'publish',
      connect: 'audit outdated',
    },
    subcommands: {
      ...NODE_SUBCOMMANDS,
      a: BUN_ADD,
      add: BUN_ADD,
      i: BUN_ADD,
      install: BUN_ADD,
      update: BUN_ADD,
    },
  },
  corepack: { network: { download: 'install prepare use up' } },
  npx: { ...FETCHES_AND_RUNS, values: '-p,--package -c,--call -w,--workspace', same: '-y,--yes' },
  bunx: { ...FETCHES_AND_RUNS, values: '-p,--package' },
  pnpx: FETCHES_AND_RUNS,
  uvx: { ...FETCHES_AND_RUNS, values: '--from --with -p,--python' },
  pip: PIP,
  pipx: {
    values: '--python --spec -i,--index-url --pip-args --suffix',
    flags: { '-i': 'connect' },
    network: { download: 'install inject upgrade upgrade-all reinstall reinstall-all run' },
    subcommands: { run: { stops: true, values: '--spec --python' } },
  },
  uv: UV,
  poetry: {
    values: '-C,--directory -P,--project -r,--repository -u,--username -p,--password',
    network: { download: 'install add update lock search', upload: 'publish' },
    subcommands: {
      run: RUNS,
      config: {},
      cache: {},
      env: {},
      source: {},
      self: { network: { download: 'add update' } },
    },
  },
  pipenv: {
    values: '--python -i,--index',
    network: { download: 'install update upgrade sync lock' },
    subcommands: { run: RUNS },
  },
  pdm: {
    values: '-p,--project',
    network: { download: 'install add update sync lock', upload: 'publish' },
    subcommands: { run: RUNS },
  },
  hatch: {
    values: '-e,--env',
    network: { upload: 'publish' },
    subcommands: { run: RUNS, env: { network: { download: 'create' } } },
  },
  conda: CONDA,
  mamba: CONDA,
  gem: {
    values: '-v,--version -i,--install-dir -s,--source -P,--trust-policy --host -p,--http-proxy',
    flags: { '-s': 'connect', '--host': 'connect', '-p': 'connect' },
    offline: '-l --local',
    network: {
      download: 'install update fetch outdated search',
      upload: 'push',
      connect: 'signin yank owner',
    },
  },
  bundle: {
    values: '--gemfile --path -j,--jobs --source',
    offline: '--local -v -h',
    network: { download: '. install update outdated add lock' },
    subcommands: { exec: RUNS, config: {} },
  },
  cargo: {
    values:
      '--manifest-path --target-dir -p,--package --bin --example -F,--features --target -j,--jobs --profile --config -Z --color --version --registry --index --token --path --git --branch --tag --rev --root',
    same: '-f,--force -q,--quiet -r,--release -v,--verbose -V,--version',
    flags: { '--index': 'connect', '--git': 'connect' },
    offline: '--offline --frozen',
    network: {
      download: 'install fetch update add search info',
      upload: 'publish',
      connect: 'yank owner login logout',
    },
    subcommands: {
      run: {
        values: '--manifest-path -p,--package --bin --example -F,--features --target --profile',
        same: '-q,--quiet -r,--release -v,--verbose',
        stops: false,
      },
    },
  },
  rustup: {
    values: '--toolchain --profile',
    network: { download: 'update upgrade install check' },
    subcommands: {
      toolchain: { network: { download: 'install add update' } },
      target: { network: { download: 'add install' } },
      component: { network: { download: 'add' } },
      override: {},
      self: { network: { download: 'update' } },
      default: {},
      run: RUNS,
    },
  },
  go: {
    values: '-C -o -p -tags -ldflags -gcflags -mod -run -bench -count -timeout -exec -toolexec -modfile',
    dashes: 'word',
    network: { download: 'get' },
    subcommands: {
      mod: {
        subcommands: { edit: {}, tidy: {}, download: {}, vendor: {} },
        network: { download: 'download tidy vendor' },
      },
      // `go install .` builds what is here, `go install PATH@VERSION` fetches it.
      install: { network: { download: '*@*' } },
      run: { stops: true, first: ['module'], network: { download: '*@*' } },
      env: {},
      tool: {},
      work: {},
    },
    flags: { '-o': 'write' },
  },
  composer: {
    values: '-d,--working-dir',
    network: {
      download: 'create-project i install outdated r require self-update search show u update upgrade',
    },
    subcommands: { global: { network: { download: 'install require update' } }, config: {}, exec: RUNS },
  },
  mvn: { values: '-f,--file -P -s,--settings -pl -am', dashes: 'word' },
  gradle: { values: '-p,--project-dir -b -x -I', subcommands: {} },
  gradlew: { values: '-p,--project-dir -b -x -I' },
  mvnw: { values: '-f,--file -P -s,--settings -pl -am', dashes: 'word' },
  make: {
    values: '-C,--directory -f,--file,--makefile -I,--include-dir -o,--old-file -W,--what-if -E,--eval',
    attached: '-j,--jobs -l,--load-average',
    same: '-B,--always-make -i,--ignore-errors -k,--keep-going -n,--just-print,--dry-run,--recon -s,--silent,--quiet -t,--touch',
    flags: { '-f': 'execute' },
  },
  gmake: {
    values: '-C,--directory -f,--file -I -o -W',
    attached: '-j,--jobs -l',
    flags: { '-f': 'execute' },
  },
  cmake: {
    values: '-S -B -G -D -T -A -C --build --install --prefix --target -t --config -j --preset --toolchain',
    flags: { '-B': 'write' },
  },
  ninja: { values: '-C -f -j -k -l -d -t' },
  just: { values: '-f,--justfile -d,--working-directory --set' },
  task: { values: '-t,--taskfile -d,--dir' },
  bazel: { values: '--config' },
  twine: {
    values: '-r,--repository --repository-url -u,--username -p,--password --config-file',
    flags: { '--repository-url': 'connect' },
    network: { upload: 'upload register' },
    subcommands: {
      upload: {
        values: '-r,--repository --repository-url -u,--username -p,--password --config-file -c,--comment',
        rest: 'read',
      },
    },
  },
  tsc: { values: '-p,--project --outDir -t,--target' },
  eslint: { values: '-c,--config --ext -f,--format -o,--output-file', rest: 'read', recursive: true },
  prettier: { values: '--config --parser', rest: 'read', recursive: true },
  jest: { values: '-c,--config -t,--testNamePattern', rest: 'text' },
  vitest: { values: '-c,--config -t,--testNamePattern', rest: 'text' },
  pytest: { values: '-k -m -c -p -n --cov --maxfail --tb -o --rootdir', rest: 'text' },
  tox: { values: '-e -c' },
  nox: { values: '-s -f' },
  ruff: { values: '--config', rest: 'text' },
  black: { values: '-l,--line-length -t,--target-version --config', rest: 'write' },
  mypy: { values: '--config-file -p,--package -m,--module', rest: 'read' },
};
