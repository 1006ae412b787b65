import type { ProgramSpec, ProgramTable } from './program-spec.ts';

export const DOCKER_RUN_VALUES =
  '-a,--attach --add-host --annotation --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpus -c,--cpu-shares --cpuset-cpus --detach-keys --device --dns --domainname --entrypoint -e,--env --env-file --expose --gpus --group-add --health-cmd -h,--hostname --ip --ipc --isolation -l,--label --label-file --link --log-driver --log-opt --mac-address -m,--memory --memory-swap --mount --name --network,--net --network-alias,--net-alias --oom-score-adj --pid --pids-limit --platform -p,--publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u,--user --userns --uts -v,--volume --volume-driver --volumes-from -w,--workdir';
export const DOCKER_EXEC_VALUES = '--detach-keys -e,--env --env-file -u,--user -w,--workdir';

const TERMINAL = '-d,--detach -i,--interactive -t,--tty';
const RUN: ProgramSpec = {
  values: DOCKER_RUN_VALUES,
  same: `${TERMINAL} -P,--publish-all -q,--quiet`,
  stops: true,
  first: ['hosted'],
};
const EXEC: ProgramSpec = { values: DOCKER_EXEC_VALUES, same: TERMINAL, stops: true };
const BUILD: ProgramSpec = {
  values:
    '-f,--file -t,--tag --build-arg --target --platform -o,--output --secret --ssh --cache-from --cache-to --label --network --progress --add-host --iidfile --metadata-file',
  same: '-q,--quiet',
  rest: 'read',
  recursive: true,
  flags: { '-f': 'read', '--iidfile': 'write', '--metadata-file': 'write' },
  networkWith: { upload: '--push' },
};
const REMOVE: ProgramSpec = { long: '-f,--force -v,--volumes -l,--link --no-prune' };
const PRUNE: ProgramSpec = { values: '--filter', same: '-a,--all -f,--force' };
const COPY: ProgramSpec = {
  same: '-a,--archive -L,--follow-link -q,--quiet',
  rest: 'from',
  last: 'to',
  recursive: true,
  scheme: 'docker',
};
const IMAGE: ProgramSpec = { values: '--platform', same: '-a,--all-tags -q,--quiet', rest: 'hosted' };
const LOGS: ProgramSpec = { values: '-n,--tail --since --until', same: '-f,--follow -t,--timestamps' };

const COMPOSE: ProgramSpec = {
  values: '-f,--file -p,--project-name --profile --env-file --project-directory --ansi --parallel --progress',
  subcommands: {
    run: {
      values:
        '-e,--env --entrypoint -l,--label --name -p,--publish -u,--user -v,--volume -w,--workdir --cap-add --cap-drop',
      same: '-d,--detach -T,--no-TTY -P,--service-ports',
      stops: true,
    },
    exec: { values: '-e,--env -u,--user -w,--workdir --index', same: '-d,--detach -T,--no-TTY', stops: true },
    up: {
      values: '-t,--timeout --scale --pull --exit-code-from --attach --no-attach --wait-timeout',
      same: '-d,--detach -V,--renew-anon-volumes -w,--watch -y,--yes',
    },
    down: { values: '-t,--timeout --rmi', same: '-v,--volumes' },
    rm: { same: '-f,--force -s,--stop -v,--volumes' },
    logs: LOGS,
    ps: { values: '--filter --format --status', same: '-a,--all -q,--quiet' },
  },
  network: { download: 'pull', upload: 'push' },
};

const DOCKER: ProgramSpec = {
  values: '--config -c,--context -H,--host -l,--log-level --tlscacert --tlscert --tlskey',
  same: '-D,--debug -v,--version',
  flags: { '-H': 'connect' },
  placeVariables: 'DOCKER_HOST CONTAINER_HOST',
  scheme: 'docker',
  network: { download: 'pull search', upload: 'push', connect: 'login logout' },
  subcommands: {
    run: RUN,
    create: RUN,
    exec: EXEC,
    build: BUILD,
    rm: REMOVE,
    rmi: REMOVE,
    cp: COPY,
    container: {
      subcommands: {
        run: RUN,
        create: RUN,
        exec: EXEC,
        rm: REMOVE,
        prune: PRUNE,
        logs: LOGS,
        ls: {},
        stop: {},
        kill: {},
        cp: COPY,
      },
    },
    image: {
      subcommands: { rm: REMOVE, prune: PRUNE, ls: {}, build: BUILD, push: IMAGE, pull: IMAGE },
      network: { download: 'pull', upload: 'push' },
    },
    manifest: { network: { download: 'inspect', upload: 'push' } },
    plugin: { network: { download: 'install upgrade', upload: 'push' } },
    volume: { subcommands: { rm: REMOVE, prune: PRUNE, ls: {}, create: {}, inspect: {} } },
    network: {
      subcommands: { rm: REMOVE, prune: PRUNE, ls: {}, create: {}, connect: {}, disconnect: {} },
    },
    system: { subcommands: { prune: PRUNE, df: {}, info: {}, events: {} } },
    builder: { subcommands: { prune: PRUNE } },
    buildx: {
      subcommands: {
        build: BUILD,
        prune: PRUNE,
        bake: { values: '-f,--file', networkWith: { upload: '--push' } },
      },
    },
    compose: COMPOSE,
    context: { subcommands: { rm: {}, use: {}, ls: {}, create: {} } },
    ps: { values: '-f,--filter -n,--last --format', same: '-a,--all -l,--latest -q,--quiet -s,--size' },
    logs: LOGS,
    inspect: { values: '-f,--format --type', same: '-s,--size' },
    images: { values: '-f,--filter --format', same: '-a,--all -q,--quiet' },
    pull: IMAGE,
    push: IMAGE,
    login: { values: '-u,--username -p,--password', rest: 'connect' },
    save: { values: '-o,--output', flags: { '-o': 'write' } },
    load: { values: '-i,--input', same: '-q,--quiet', flags: { '-i': 'read' } },
    export: { values: '-o,--output', flags: { '-o': 'write' } },
    kill: { values: '-s,--signal' },
    stop: { values: '-t,--time,--timeout -s,--signal' },
    swarm: { subcommands: { init: {}, join: {}, leave: {} }, network: { connect: 'join' } },
    stack: { subcommands: { deploy: { values: '-c,--compose-file' }, rm: {} } },
    service: { subcommands: { rm: {}, update: {}, create: {}, scale: {} } },
  },
};

const KUBE_VALUES =
  '-n,--namespace --context --cluster --user --kubeconfig --as --as-group --token -s,--server --request-timeout --certificate-authority --cache-dir';
const OFF = 'false none';
const CONFIG_MAP: ProgramSpec = {
  off: OFF,
  values: `${KUBE_VALUES} --from-file --from-literal --from-env-file -o,--output`,
  flags: { '--from-file': 'named-read', '--from-env-file': 'read' },
};
const KUBE: ProgramSpec = {
  off: OFF,
  help: '--help -h',
  values: `${KUBE_VALUES} -f,--filename -k,--kustomize -l,--selector -o,--output -L,--label-columns --field-selector -c,--container --grace-period --timeout --replicas --image -p,--patch --type --raw --cascade`,
  same: '-A,--all-namespaces -R,--recursive -w,--watch',
  // What proves who is asking is not shown.
  flags: { '-f': 'read', '--kubeconfig': 'list', '-s': 'connect' },
  network: {
    upload: 'apply create replace patch edit set label annotate',
    connect: '*',
    none: '. config completion kustomize plugin options help',
  },
  offline: '--client',
  subcommands: {
    config: {},
    rollout: {},
    create: {
      subcommands: {
        // A secret that is kept there is not shown.
        secret: {
          off: OFF,
          values: `${KUBE_VALUES} --from-file --from-literal --from-env-file --type --cert --key -o,--output`,
          flags: { '--key': 'list', '--cert': 'list' },
        },
        ...Object.fromEntries(['configmap', 'cm'].map((name) => [name, CONFIG_MAP])),
      },
      off: OFF,
      values: `${KUBE_VALUES} -f,--filename -o,--output`,
      flags: { '-f': 'read' },
    },
    cp: {
      off: OFF,
      values: `${KUBE_VALUES} -c,--container`,
      rest: 'from',
      last: 'to',
      recursive: true,
      spreads: true,
      scheme: 'kubernetes',
    },
    exec: {
      off: OFF,
      values: `${KUBE_VALUES} -c,--container -f,--filename --pod-running-timeout`,
      same: '-i,--stdin -t,--tty -q,--quiet',
    },
    logs: {
      off: OFF,
      values: `${KUBE_VALUES} -c,--container -l,--selector --tail --since --since-time --limit-bytes --max-log-requests --pod-running-timeout`,
      same: '-f,--follow -p,--previous',
    },
    run: {
      off: OFF,
      values: `${KUBE_VALUES} --image --restart -l,--labels --env -o,--output --overrides --port`,
      same: '-i,--stdin -t,--tty -q,--quiet',
    },
  },
};

/** Containers and clusters. What runs inside them is read by the readers of wrappers. */
export const CONTAINER_PROGRAMS: ProgramTable = {
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  buildah: {
    values: '--creds --authfile --cert-dir --name -t,--tag -f,--file',
    network: { download: 'pull', upload: 'push', connect: 'login logout' },
    scheme: 'docker',
    subcommands: { pull: IMAGE, push: IMAGE, from: { values: '--name --creds', rest: 'hosted' } },
  },
  skopeo: { values: '--src-creds --dest-creds --authfile --policy', network: { connect: '*', none: '.' } },
  kubectl: KUBE,
  oc: KUBE,
  helm: {
    off: OFF,
    help: '--help -h',
    values:
      '-n,--namespace --kube-context --kubeconfig -f,--values --set --set-string --version --timeout --repo -l,--selector -o,--output -d,--destination',
    same: '-A,--all-namespaces -i,--install -a,--all -q,--short -g,--generate-name',
    flags: { '-f': 'read', '--kubeconfig': 'list', '--repo': 'connect' },
    network: {
      download: 'pull fetch show inspect search',
      upload: 'push',
      connect: 'install upgrade uninstall delete del un list ls status get history hist rollback test',
    },
    subcommands: {
      repo: { network: { download: 'add update up' } },
      plugin: { network: { download: 'install add update up' } },
      dependency: { network: { download: 'update up build' } },
      dep: { network: { download: 'update up build' } },
      registry: { network: { connect: 'login logout' } },
    },
  },
  kustomize: {},
  minikube: { values: '-p,--profile' },
  kind: { values: '--name', subcommands: { delete: {}, create: {}, get: {}, load: {} } },
  vagrant: { subcommands: { box: {}, snapshot: {}, plugin: {} } },
  lxc: { values: '--project' },
  virsh: { values: '-c,--connect' },
};
