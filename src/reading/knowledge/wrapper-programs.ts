import { DOCKER_EXEC_VALUES, DOCKER_RUN_VALUES } from './container-programs.ts';
import { SSH_FLAGS } from './network-programs.ts';

/** A program whose arguments are, or contain, another command. */
export interface WrapperSpec {
  /** Its own flags that take a value. */
  readonly values?: string;
  /** Its own short flags whose value, if any, is the rest of their word. */
  readonly attached?: string;
  readonly dashes?: 'bundle' | 'word' | 'none';
  /** Operands before the command: `timeout 5 cmd`, `chroot dir cmd`. */
  readonly skip?: number;
  /** True if `NAME=value` words may stand before the command. */
  readonly assignments?: boolean;
  /** True if the command runs with other rights. */
  readonly privileged?: boolean;
  /** True if the command runs on another machine or in a container. */
  readonly elsewhere?: boolean;
  /** Flags whose value is a shell script that is run instead of a command. */
  readonly script?: string;
  /** True if the words of the command are joined and given to a shell. */
  readonly joins?: boolean;
  /** Every operand is a shell script of its own. */
  readonly scripts?: boolean;
  /** True if the command stands after `--` only. */
  readonly afterDashes?: boolean;
  /** Flags that name a file which is written. */
  readonly writes?: string;
  /** True if its own flags may stand behind the operands to skip too. */
  readonly flagsAfter?: boolean;
  /** Flags that name the directory the command runs in. */
  readonly directory?: string;
  /** With one of these flags it runs nothing. */
  readonly harmless?: string;
  /** True if these must be words of their own: shells do not agree on what they are in a bundle. */
  readonly harmlessAlone?: boolean;
  /** True if the command runs in the shell itself: builtins and directory changes count. */
  readonly sameShell?: boolean;
  /** True if it runs a shell when no command is given. */
  readonly shell?: boolean;
  /** Subcommands that run something; anything else does not. */
  readonly subcommands?: Readonly<Record<string, WrapperSpec>>;
}

const PRIVILEGED: WrapperSpec = { privileged: true, shell: true };
const RUN_REST: WrapperSpec = {};
const TIME: WrapperSpec = { values: '-f --format -o --output', writes: '-o --output' };
const RUNNER: WrapperSpec = {
  values:
    '--python -p --with --from --env-file --directory --project --spec -n --name --prefix --cwd -e --env',
};
const DOCKER_RUN: WrapperSpec = { values: DOCKER_RUN_VALUES, skip: 1, elsewhere: true };
const DOCKER_EXEC: WrapperSpec = { values: DOCKER_EXEC_VALUES, skip: 1, elsewhere: true };
const COMPOSE: WrapperSpec = {
  values: '-f --file -p --project-name --profile --env-file --project-directory',
  subcommands: {
    run: {
      values: '-e --env --entrypoint --name -p --publish -u --user -v --volume -w --workdir',
      skip: 1,
      elsewhere: true,
    },
    exec: { values: '-e --env -u --user -w --workdir --index', skip: 1, elsewhere: true },
  },
};
const CONTAINERS: WrapperSpec = {
  values: '--config -c --context -H --host -l --log-level',
  subcommands: {
    run: DOCKER_RUN,
    create: DOCKER_RUN,
    exec: DOCKER_EXEC,
    container: { subcommands: { run: DOCKER_RUN, create: DOCKER_RUN, exec: DOCKER_EXEC } },
    compose: COMPOSE,
  },
};
const KUBERNETES_EXEC: WrapperSpec = {
  values: '-n --namespace --context --kubeconfig -c --container -f --filename --pod-running-timeout',
  skip: 1,
  elsewhere: true,
};
const SSH: WrapperSpec = {
  values: SSH_FLAGS,
  skip: 1,
  flagsAfter: true,
  joins: true,
  elsewhere: true,
  shell: true,
};

/** Every program that runs another, with what must be known to find the command in its arguments. */
export const WRAPPER_PROGRAMS: Readonly<Record<string, WrapperSpec>> = {
  sudo: {
    ...PRIVILEGED,
    values:
      '-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -r --role -t --type -T --command-timeout -U --other-user',
    assignments: true,
    directory: '-D --chdir',
    harmless: '-l --list -v --validate -K --remove-timestamp -V --version -e --edit',
  },
  doas: { ...PRIVILEGED, values: '-u -C -a' },
  pkexec: { ...PRIVILEGED, values: '--user' },
  gosu: { ...PRIVILEGED, skip: 1 },
  'su-exec': { ...PRIVILEGED, skip: 1 },
  run0: { ...PRIVILEGED, values: '-u --user -g --group -D --chdir --unit --property -p' },
  setpriv: {
    ...PRIVILEGED,
    values: '--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --selinux-label',
  },
  sg: { privileged: true, skip: 1, script: '-c', joins: true },
  env: {
    values: '-S --split-string -u --unset -C --chdir -P',
    assignments: true,
    directory: '-C --chdir',
  },
  command: { harmless: '-v -V', harmlessAlone: true, sameShell: true },
  builtin: { sameShell: true },
  exec: { values: '-a', sameShell: true },
  nohup: RUN_REST,
  setsid: RUN_REST,
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c --class -n --classdata -p --pid -P -u' },
  chrt: { values: '-p --pid -T -P -D', skip: 1 },
  taskset: { skip: 1, harmless: '-p --pid' },
  numactl: { values: '-N -C -m -p -i --cpunodebind --physcpubind --membind --preferred --interleave' },
  cpulimit: { values: '-l -p -e' },
  prlimit: { values: '-p --pid -o --output' },
  timeout: { values: '-s --signal -k --kill-after', skip: 1 },
  gtimeout: { values: '-s --signal -k --kill-after', skip: 1 },
  time: TIME,
  gtime: TIME,
  stdbuf: { values: '-i --input -o --output -e --error' },
  unbuffer: RUN_REST,
  chroot: { ...PRIVILEGED, attached: '--userspec --groups', skip: 1, elsewhere: true },
  unshare: {
    shell: true,
    values: '-S --setuid -G --setgid -R --root -w --wd',
    attached: '--mount --pid --propagation --setgroups --map-user --map-group',
  },
  nsenter: {
    ...PRIVILEGED,
    values: '-t --target -S --setuid -G --setgid',
    attached:
      '-m -u -i -n -p -U -C -T -r -w --mount --uts --ipc --net --pid --user --cgroup --time --root --wd',
  },
  fakeroot: { values: '-l -s -i -u -b' },
  firejail: {},
  bwrap: {
    values:
      '--bind --ro-bind --dev-bind --tmpfs --proc --dev --chdir --setenv --unsetenv --uid --gid --hostname',
    elsewhere: false,
  },
  'systemd-run': {
    values:
      '-u --unit -p --property --uid --gid -E --setenv --slice --description -H --host -M --machine --working-directory --on-active --on-boot --on-calendar --nice',
  },
  'systemd-inhibit': { values: '--what --who --why --mode' },
  caffeinate: { values: '-t -w' },
  arch: { values: '-d -e' },
  setarch: { skip: 1 },
  linux32: RUN_REST,
  linux64: RUN_REST,
  strace: { values: '-e -o -p -s -u -a -b -E -I -O -P -S -X' },
  ltrace: { values: '-e -o -p -s -u -a -n -A -D -F -l -x' },
  dtruss: { values: '-n -p -b -t' },
  valgrind: { dashes: 'word' },
  perf: {
    subcommands: {
      stat: { values: '-e -o -r -x -C -I' },
      record: { values: '-e -o -F -c -g -C' },
      trace: { values: '-e -o' },
    },
  },
  gdb: { values: '-x -ex --command --cd -d', dashes: 'word', harmless: '-p' },
  lldb: { values: '-o -s -k', afterDashes: true },
  rlwrap: { values: '-f -H -l -s -t -C -b -g -q -S -P' },
  script: { values: '-t -o -O -I -B -m -E -T -L', script: '-c --command', skip: 1 },
  catchsegv: RUN_REST,
  watch: { values: '-n --interval -q --equexit', joins: true },
  viddy: { values: '-n --interval', joins: true },
  entr: {},
  watchexec: { values: '-w --watch -e --exts -i --ignore -f --filter -d --debounce -s --signal' },
  hyperfine: {
    values:
      '-w --warmup -r --runs -m -M -p --prepare -c --cleanup -s --setup -S --shell -n --export-json --export-csv --export-markdown -L -P -D --command-name',
    scripts: true,
  },
  concurrently: { values: '-n --names -c --prefix-colors -p --prefix -m --max-processes', scripts: true },
  nodemon: { values: '-w --watch -e --ext -i --ignore -d --delay', script: '-x --exec', skip: 99 },
  flock: { values: '-w --timeout --wait -E --conflict-exit-code', skip: 1, script: '-c --command' },
  lockf: { values: '-t', skip: 1 },
  chpst: { values: '-u -U -b -e -n -m -d -o -p -f -c' },
  softlimit: { values: '-a -c -d -f -l -m -o -p -r -s -t' },
  busybox: RUN_REST,
  toybox: RUN_REST,
  proxychains: { values: '-f' },
  proxychains4: { values: '-f' },
  torsocks: RUN_REST,
  torify: RUN_REST,
  tsocks: RUN_REST,
  'xvfb-run': { values: '-n -s -e -f -w -p --server-num --server-args' },
  'dbus-run-session': RUN_REST,
  'dbus-launch': RUN_REST,
  daemonize: { values: '-c -e -o -p -l -u -E' },
  daemon: { values: '-n -u -p -P -o -O -D -e' },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true, joins: true },
  dotenv: { values: '-e -f -v' },
  dotenvx: { subcommands: { run: { values: '-f --env-file -fk -e --env' } } },
  envdir: { skip: 1 },
  direnv: { subcommands: { exec: { skip: 1 } } },
  mise: { subcommands: { exec: { afterDashes: true }, x: { afterDashes: true } } },
  asdf: { subcommands: { exec: RUN_REST } },
  'aws-vault': { subcommands: { exec: { values: '-d --duration -r --region', skip: 1 } } },
  op: { subcommands: { run: { values: '--env-file --account', afterDashes: false } } },
  doppler: { subcommands: { run: { values: '-p --project -c --config -t --token', script: '--command' } } },
  chamber: { subcommands: { exec: { afterDashes: true } } },
  npx: { values: '-p --package -w --workspace', script: '-c --call' },
  bunx: { values: '-p --package' },
  pnpx: RUN_REST,
  uvx: { values: '--from --with --python -p' },
  pipx: { subcommands: { run: { values: '--spec --python' } } },
  npm: {
    values: '--prefix -w --workspace',
    subcommands: {
      exec: { values: '-p --package -w --workspace', script: '-c --call' },
      x: { values: '-p --package', script: '-c --call' },
    },
  },
  pnpm: {
    values: '-C --dir -F --filter',
    subcommands: { exec: { values: '--filter' }, dlx: { values: '--package' } },
  },
  yarn: { values: '--cwd', subcommands: { exec: RUN_REST, dlx: { values: '-p --package' } } },
  bun: { values: '--cwd', subcommands: { x: { values: '-p --package' } } },
  uv: {
    values: '--directory --project',
    subcommands: { run: RUNNER, tool: { subcommands: { run: RUNNER } } },
  },
  poetry: { values: '-C --directory', subcommands: { run: RUN_REST } },
  pipenv: { subcommands: { run: RUN_REST } },
  pdm: { subcommands: { run: RUN_REST } },
  hatch: { values: '-e --env', subcommands: { run: RUN_REST } },
  rye: { subcommands: { run: RUN_REST } },
  pixi: { subcommands: { run: RUNNER } },
  conda: { subcommands: { run: RUNNER } },
  mamba: { subcommands: { run: RUNNER } },
  micromamba: { subcommands: { run: RUNNER } },
  bundle: { subcommands: { exec: RUN_REST } },
  rbenv: { subcommands: { exec: RUN_REST } },
  pyenv: { subcommands: { exec: RUN_REST } },
  nodenv: { subcommands: { exec: RUN_REST } },
  nvm: { subcommands: { exec: { skip: 1 } } },
  rustup: { subcommands: { run: { skip: 1 } } },
  nix: {
    subcommands: {
      develop: { script: '', afterDashes: true, values: '-c --command' },
      shell: { afterDashes: true, values: '-c --command' },
    },
  },
  'nix-shell': { values: '-p --packages -I -A --arg --argstr', script: '--run --command', skip: 99 },
  guix: { subcommands: { shell: { afterDashes: true } } },
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  kubectl: {
    values: '-n --namespace --context --kubeconfig',
    subcommands: {
      exec: KUBERNETES_EXEC,
      run: {
        values: '-n --namespace --image --restart -l --labels --env',
        elsewhere: true,
        afterDashes: true,
      },
    },
  },
  oc: {
    values: '-n --namespace --context --kubeconfig',
    subcommands: { exec: KUBERNETES_EXEC, rsh: KUBERNETES_EXEC },
  },
  lxc: { subcommands: { exec: { skip: 1, elsewhere: true, afterDashes: false } } },
  incus: { subcommands: { exec: { skip: 1, elsewhere: true } } },
  'lxc-attach': { values: '-n --name', elsewhere: true },
  machinectl: { subcommands: { shell: { skip: 1, elsewhere: true } } },
  'systemd-nspawn': { values: '-D --directory -M --machine -u --user --bind --bind-ro', elsewhere: true },
  vagrant: { subcommands: { ssh: { script: '-c --command', skip: 99, elsewhere: true } } },
  multipass: { subcommands: { exec: { skip: 1, elsewhere: true } } },
  limactl: { subcommands: { shell: { skip: 1, elsewhere: true, values: '--workdir --shell' } } },
  lima: { elsewhere: true },
  toolbox: { subcommands: { run: { values: '-c --container -d --distro -r --release' } } },
  distrobox: { subcommands: { enter: { values: '-n --name', afterDashes: true } } },
  'flatpak-spawn': { values: '--env --directory' },
  wsl: { values: '-d --distribution -u --user --cd -e --exec' },
  ssh: SSH,
  autossh: { ...SSH, values: `${SSH_FLAGS} -M` },
  mosh: { values: '-p --port --ssh --server', skip: 1, elsewhere: true },
  sshpass: { values: '-p -f -d' },
  pdsh: { values: '-w -x -l -t -u -f', joins: true, elsewhere: true },
  tmux: {
    values: '-f -L -S',
    subcommands: {
      new: { values: '-s -n -c -t -x -y -e -F', joins: true },
      'new-session': { values: '-s -n -c -t -x -y -e -F', joins: true },
      'new-window': { values: '-n -c -t -e -F', joins: true },
      neww: { values: '-n -c -t -e -F', joins: true },
      'split-window': { values: '-c -l -p -t -e -F', joins: true },
      splitw: { values: '-c -l -p -t -e -F', joins: true },
      'respawn-pane': { values: '-c -t -e', joins: true },
      'run-shell': { values: '-d -t -c', joins: true },
      run: { values: '-d -t -c', joins: true },
      'if-shell': { values: '-t', scripts: true },
      'send-keys': { values: '-t -N', joins: true },
      send: { values: '-t -N', joins: true },
    },
  },
  screen: { values: '-c -e -h -p -s -S -t -T -r -R -L' },
  dtach: { values: '-e -r', skip: 1 },
  abduco: { values: '-e', skip: 1 },
  xterm: { values: '-e -title -geometry', dashes: 'word', script: '-e', skip: 99 },
  'gnome-terminal': { afterDashes: true },
  runcon: { values: '-t -u -r -l', skip: 1 },
  eatmydata: RUN_REST,
  ccache: RUN_REST,
  sccache: RUN_REST,
  distcc: RUN_REST,
  bear: { afterDashes: true },
  retry: { values: '-t -d -m' },
  noglob: { sameShell: true },
  nocorrect: { sameShell: true },
};
