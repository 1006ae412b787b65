import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const AWS_VALUES =
  '--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout';
const S3_COPY: ProgramSpec = {
  values: `${AWS_VALUES} --exclude --include --acl --storage-class --sse --sse-kms-key-id --content-type --cache-control --metadata --expires --page-size`,
  rest: 'from',
  last: 'to',
  recursive: '--recursive',
  scheme: 's3',
};

const TERRAFORM: ProgramSpec = {
  values: '-var -var-file -target -state -backup -out -chdir -lock-timeout -parallelism -replace',
  dashes: 'word',
  off: 'false',
  same: [
    ['-destroy', '--destroy'],
    ['-help', '--help'],
  ],
  subcommands: { state: {}, workspace: {} },
};

/** Command lines of cloud services and forges: flags with values, so that their subcommands can be told. */
export const CLOUD_PROGRAMS: ProgramTable = {
  aws: {
    values: AWS_VALUES,
    subcommands: {
      s3: {
        values: AWS_VALUES,
        subcommands: {
          cp: S3_COPY,
          mv: S3_COPY,
          sync: { ...S3_COPY, recursive: true },
          rm: { values: `${AWS_VALUES} --exclude --include` },
          rb: { values: AWS_VALUES },
          mb: {},
          ls: {},
          presign: {},
        },
      },
    },
  },
  gcloud: {
    values:
      '--project --account --configuration --format --filter --region --zone --impersonate-service-account --verbosity --billing-project',
    subcommands: {
      storage: {
        subcommands: {
          cp: { rest: 'from', last: 'to', recursive: '-r -R --recursive', scheme: 'gs' },
          mv: { rest: 'from', last: 'to', scheme: 'gs' },
          rsync: { rest: 'from', last: 'to', recursive: true, scheme: 'gs' },
          rm: { same: [['-r', '-R', '--recursive']] },
          buckets: {},
        },
      },
      projects: {},
    },
  },
  gsutil: {
    values: '-h -o -u',
    subcommands: {
      cp: { rest: 'from', last: 'to', recursive: '-r -R', scheme: 'gs' },
      mv: { rest: 'from', last: 'to', scheme: 'gs' },
      rsync: { rest: 'from', last: 'to', recursive: true, scheme: 'gs' },
      rm: { same: [['-r', '-R']] },
      rb: {},
      ls: {},
    },
  },
  bq: { values: '--project_id --dataset_id --location' },
  az: { values: '--subscription --resource-group -g --name -n --output -o --query' },
  doctl: { values: '-t --access-token -c --config --context -o --output' },
  gh: {
    values:
      '-R --repo --hostname -b --body -t --title -F --body-file -H --head -B --base -q --jq --json -L --limit -X --method -f --raw-field --field --input -a --assignee -l --label -m --milestone -r --reviewer --template -p --project -e --env',
    flags: { '-F': 'at-file', '--body-file': 'read', '--input': 'read' },
    subcommands: {
      gist: {
        subcommands: { create: { values: '-d --desc -f --filename', rest: 'read' }, delete: {}, edit: {} },
      },
      release: {
        subcommands: {
          create: {
            values: '-t --title -n --notes -F --notes-file --target -R --repo',
            first: ['text'],
            rest: 'read',
          },
          upload: { values: '-R --repo', first: ['text'], rest: 'read' },
          delete: {},
          download: {},
        },
      },
      repo: {},
    },
  },
  glab: { values: '-R --repo -b --body -t --title -d --description -l --label' },
  hub: {},
  heroku: { values: '-a --app -r --remote' },
  flyctl: { values: '-a --app -c --config' },
  fly: { values: '-a --app -c --config' },
  vercel: { values: '-t --token -S --scope --cwd -A --local-config' },
  netlify: { values: '--auth --site --dir -d' },
  firebase: { values: '-P --project --token --config --only' },
  wrangler: {
    values: '-c --config -e --env',
    subcommands: { r2: {}, kv: {}, d1: {}, pages: {}, secret: {} },
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: { values: '--terragrunt-working-dir', subcommands: {} },
  pulumi: { values: '-s --stack -C --cwd', subcommands: { stack: {}, config: {} } },
  ansible: {
    values: '-i --inventory -m --module-name -a --args -e --extra-vars -u --user -l --limit',
    rest: 'text',
  },
  'ansible-playbook': {
    values: '-i --inventory -e --extra-vars -u --user -l --limit -t --tags',
    rest: 'read',
  },
  vault: {
    values: '-address -namespace -format -field',
    dashes: 'word',
    subcommands: { kv: {}, secrets: {}, auth: {}, token: {}, policy: {} },
  },
  op: { values: '--account --vault --format --fields' },
  pass: { rest: 'text' },
  security: { dashes: 'none' },
  supabase: { values: '--project-ref --workdir', subcommands: { db: {}, projects: {}, secrets: {} } },
};
