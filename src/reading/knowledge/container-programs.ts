import type { ProgramSpec, ProgramTable } from './program-spec.ts';

export const DOCKER_RUN_VALUES =
  '-a --attach --add-host --annotation --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpus --cpu-shares -c --cpuset-cpus --detach-keys --device --dns --domainname --entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd -h --hostname --ip --ipc --isolation -l --label --label-file --link --log-driver --log-opt --mac-address -m --memory --memory-swap --mount --name --network --net --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir';
export const DOCKER_EXEC_VALUES = '--detach-keys -e --env --env-file -u --user -w --workdir';

const RUN: ProgramSpec = { values: DOCKER_RUN_VALUES, stops: true };
const EXEC: ProgramSpec = { values: DOCKER_EXEC_VALUES, stops: true };
const BUILD: ProgramSpec = {
  values:
    '-f --file -t --tag --build-arg --target --platform -o --output --secret --ssh --cache-from --cache-to --label --network --progress --add-host --iidfile',
  rest: 'read',
  recursive: true,
  flags: { '-f': 'read', '--file': 'read', '--iidfile': 'write' },
};
const COMPOSE: ProgramSpec = {
  values: '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress',
  subcommands: {
    run: {
      values: '-e --env --entrypoint -l --label --name -p --publish -u --user -v --volume -w --workdir',
      stops: true,
    },
    exec: { values: '-e --env -u --user -w --workdir --index', stops: true },
  },
};
const REMOVE: ProgramSpec = { long: '--force --volumes --link --no-prune', same: [['-f', '--force']] };

const DOCKER: ProgramSpec = {
  values: '--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey',
  subcommands: {
    run: RUN,
    create: RUN,
    exec: EXEC,
    build: BUILD,
    rm: REMOVE,
    rmi: REMOVE,
    cp: { rest: 'from', last: 'to', scheme: 'docker' },
    container: {
      subcommands: {
        run: RUN,
        create: RUN,
        exec: EXEC,
        rm: REMOVE,
        prune: { values: '--filter' },
        ls: {},
        stop: {},
        kill: {},
        cp: { rest: 'from', last: 'to', scheme: 'docker' },
      },
    },
    image: {
      subcommands: { rm: REMOVE, prune: { values: '--filter' }, ls: {}, build: BUILD, push: {}, pull: {} },
    },
    volume: { subcommands: { rm: REMOVE, prune: { values: '--filter' }, ls: {}, create: {}, inspect: {} } },
    network: {
      subcommands: {
        rm: REMOVE,
        prune: { values: '--filter' },
        ls: {},
        create: {},
        connect: {},
        disconnect: {},
      },
    },
    system: { subcommands: { prune: { values: '--filter' }, df: {}, info: {}, events: {} } },
    builder: { subcommands: { prune: { values: '--filter' } } },
    buildx: { subcommands: { build: BUILD, prune: {}, bake: { values: '-f --file' } } },
    compose: COMPOSE,
    context: { subcommands: { rm: {}, use: {}, ls: {}, create: {} } },
    ps: { values: '-f --filter -n --last --format' },
    logs: { values: '-n --tail --since --until' },
    inspect: { values: '-f --format --type' },
    images: { values: '-f --filter --format' },
    login: { values: '-u --username -p --password' },
    save: { values: '-o --output', flags: { '-o': 'write', '--output': 'write' } },
    load: { values: '-i --input', flags: { '-i': 'read', '--input': 'read' } },
    export: { values: '-o --output', flags: { '-o': 'write', '--output': 'write' } },
    kill: { values: '-s --signal' },
    stop: { values: '-t --time' },
    swarm: { subcommands: { init: {}, join: {}, leave: {} } },
    stack: { subcommands: { deploy: { values: '-c --compose-file' }, rm: {} } },
    service: { subcommands: { rm: {}, update: {}, create: {}, scale: {} } },
  },
};

const KUBE_VALUES =
  '-n --namespace --context --cluster --user --kubeconfig --as --as-group --token -s --server --request-timeout --certificate-authority --cache-dir';

/** Containers and clusters. What runs inside them is read by the readers of wrappers. */
export const CONTAINER_PROGRAMS: ProgramTable = {
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  kubectl: {
    off: 'false none',
    values: `${KUBE_VALUES} -f --filename -k --kustomize -l --selector -o --output --field-selector -c --container --grace-period --timeout --replicas --image -p --patch --type -R --raw --cascade`,
    flags: { '-f': 'read', '--filename': 'read', '--kubeconfig': 'read' },
    subcommands: {
      config: {},
      rollout: {},
      cp: { values: `${KUBE_VALUES} -c --container`, rest: 'from', last: 'to', scheme: 'kubernetes' },
      exec: { values: `${KUBE_VALUES} -c --container -f --filename --pod-running-timeout` },
    },
  },
  oc: {
    values: `${KUBE_VALUES} -f --filename -l --selector -o --output -c --container`,
    off: 'false none',
  },
  helm: {
    values:
      '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --version --timeout --repo -o --output',
    flags: { '-f': 'read', '--values': 'read' },
    subcommands: { repo: {}, plugin: {}, dependency: {} },
  },
  kustomize: {},
  minikube: { values: '-p --profile' },
  kind: { values: '--name', subcommands: { delete: {}, create: {}, get: {}, load: {} } },
  vagrant: { subcommands: { box: {}, snapshot: {}, plugin: {} } },
  lxc: { values: '--project' },
  virsh: { values: '-c --connect' },
};
