import { DOCKER_EXEC_VALUES, DOCKER_RUN_VALUES } from './container-programs.ts';
import { SSH_FLAGS } from './network-programs.ts';
import type { WrapperSpec } from './wrapper-spec.ts';

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
    unshare: {},
    container: { subcommands: { run: DOCKER_RUN, create: DOCKER_RUN, exec: DOCKER_EXEC } },
    compose: COMPOSE,
  },
};
const FLY: WrapperSpec = {
  subcommands: {
    ssh: {
      subcommands: {
        console: { values: '-a --app -r --region', script: '-C --command', skip: 99, elsewhere: true },
      },
    },
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
  inputFlags: '-F',
};

/** Programs that run a command in a container, in a folder of its own or on another machine. */
export const ELSEWHERE_PROGRAMS: Readonly<Record<string, WrapperSpec>> = {
  buildah: { subcommands: { unshare: {}, run: { skip: 1, elsewhere: true } } },
  crictl: {
    values: '-r --runtime-endpoint -c --config',
    subcommands: { exec: { skip: 1, elsewhere: true } },
  },
  schroot: { values: '-c --chroot -u --user -d --directory -n --session-name' },
  'arch-chroot': { values: '-u', skip: 1, elsewhere: true },
  'sandbox-exec': { values: '-p -f -n -D' },
  proot: { values: '-r --rootfs -b --bind -w --cwd -q --qemu -R -S -m --mount' },
  ansible: {
    values: '-i --inventory -m --module-name -u --user -l --limit -e --extra-vars -f --forks',
    script: '-a --args',
    skip: 1,
    flagsAfter: true,
    elsewhere: true,
  },
  salt: { skip: 2, joins: true, elsewhere: true },
  rsh: { values: '-l', skip: 1, joins: true, elsewhere: true },
  pssh: { values: '-h -H -l -p -t -o -e -O -x', joins: true, elsewhere: true },
  'parallel-ssh': { values: '-h -H -l -p -t -o -e -O -x', joins: true, elsewhere: true },
  dsh: { values: '-m -g -f -n -r', joins: true, elsewhere: true },
  heroku: {
    subcommands: { run: { values: '-a --app -s --size -r --remote', joins: true, elsewhere: true } },
  },
  fly: FLY,
  flyctl: FLY,
  railway: { subcommands: { run: { values: '-s --service -e --environment' } } },
  gcloud: {
    subcommands: {
      compute: {
        subcommands: {
          ssh: {
            values: '--zone --project',
            script: '--command',
            skip: 1,
            flagsAfter: true,
            afterDashes: true,
            elsewhere: true,
          },
        },
      },
    },
  },
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
  lxc: { subcommands: { exec: { skip: 1, elsewhere: true } } },
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
  wsl: { values: '-d --distribution -u --user --cd' },
  ssh: SSH,
  autossh: { ...SSH, values: `${SSH_FLAGS} -M` },
  mosh: { values: '-p --port --ssh --server', skip: 1, elsewhere: true },
  sshpass: { values: '-p -f -d' },
  pdsh: { values: '-w -x -l -t -u -f', joins: true, elsewhere: true },
};
