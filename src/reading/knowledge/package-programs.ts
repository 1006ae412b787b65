import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const NODE_MANAGER: ProgramSpec = {
  values:
    '--prefix --registry --workspace -w --filter -F --loglevel --tag --otp --cache --userconfig --cwd -C --dir',
  subcommands: {
    config: {},
    cache: {},
    run: { stops: true },
    'run-script': { stops: true },
    dlx: { stops: true },
    exec: { stops: true },
    x: { stops: true },
    owner: {},
    access: {},
    token: {},
    team: {},
    org: {},
    profile: {},
  },
};
const SYSTEM_MANAGER: ProgramSpec = {
  values: '-o -c -t --option --config-file --target-release --root --installroot --enablerepo --disablerepo',
};

/** Package managers and build tools: flags with values, so that their subcommands can be told. */
export const PACKAGE_PROGRAMS: ProgramTable = {
  npm: NODE_MANAGER,
  pnpm: NODE_MANAGER,
  yarn: NODE_MANAGER,
  bun: {
    ...NODE_MANAGER,
    values:
      '--cwd --config -c --env-file --filter -F --preload -r --registry --backend -e --eval -p --print --define -d --loader -l --port --outdir --outfile --target',
  },
  corepack: {},
  npx: { values: '-p --package -c --call -w --workspace', stops: true },
  bunx: { values: '-p --package', stops: true },
  pip: {
    values:
      '-r --requirement -c --constraint -e --editable -t --target -i --index-url --extra-index-url --proxy --cert --trusted-host -f --find-links --python --prefix --root --src --log --cache-dir -d --dest -w --wheel-dir',
    flags: {
      '-r': 'read',
      '--requirement': 'read',
      '-c': 'read',
      '--constraint': 'read',
      '-i': 'connect',
      '--index-url': 'connect',
      '--extra-index-url': 'connect',
    },
    subcommands: { config: {}, cache: {} },
  },
  pipx: {
    values: '--python --spec --index-url -i --pip-args --suffix',
    subcommands: { run: { stops: true, values: '--spec --python' } },
  },
  uv: {
    values: '--python -p --directory --project --config-file --cache-dir --index --default-index --with',
    subcommands: {
      pip: {},
      tool: { subcommands: { run: { stops: true, values: '--from --with --python -p' } } },
      run: {
        stops: true,
        values:
          '--with --python -p --env-file --directory --project --extra --group --package --with-requirements',
      },
      python: {},
      cache: {},
    },
  },
  poetry: {
    values: '-C --directory -P --project',
    subcommands: { run: { stops: true }, config: {}, cache: {}, env: {}, source: {}, self: {} },
  },
  pipenv: { values: '--python', subcommands: { run: { stops: true } } },
  pdm: { values: '-p --project', subcommands: { run: { stops: true } } },
  hatch: { values: '-e --env', subcommands: { run: { stops: true }, env: {} } },
  conda: {
    values: '-n --name -p --prefix -c --channel',
    subcommands: { run: { stops: true, values: '-n --name -p --prefix --cwd' }, env: {}, config: {} },
  },
  mamba: {
    values: '-n --name -p --prefix -c --channel',
    subcommands: { run: { stops: true, values: '-n --name -p --prefix --cwd' }, env: {} },
  },
  gem: { values: '-v --version -i --install-dir -s --source -P' },
  bundle: { values: '--gemfile --path -j --jobs', subcommands: { exec: { stops: true }, config: {} } },
  cargo: {
    values:
      '--manifest-path --target-dir -p --package --bin --example --features -F --target -j --jobs --profile --config -Z --color --version --registry --index --token --path --git --branch --tag --rev',
    subcommands: {
      run: {
        values: '--manifest-path -p --package --bin --example --features -F --target --profile',
        stops: false,
      },
    },
  },
  rustup: {
    values: '--toolchain --profile',
    subcommands: {
      toolchain: {},
      target: {},
      component: {},
      override: {},
      self: {},
      default: {},
      run: { stops: true },
    },
  },
  go: {
    values: '-C -o -p -tags -ldflags -gcflags -mod -run -bench -count -timeout -exec -toolexec -modfile',
    dashes: 'word',
    subcommands: {
      mod: { subcommands: { edit: {}, tidy: {}, download: {}, vendor: {} } },
      env: {},
      tool: {},
      work: {},
    },
    flags: { '-o': 'write' },
  },
  composer: { values: '-d --working-dir', subcommands: { global: {}, config: {}, exec: { stops: true } } },
  mvn: { values: '-f --file -P -s --settings -pl -am', dashes: 'word' },
  gradle: { values: '-p --project-dir -b -x -I', subcommands: {} },
  gradlew: { values: '-p --project-dir -b -x -I' },
  make: {
    values: '-C --directory -f --file --makefile -I --include-dir -o -W -E --eval',
    attached: '-j --jobs -l',
    flags: { '-f': 'execute', '--file': 'execute', '--makefile': 'execute' },
  },
  gmake: {
    values: '-C --directory -f --file -I -o -W',
    attached: '-j --jobs -l',
    flags: { '-f': 'execute', '--file': 'execute' },
  },
  cmake: {
    values: '-S -B -G -D -T -A -C --build --install --prefix --target -t --config -j --preset --toolchain',
    flags: { '-B': 'write' },
  },
  ninja: { values: '-C -f -j -k -l -d -t' },
  just: { values: '-f --justfile -d --working-directory --set' },
  task: { values: '-t --taskfile -d --dir' },
  bazel: { values: '--config' },
  apt: SYSTEM_MANAGER,
  'apt-get': SYSTEM_MANAGER,
  'apt-cache': SYSTEM_MANAGER,
  aptitude: SYSTEM_MANAGER,
  dpkg: { values: '--root --admindir', rest: 'text' },
  yum: SYSTEM_MANAGER,
  dnf: SYSTEM_MANAGER,
  microdnf: SYSTEM_MANAGER,
  zypper: SYSTEM_MANAGER,
  rpm: { values: '--root --dbpath --prefix', rest: 'text' },
  pacman: { values: '-b --dbpath -r --root --config' },
  apk: { values: '-X --repository -p --root -t --virtual' },
  brew: { values: '--appdir', subcommands: { services: {}, cask: {}, bundle: {} } },
  port: {},
  snap: { values: '--channel --revision' },
  flatpak: { values: '--arch --branch', subcommands: { run: { stops: true } } },
  nix: {
    values: '--option -I --arg --argstr -f --file',
    subcommands: {
      develop: { values: '-c --command' },
      shell: { values: '-c --command' },
      store: {},
      profile: {},
      flake: {},
    },
  },
  'nix-env': { values: '-f --file -p --profile' },
  twine: { values: '-r --repository --repository-url -u --username -p --password' },
  tsc: { values: '-p --project --outDir -t --target' },
  eslint: { values: '-c --config --ext -f --format -o --output-file', rest: 'read', recursive: true },
  prettier: { values: '--config --parser', rest: 'read', recursive: true },
  jest: { values: '-c --config -t --testNamePattern', rest: 'text' },
  vitest: { values: '-c --config -t --testNamePattern', rest: 'text' },
  pytest: { values: '-k -m -c -p -n --cov --maxfail --tb -o --rootdir', rest: 'text' },
  tox: { values: '-e -c' },
  nox: { values: '-s -f' },
  ruff: { values: '--config', rest: 'text' },
  black: { values: '-l -t --config', rest: 'write' },
  mypy: { values: '--config-file -p -m', rest: 'read' },
};
