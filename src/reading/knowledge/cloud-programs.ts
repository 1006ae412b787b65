import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const AWS_VALUES =
  '--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout';
const S3_COPY: ProgramSpec = {
  values: `${AWS_VALUES} --exclude --include --acl --storage-class --sse --sse-kms-key-id --content-type --cache-control --metadata --expires --page-size`,
  rest: 'from',
  last: 'to',
  recursive: '--recursive',
  spreads: '--recursive',
  looks: '--dryrun',
  scheme: 's3',
};

const TERRAFORM: ProgramSpec = {
  values:
    '-var,--var -var-file,--var-file -target,--target -state,--state -backup,--backup -out,--out -chdir,--chdir -lock-timeout,--lock-timeout -parallelism,--parallelism -replace,--replace -backend-config,--backend-config -from-module,--from-module -plugin-dir,--plugin-dir',
  dashes: 'word',
  off: 'false',
  help: '-help --help -h',
  same: '-destroy,--destroy -help,--help -auto-approve,--auto-approve -backend,--backend -compact-warnings,--compact-warnings -force,--force -input,--input -json,--json -lock,--lock -migrate-state,--migrate-state -no-color,--no-color -reconfigure,--reconfigure -refresh,--refresh -refresh-only,--refresh-only -upgrade,--upgrade -version,--version',
  flags: { '-var-file': 'read', '-out': 'write' },
  offline: '-help',
  network: {
    download: 'init get',
    connect: 'plan apply destroy import refresh login logout force-unlock test workspace',
  },
  subcommands: {
    state: { network: { connect: 'list show mv rm pull replace-provider', upload: 'push' } },
    workspace: {},
    providers: { network: { download: 'lock mirror' } },
  },
};

const GCLOUD_COPY: ProgramSpec = {
  same: '-r,-R,--recursive',
  rest: 'from',
  last: 'to',
  recursive: '-r -R --recursive',
  scheme: 'gs',
};
const AZURE_BLOB: ProgramSpec = {
  values:
    '--subscription --account-name --account-key --connection-string --sas-token -c,--container-name -n,--name -f,--file -s,--source -d,--destination -p,--path --pattern --share-name',
  flags: { '-f': 'read', '-s': 'read' },
  network: { upload: 'upload upload-batch', download: 'download download-batch', connect: '*' },
};
const DEPLOYED: ProgramSpec = { network: { upload: 'deploy' } };

const GCLOUD_NETWORK: ProgramSpec['network'] = { connect: '*', none: '. config info version help topic' };
const GCLOUD_GROUPS: Readonly<Record<string, ProgramSpec>> = {
  storage: {
    subcommands: {
      cp: GCLOUD_COPY,
      mv: GCLOUD_COPY,
      rsync: { ...GCLOUD_COPY, recursive: true, spreads: true },
      rm: { same: '-r,-R,--recursive' },
      buckets: {},
    },
  },
  compute: {
    subcommands: { scp: { ...GCLOUD_COPY, recursive: '--recurse', scheme: 'ssh' }, ssh: {} },
  },
  builds: { network: { upload: 'submit' } },
  app: DEPLOYED,
  functions: DEPLOYED,
  run: DEPLOYED,
  projects: {},
};

/** Command lines of cloud services and forges: flags with values, so that their subcommands can be told. */
export const CLOUD_PROGRAMS: ProgramTable = {
  aws: {
    values: AWS_VALUES,
    flags: { '--endpoint-url': 'connect' },
    network: { connect: '*', none: '. configure help' },
    subcommands: {
      s3: {
        values: AWS_VALUES,
        network: { none: 'presign' },
        subcommands: {
          cp: S3_COPY,
          mv: S3_COPY,
          sync: { ...S3_COPY, recursive: true, spreads: true },
          rm: { values: `${AWS_VALUES} --exclude --include` },
          rb: { values: AWS_VALUES },
          mb: {},
          ls: {},
          presign: {},
        },
      },
      s3api: {
        values: `${AWS_VALUES} --bucket --key --body --content-type --upload-id --part-number`,
        flags: { '--body': 'read' },
        network: { upload: 'put-object upload-part' },
      },
    },
  },
  gcloud: {
    help: '--help -h',
    values:
      '--project --account --configuration --format --filter --region --zone --impersonate-service-account --verbosity --billing-project',
    network: GCLOUD_NETWORK,
    subcommands: {
      ...GCLOUD_GROUPS,
      alpha: { network: GCLOUD_NETWORK, subcommands: GCLOUD_GROUPS },
      beta: { network: GCLOUD_NETWORK, subcommands: GCLOUD_GROUPS },
    },
  },
  gsutil: {
    values: '-h -o -u',
    network: { connect: '*', none: '. config help version' },
    subcommands: {
      cp: { rest: 'from', last: 'to', recursive: '-r -R', scheme: 'gs' },
      mv: { rest: 'from', last: 'to', scheme: 'gs' },
      rsync: { rest: 'from', last: 'to', recursive: true, spreads: true, looks: '-n', scheme: 'gs' },
      rm: { same: '-r,-R' },
      rb: {},
      ls: {},
    },
  },
  bq: { values: '--project_id --dataset_id --location', network: { connect: '*', none: '. help version' } },
  az: {
    help: '--help -h',
    values: '--subscription -g,--resource-group -n,--name -o,--output --query',
    network: { connect: '*', none: '. config completion help version' },
    subcommands: { storage: { subcommands: { blob: AZURE_BLOB, file: AZURE_BLOB, fs: AZURE_BLOB } } },
  },
  doctl: {
    values: '-t,--access-token -c,--config --context -o,--output',
    network: { connect: '*', none: '. completion help version' },
  },
  gh: {
    help: '--help -h',
    values:
      '-R,--repo --hostname -b,--body -t,--title -F,--body-file -H,--head -B,--base -q,--jq --json -L,--limit -X,--method -a,--assignee -l,--label -m,--milestone -r,--reviewer -T,--template -p,--project -e,--env',
    flags: { '-F': 'read', '--hostname': 'connect', '-R': 'hosted' },
    placeVariables: 'GH_HOST',
    scheme: 'https',
    network: { connect: '*', none: '. alias completion config help version' },
    subcommands: {
      api: {
        values: '-X,--method -f,--raw-field -F,--field -H,--header --input -q,--jq -t,--template --hostname',
        flags: { '-F': 'at-file', '--input': 'read' },
        networkWith: { upload: '-f --raw-field -F --field --input' },
      },
      gist: {
        network: { upload: 'create edit' },
        subcommands: { create: { values: '-d,--desc -f,--filename', rest: 'read' }, delete: {}, edit: {} },
      },
      release: {
        network: { upload: 'create upload', download: 'download' },
        subcommands: {
          create: {
            values: '-t,--title -n,--notes -F,--notes-file --target -R,--repo',
            flags: { '-F': 'read' },
            first: ['text'],
            rest: 'read',
          },
          upload: { values: '-R,--repo', first: ['text'], rest: 'read' },
          delete: {},
          download: {
            values: '-p,--pattern -O,--output -D,--dir -R,--repo -A,--archive',
            flags: { '-O': 'write', '-D': 'write' },
          },
        },
      },
      repo: {
        network: { download: 'clone fork sync' },
        subcommands: {
          clone: { values: '-u,--upstream-remote-name', first: ['hosted'] },
          view: { values: '-b,--branch -q,--jq --json -t,--template', first: ['hosted'] },
        },
      },
      secret: {
        network: { upload: 'set' },
        subcommands: {
          // A secret that is kept there is not shown.
          set: {
            values: '-a,--app -b,--body -e,--env -f,--env-file -o,--org -r,--repos -R,--repo -v,--visibility',
            flags: { '-f': 'list' },
          },
        },
      },
      'ssh-key': {
        network: { upload: 'add' },
        subcommands: { add: { values: '-t,--title --type', rest: 'read' } },
      },
      'gpg-key': { network: { upload: 'add' }, subcommands: { add: { values: '-t,--title', rest: 'read' } } },
      extension: { network: { download: 'install upgrade' } },
    },
  },
  glab: {
    values: '-R,--repo -b,--body -t,--title -d,--description -l,--label --hostname -f,--filename',
    flags: { '--hostname': 'connect', '-R': 'hosted' },
    placeVariables: 'GITLAB_HOST GL_HOST',
    scheme: 'https',
    network: { connect: '*', none: '. alias completion config help version' },
    subcommands: {
      snippet: {
        network: { upload: 'create' },
        subcommands: { create: { values: '-d -f -t', rest: 'read' } },
      },
    },
  },
  hub: {},
  heroku: {
    help: '--help -h',
    values: '-a,--app -r,--remote',
    network: { connect: '*', none: '. help local version' },
  },
  flyctl: {
    help: '--help -h',
    values: '-a,--app -c,--config',
    network: { upload: 'deploy', connect: '*', none: '. help version' },
  },
  fly: {
    help: '--help -h',
    values: '-a,--app -c,--config',
    network: { upload: 'deploy', connect: '*', none: '. help version' },
  },
  vercel: {
    values: '-t,--token -S,--scope --cwd -A,--local-config',
    network: { upload: '. deploy', connect: '*', none: 'build dev help' },
    harmless: '-v --version -h --help',
  },
  netlify: {
    help: '--help -h',
    values: '--auth --site -d,--dir',
    network: { upload: 'deploy', connect: '*', none: '. build dev serve help version' },
  },
  firebase: {
    values: '-P,--project --token --config --only',
    network: { upload: 'deploy', connect: '*', none: '. help' },
  },
  wrangler: {
    values: '-c,--config -e,--env',
    network: { upload: 'deploy publish', connect: '*', none: '. dev docs init types' },
    subcommands: {
      r2: {
        subcommands: { object: { values: '-f,--file', flags: { '-f': 'read' }, network: { upload: 'put' } } },
      },
      kv: {},
      d1: {},
      pages: { network: { upload: 'deploy publish', none: 'dev' } },
      secret: { network: { upload: 'put bulk' } },
    },
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: {
    values: '--terragrunt-working-dir --working-dir',
    same: TERRAFORM.same ?? '',
    network: TERRAFORM.network ?? {},
    subcommands: {},
  },
  pulumi: {
    help: '--help -h',
    values: '-s,--stack -C,--cwd',
    same: '-y,--yes',
    network: {
      connect: 'up update preview pre destroy down refresh import login logout cancel watch',
      download: 'new',
    },
    subcommands: { stack: {}, config: {} },
  },
  ansible: {
    values: '-i,--inventory -m,--module-name -a,--args -e,--extra-vars -u,--user -l,--limit',
    rest: 'text',
    network: 'connect',
    scheme: 'ssh',
  },
  'ansible-playbook': {
    values: '-i,--inventory -e,--extra-vars -u,--user -l,--limit -t,--tags',
    rest: 'read',
    network: 'connect',
    scheme: 'ssh',
    offline: '--syntax-check --list-hosts --list-tasks --list-tags',
  },
  'ansible-galaxy': {
    values: '-s,--server -p,--roles-path --collections-path -r,--role-file,--requirements-file --token',
    flags: { '-s': 'connect', '-r': 'read' },
    network: { download: 'install', upload: 'publish import' },
    subcommands: {
      collection: { network: { download: 'install download', upload: 'publish' } },
      role: { network: { download: 'install search info', upload: 'import' } },
    },
  },
  vault: {
    values: '-address -namespace -format -field',
    dashes: 'word',
    flags: { '-address': 'connect' },
    network: { connect: '*', none: '. help version' },
    subcommands: { kv: {}, secrets: {}, auth: {}, token: {}, policy: {} },
  },
  consul: {
    values: '-http-addr -token -datacenter',
    dashes: 'word',
    flags: { '-http-addr': 'connect' },
    placeVariables: 'CONSUL_HTTP_ADDR',
    network: { connect: '*', none: '. agent help validate version' },
  },
  nomad: {
    values: '-address -namespace -region -token',
    dashes: 'word',
    flags: { '-address': 'connect' },
    placeVariables: 'NOMAD_ADDR',
    network: { connect: '*', none: '. agent fmt help version' },
  },
  op: { values: '--account --vault --format --fields' },
  pass: { rest: 'text' },
  security: { dashes: 'none' },
  supabase: {
    help: '--help -h',
    values: '--project-ref --workdir',
    network: { connect: 'link login projects secrets' },
    subcommands: {
      db: { network: { upload: 'push', download: 'pull' } },
      functions: { network: { upload: 'deploy', download: 'download' } },
      projects: {},
      secrets: {},
    },
  },
};
