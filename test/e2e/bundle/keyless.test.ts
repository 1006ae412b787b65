import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sigstore, startSigstore, tokenOf } from '../../bundle/sigstore.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Said, type Workplace, workplace } from '../hook/workplace.ts';
import { CAN_BE_ROOT, machineIn } from '../sync/machine.ts';
import { refusing } from '../sync/team.ts';

const SUBJECT = 'https://github.com/acme/policies/.github/workflows/release.yml@refs/tags/v1.4.0';
const ISSUER = 'https://token.actions.githubusercontent.com';
let sigstore: Sigstore;
beforeAll(async () => {
  sigstore = await startSigstore();
});
afterAll(() => sigstore.stop());

function teamPlace(): Workplace {
  return workplace({
    'project/policies/team.yaml': refusing('htop'),
    'project/root.json': sigstore.trustedRoot,
  });
}

function build(place: Workplace, token: string | undefined): Promise<Said> {
  return place.run({
    args: ['bundle', 'build', 'policies', '--name', 'acme', '--version', '1.4.0', '--keyless'].concat([
      '--fulcio-url',
      sigstore.url,
      '--rekor-url',
      sigstore.url,
    ]),
    env: { SIGSTORE_ID_TOKEN: token },
  });
}

function verify(place: Workplace, ...args: string[]): Promise<Said> {
  return place.run({ args: ['bundle', 'verify', 'acme-1.4.0.tgz', '--trusted-root', 'root.json', ...args] });
}

test('a team signs a bundle without a key, and who takes it names the workflow', async () => {
  const place = teamPlace();
  expect(await build(place, tokenOf(SUBJECT, ISSUER))).toMatchObject({
    exitCode: 0,
    stdout: 'Built acme-1.4.0.tgz: 1 file, signed without a key\n',
    stderr: '',
  });
  const workflow = SUBJECT.replace('v1.4.0', '*');
  const taken = ['--certificate-identity', workflow, '--certificate-oidc-issuer', ISSUER];
  expect(await verify(place, ...taken)).toMatchObject({
    exitCode: 0,
    stdout: `acme 1.4.0 is signed by ${SUBJECT}\n`,
    stderr: '',
  });
  expect(
    await verify(place, '--certificate-identity', workflow, '--certificate-oidc-issuer', 'https://a.example'),
  ).toMatchObject({
    exitCode: 1,
    stderr: `policy bundle: Cannot use bundle "acme-1.4.0.tgz": it is signed by "${SUBJECT}" of ${ISSUER}, which is not an allowed identity\n`,
  });
  expect((await verify(place, '--certificate-identity', workflow)).stderr).toContain(
    'give both --certificate-identity and --certificate-oidc-issuer',
  );
  expect((await place.run({ args: ['bundle', 'inspect', 'acme-1.4.0.tgz'] })).stdout).toContain(
    'signatures  keyless\n',
  );
});

test('nothing is built where nobody says who signs', async () => {
  const place = teamPlace();
  const { exitCode, stdout, stderr } = await build(place, undefined);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toStartWith(
    'policy bundle: Cannot build bundle "acme": it cannot be signed without a key: ',
  );
});

test.if(CAN_BE_ROOT)('policy sync takes a bundle from the identities that may sign it', async () => {
  const place = teamPlace();
  await build(place, tokenOf(SUBJECT, ISSUER));
  const machine = machineIn(temporaryFolder());
  const bundle = join(place.project, 'acme-1.4.0.tgz');
  const managed = (subject: string) =>
    `version: 1\nmanaged: {url: 'file://${bundle}', identities: [{subject: '${subject}', issuer: '${ISSUER}'}], trusted_root: root.json}\n`;
  machine.write({
    'etc/policy/org.yaml': managed('https://github.com/acme/other/*'),
    'etc/policy/root.json': readFileSync(join(place.project, 'root.json'), 'utf8'),
  });
  expect((await machine.run('policy sync')).stderr).toContain(`it is signed by "${SUBJECT}"`);
  machine.write({ 'etc/policy/org.yaml': managed(SUBJECT) });
  expect(await machine.run('policy sync')).toEqual({
    exitCode: 0,
    stdout: 'acme 1.4.0 is in force now\n',
    stderr: '',
  });
  expect((await machine.fate('htop')).fate).toBe('refused');
});
