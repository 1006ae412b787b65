import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { BUILD_INFO } from '../../../src/language/generated/build-info.ts';
import { ORGANISATION_TEXTS } from '../../../src/tools/generated/organisation-texts.ts';
import { type Sigstore, startSigstore, tokenOf } from '../../bundle/sigstore.ts';
import { repositoryIn } from '../../sources/git-repository.ts';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { type DockerRegistry, HAS_REGISTRY, startRegistry } from '../bundle/docker-registry.ts';
import { type Said, type Workplace, workplaceIn } from '../hook/workplace.ts';

const WORKFLOW = 'Acme/policies/.github/workflows/policies.yml@refs/tags/v1.4.0';

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** The repository of an organisation, as `policy init --org` makes it, under git. */
async function organisation(): Promise<Workplace> {
  const place = workplaceIn(temporaryFolder());
  const said = await place.run({ args: ['init', '--org'] });
  expect([said.exitCode, said.stderr]).toEqual([0, '']);
  git(place, 'init', '-q', '-b', 'main');
  commit(place);
  git(place, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  return place;
}

function git({ project }: Workplace, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: project,
    stdio: 'ignore',
  });
}

function commit(place: Workplace): void {
  git(place, 'add', '-A');
  git(place, 'commit', '-q', '-m', 'one');
}

/** What a runner puts in place of an expression. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'github.base_ref': 'main',
  'github.event.number': '7',
  'github.token': 'token',
};

function filledIn(text: string): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_whole, expression: string) => {
    const value = EXPRESSIONS[expression];
    if (value === undefined) throw new Error(`no runner knows ${expression}`);
    return value;
  });
}

interface Ran {
  readonly step: string;
  readonly said: Said;
}

/** Runs the steps of a job as a runner does, up to the first that fails; npm and gh only note what they are asked. */
async function runJob(
  place: Workplace,
  name: string,
  event: Readonly<Record<string, string>> = {},
): Promise<readonly Ran[]> {
  const workflow = load(
    readFileSync(join(place.project, '.github/workflows/policies.yml'), 'utf8'),
  ) as Workflow;
  const bin = join(place.folder, 'bin');
  const runner = join(place.folder, 'runner');
  for (const folder of [bin, runner]) mkdirSync(folder, { recursive: true });
  if (!existsSync(join(bin, 'policy'))) symlinkSync(BINARY, join(bin, 'policy'));
  for (const tool of ['npm', 'gh', 'docker']) {
    // Whoever is given a password reads it.
    const reads = tool === 'docker' ? 'cat > /dev/null\n' : '';
    writeFileSync(
      join(bin, tool),
      `#!/bin/sh\necho "${tool} $*" >> "$RUNNER_TEMP/asked"\n${reads}exit \${${tool}_exit:-0}\n`,
    );
    chmodSync(join(bin, tool), 0o755);
  }
  const ran: Ran[] = [];
  for (const { name: step = '', run, env = {} } of workflow.jobs[name]?.steps ?? []) {
    if (run === undefined) continue;
    const own = Object.entries(env).map(([key, text]) => [key, filledIn(text)]);
    const said = await place.run({
      shell: `PATH="${bin}:$PATH"; bash --noprofile --norc -eo pipefail <<'STEP'\n${run}\nSTEP`,
      env: {
        RUNNER_TEMP: runner,
        GITHUB_STEP_SUMMARY: join(runner, 'summary.md'),
        ...workflow.env,
        ...event,
        ...Object.fromEntries(own),
      },
    });
    ran.push({ step, said });
    if (said.exitCode !== 0) break;
  }
  return ran;
}

function asked({ folder }: Workplace): readonly string[] {
  return readFileSync(join(folder, 'runner/asked'), 'utf8').trim().split('\n');
}

const steps = (ran: readonly Ran[]) => ran.map(({ step, said }) => [step, said.exitCode]);

describe('policy init --org', () => {
  test('writes a repository whose policies are sound, tested through and formatted', async () => {
    const place = await organisation();
    for (const [name, text] of Object.entries(ORGANISATION_TEXTS))
      expect(readFileSync(join(place.project, name), 'utf8')).toBe(
        text.replace('{{version}}', BUILD_INFO.version).replace('{{commit}}', BUILD_INFO.commit),
      );
    const check = await place.run({ args: ['check', 'policies'] });
    expect([check.exitCode, check.stdout]).toEqual([0, expect.stringMatching(/^No problems in /)]);
    expect((await place.run({ args: ['test', '--mutate'] })).stdout).toMatch(/^\d+ mutants, all noticed/);
    const again = await place.run({ args: ['init', '--org'] });
    expect(again.stdout).toContain('Left README.md as it is: it is there already');
    expect(again.exitCode).toBe(0);
  });

  test('does not mix with the kinds of projects', async () => {
    const said = await workplaceIn(temporaryFolder()).run({ args: ['init', '--org', '--for', 'npm'] });
    expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining('Cannot use --for with --org')]);
  });

  test('its CI lets good policies through and writes the difference into the pull request', async () => {
    const place = await organisation();
    const path = join(place.project, 'policies/releases.yaml');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('[publish, unpublish]', '[publish, unpublish, deprecate]'));
    // A word that no test reaches.
    expect(steps(await runJob(place, 'test')).at(-1)).toEqual(['Test', 1]);
    writeFileSync(path, text.replace('push a tag, which starts it', 'push a tag'));
    expect(steps(await runJob(place, 'test'))).toEqual(
      ['Install', 'Check', 'Test', 'Mutate', 'Compare'].map((step) => [step, 0]),
    );
    expect(asked(place)).toContain(
      `npm install --global --no-audit --no-fund policy-hook@${BUILD_INFO.version}`,
    );
    expect(asked(place).at(-1)).toMatch(
      /^gh pr comment 7 --edit-last --create-if-none --body-file \S+\/comment\.md$/,
    );
    expect(readFileSync(join(place.folder, 'runner/comment.md'), 'utf8')).toMatch(
      /changed +releases\/no-publish/,
    );
  });

  test('its CI says what got looser, and leaves that to the owners', async () => {
    const place = await organisation();
    for (const file of ['releases.yaml', 'releases.test.yaml']) {
      const path = join(place.project, 'policies', file);
      const looser = readFileSync(path, 'utf8')
        .replace('[npm, [publish, unpublish]]', '[npm, publish]')
        .replace(', {command: npm unpublish shop@1.0.0}', '');
      writeFileSync(path, looser);
    }
    expect(steps(await runJob(place, 'test')).at(-1)).toEqual(['Compare', 0]);
    expect(readFileSync(join(place.folder, 'runner/comment.md'), 'utf8')).toContain(
      'loosened  releases/no-publish',
    );
  });

  test('its CI lets good policies through where it may not comment, as for forks, or the difference is long', async () => {
    const place = await organisation();
    place.write({
      'bin/policy': `#!/bin/sh\nif [ "$1" = diff ]; then yes loosened | head -n 8000; else exec "${BINARY}" "$@"; fi\n`,
    });
    chmodSync(join(place.folder, 'bin/policy'), 0o755);
    const compare = (await runJob(place, 'test', { gh_exit: '1' })).at(-1);
    expect([compare?.step, compare?.said.exitCode]).toEqual(['Compare', 0]);
    expect(compare?.said.stdout).toContain('::warning::');
    const [comment, summary] = ['comment.md', 'summary.md'].map((name) =>
      readFileSync(join(place.folder, 'runner', name), 'utf8'),
    );
    expect(summary?.match(/^loosened$/gm)).toHaveLength(8_000);
    expect(comment).toContain('is too long for a comment');
  });

  test.each([
    ['Check', 'policies/broken.yaml', 'version: 1\npolicies: [{id: x}]\n'],
    ['Check', 'policies/odd.yaml', 'version:  1\nname: odd\npolicies: []\n'],
    [
      'Test',
      'policies/wrong.test.yaml',
      'version: 1\ncases:\n  - call: {command: npm publish}\n    expect: continue\n',
    ],
  ])('its CI stops at %s for %s', async (step, file, text) => {
    const place = await organisation();
    place.write({ [`project/${file}`]: text });
    const last = (await runJob(place, 'test')).at(-1);
    expect(last?.step).toBe(step);
    expect(last?.said.exitCode).not.toBe(0);
  });

  test('its CI builds the program from its repository as long as npm does not have it', async () => {
    const place = await organisation();
    const source = repositoryIn(join(place.folder, 'source'));
    const commit = source.commit({ 'package.json': '{}' });
    // What npm would do there.
    place.write({
      'bin/npm':
        '#!/bin/sh\ncase "$1" in install) exit 1;; run) mkdir dist; echo built > dist/policy;; esac\n',
    });
    chmodSync(join(place.folder, 'bin/npm'), 0o755);
    const install = (repository: string) =>
      place.run({
        shell: 'sh .github/install-policy.sh',
        env: {
          PATH: `${place.folder}/bin:${place.env['PATH']}`,
          GITHUB_PATH: join(place.folder, 'path'),
          RUNNER_TEMP: join(place.folder, 'runner'),
          POLICY_VERSION: '9.9.9',
          POLICY_REPOSITORY: repository,
          POLICY_COMMIT: commit,
        },
      });
    const unknown = await install('');
    expect([unknown.exitCode, unknown.stdout]).toEqual([
      1,
      expect.stringContaining('into POLICY_REPOSITORY'),
    ]);
    expect(await install(source.folder)).toMatchObject({ exitCode: 0 });
    const added = readFileSync(join(place.folder, 'path'), 'utf8').trim();
    expect(readFileSync(join(added, 'policy'), 'utf8')).toBe('built\n');
  });

  describe.if(HAS_REGISTRY)('with a tag', () => {
    const folder = sharedFolder();
    let sigstore: Sigstore;
    let registry: DockerRegistry;
    beforeAll(async () => {
      [sigstore, registry] = await Promise.all([startSigstore(), startRegistry(folder)]);
    });
    afterAll(async () => {
      sigstore.stop();
      await registry.stop();
    });

    /** Runs the job of a tag with a Sigstore and a registry of this machine in the place of the public ones. */
    async function release(place: Workplace, signer: string): Promise<readonly Ran[]> {
      place.write({
        'root.json': sigstore.trustedRoot,
        'bin/policy': `#!/bin/bash
          case "$2" in
            build) exec ${BINARY} "$@" --fulcio-url ${sigstore.url} --rekor-url ${sigstore.url};;
            verify) exec ${BINARY} "$@" --trusted-root ${place.folder}/root.json;;
            push) exec ${BINARY} bundle push "$3" "\${4/ghcr.io/${registry.host}}";;
          esac`,
      });
      chmodSync(join(place.folder, 'bin/policy'), 0o755);
      return runJob(place, 'release', {
        GITHUB_ACTOR: 'a',
        GITHUB_REF_NAME: 'v1.4.0',
        GITHUB_REPOSITORY: 'Acme/policies',
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_WORKFLOW_REF: WORKFLOW,
        SIGSTORE_ID_TOKEN: tokenOf(signer, 'https://token.actions.githubusercontent.com'),
      });
    }

    test('its CI bundles, signs and pushes the policies', async () => {
      const place = await organisation();
      expect(steps(await release(place, `https://github.com/${WORKFLOW}`))).toEqual(
        ['Install', 'Build and sign', 'Verify', 'Push'].map((step) => [step, 0]),
      );
      expect(asked(place).at(-1)).toBe('docker login ghcr.io --username a --password-stdin');
      for (const tag of ['1.4.0', 'stable']) {
        const pulled = await place.run({
          args: ['bundle', 'pull', `oci://${registry.host}/acme/policies:${tag}`, '--to', `${tag}.tgz`],
        });
        expect([pulled.exitCode, pulled.stderr]).toEqual([0, '']);
        const inspected = await place.run({ args: ['bundle', 'inspect', `${tag}.tgz`, '--json'] });
        expect(JSON.parse(inspected.stdout)).toMatchObject({
          bundle: { name: 'policies', version: '1.4.0', signatures: ['keyless'] },
        });
      }
    });

    test('its CI pushes nothing that another workflow has signed', async () => {
      const place = await organisation();
      const ran = await release(
        place,
        'https://github.com/Acme/policies/.github/workflows/other.yml@refs/heads/a',
      );
      expect(steps(ran).at(-1)).toEqual(['Verify', 1]);
      expect(asked(place).some((line) => line.startsWith('docker '))).toBe(false);
    });
  });
});
