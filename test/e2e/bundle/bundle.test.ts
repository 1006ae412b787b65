import { expect, test } from 'bun:test';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Said, type Workplace, workplace } from '../hook/workplace.ts';

const POLICY = `version: 1
policies:
  - id: blocked-hosts
    tool: fetch
    arguments: {url: {one_of: {file: data/hosts.json}}}
    action: deny
    reason: The team does not use these
`;
const TEST = `version: 1
cases:
  - call: {tool: fetch, url: bad.example}
    expect: deny
`;

function repository(): Workplace {
  return workplace({
    'project/policies/hosts.yaml': POLICY,
    'project/policies/data/hosts.json': '["bad.example"]',
    'project/policies/hosts.test.yaml': TEST,
    'project/policies/team/more.yaml':
      'version: 1\nextends: [builtin:git-safety, ../hosts.yaml]\nprograms: {acmectl: {network: connect}}\n',
    'project/policies/README.md': '# Policies of Acme\n',
  });
}

function bundle(place: Workplace, line: string): Promise<Said> {
  return place.run({ args: ['bundle', ...line.split(' ')] });
}

test('what a command reads by a name is a regular file of a fitting size', async () => {
  const place = repository();
  await bundle(place, 'keygen acme');
  await bundle(place, 'build policies --name acme --version 1.0.0 --key acme.key --to a.tgz');
  Bun.spawnSync(['mkfifo', join(place.project, 'pipe')]);
  place.write({ 'project/large': new Uint8Array(5 * 1024 * 1024) });
  const identity = '--certificate-identity a --certificate-oidc-issuer b';
  const lines: readonly (readonly [line: string, files: readonly string[], code: number])[] = [
    ['bundle verify a.tgz --key FILE', ['/dev/zero', 'pipe', 'large'], 2],
    ['bundle verify a.tgz --key acme.pub --withdrawn FILE', ['/dev/zero', 'pipe', 'large'], 2],
    [`bundle verify a.tgz ${identity} --trusted-root FILE`, ['/dev/zero', 'pipe', 'large'], 2],
    [
      'bundle build policies --name acme --version 1.0.0 --to b.tgz --key FILE',
      ['/dev/zero', 'pipe', 'large'],
      2,
    ],
    ['bundle verify FILE --key acme.pub', ['/dev/zero', 'pipe'], 2],
    ['explain FILE', ['/dev/zero', 'pipe'], 2],
    ['diff --calls FILE', ['/dev/zero', 'pipe'], 2],
    ['judge eval FILE --policies policies', ['/dev/zero', 'pipe'], 2],
  ];
  for (const [line, files, code] of lines)
    for (const file of files) {
      const said = await place.run({ args: line.replace('FILE', file).split(' ') });
      expect([line, file, said.exitCode]).toEqual([line, file, code]);
      expect(said.stderr).toMatch(/it is not a regular file|it is larger than (64 KiB|4 MiB)|has no judge/);
    }
}, 60_000);

test('a team builds, signs, verifies and inspects a bundle', async () => {
  const place = repository();
  const made = await bundle(place, 'keygen acme');
  const [, key = ''] = /^Wrote acme\.key and acme\.pub: key ([0-9a-f]{16})\n$/.exec(made.stdout) ?? [];
  expect(key).not.toBe('');
  expect(statSync(join(place.project, 'acme.key')).mode & 0o777).toBe(0o600);

  const built = await bundle(place, 'build --name acme --version 1.4.0 --expires 2999-01-31 --key acme.key');
  expect(built).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: `Built acme-1.4.0.tgz: 3 files, signed with key ${key}\n`,
  });
  await bundle(
    place,
    'build policies --name acme --version 1.4.0 --expires 2999-01-31 --key acme.key --to again.tgz',
  );
  const [bytes, again] = ['acme-1.4.0.tgz', 'again.tgz'].map((name) =>
    readFileSync(join(place.project, name)),
  );
  expect(again?.equals(bytes ?? Buffer.of())).toBe(true);

  const verified = await bundle(place, 'verify acme-1.4.0.tgz --key acme.pub --name acme --at-least 1.4.0');
  expect(verified).toMatchObject({
    exitCode: 0,
    stdout: `acme 1.4.0 is signed with key ${key}\n`,
    stderr: '',
  });

  const inspected = await bundle(place, 'inspect acme-1.4.0.tgz --json');
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    version: 1,
    bundle: {
      name: 'acme',
      version: '1.4.0',
      expires: '2999-02-01T00:00:00.000Z',
      signatures: [key],
      files: [{ path: 'data/hosts.json', bytes: 15 }, { path: 'hosts.yaml' }, { path: 'team/more.yaml' }],
    },
  });
  // The digests are those that anybody can compute.
  const ofTests = await place.run({
    shell:
      "cd policies && find . -name '*.test.yaml' -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum",
  });
  expect(inspected.stdout).toContain(`"tests_digest": "sha256:${ofTests.stdout.slice(0, 64)}"`);
});

test('tar and openssl verify a bundle as the documentation says', async () => {
  const place = repository();
  await bundle(place, 'keygen acme');
  await bundle(place, 'build --name acme --version 1.4.0 --key acme.key');
  const { stdout } = await place.run({
    shell: `tar -xzf acme-1.4.0.tgz && tr -d '[]{}"\\n' < signatures.json | sed 's/.*signature://' | base64 -d > bundle.sig &&
      openssl pkeyutl -verify -pubin -inkey acme.pub -rawin -in bundle.json -sigfile bundle.sig &&
      cd files && find . -type f -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum`,
  });
  const digest = JSON.parse(readFileSync(join(place.project, 'bundle.json'), 'utf8')).digest;
  expect(stdout).toBe(`Signature Verified Successfully\n${digest.slice('sha256:'.length)}  -\n`);
});

test('what is unpacked judges as the folder did', async () => {
  const place = repository();
  await bundle(place, 'build --name acme --version 1.0.0');
  const unpacked = await place.run({
    shell: 'tar -xzf acme-1.0.0.tgz && cp policies/hosts.test.yaml files/',
  });
  expect(unpacked.stderr).toBe('');
  expect(await place.run({ args: ['test', 'files'] })).toMatchObject({ exitCode: 0 });
});

test('a bundle that must not be taken is refused with the reason', async () => {
  const place = repository();
  await bundle(place, 'keygen acme');
  await bundle(place, 'keygen other');
  await bundle(place, 'build --name acme --version 1.0.0 --to unsigned.tgz');
  await bundle(place, 'build --name acme --version 1.0.0 --key acme.key --key other.key --to signed.tgz');
  await bundle(
    place,
    'build --name acme --version 1.0.0 --key acme.key --expires 2020-01-31 --to expired.tgz',
  );
  place.write({ 'project/part.tgz': readFileSync(join(place.project, 'signed.tgz')).subarray(0, 300) });
  const cases: readonly (readonly [string, RegExp])[] = [
    ['unsigned.tgz --key acme.pub', /unsigned.tgz": it is not signed\n$/],
    ['expired.tgz --key acme.pub', /it expired at 2020-02-01T00:00:00.000Z/],
    ['expired.tgz --key other.pub', /which is not one of those that may sign it/],
    ['signed.tgz --key acme.pub --withdrawn acme.pub', /which has been withdrawn/],
    ['signed.tgz --key acme.pub --at-least 1.0.1', /it is version 1.0.0, which is older than 1.0.1/],
    ['signed.tgz --key acme.pub --name umbrella', /it is the bundle "acme", not "umbrella"/],
    ['part.tgz --key acme.pub', /the archive is not complete/],
  ];
  for (const [line, reason] of cases) {
    const { exitCode, stdout, stderr } = await bundle(place, `verify ${line}`);
    expect([line, exitCode, stdout, stderr]).toEqual([line, 1, '', expect.stringMatching(reason)]);
  }
  const json = await bundle(place, 'verify unsigned.tgz --key acme.pub --json');
  expect(JSON.parse(json.stdout)).toEqual({
    version: 1,
    verified: false,
    cause: 'it is not signed',
    signed_by: null,
    bundle: null,
  });
  // What another key has signed as well goes on after one is withdrawn.
  const rotated = await bundle(
    place,
    'verify signed.tgz --key acme.pub --key other.pub --withdrawn acme.pub',
  );
  expect(rotated.exitCode).toBe(0);
});

test('a command line that cannot be meant is an error with what to write', async () => {
  const place = repository();
  await bundle(place, 'keygen acme');
  await bundle(place, 'build --name acme --version 1.0.0 --to a.tgz');
  const cases: readonly (readonly [string, string])[] = [
    ['keygen acme', `Cannot write "${place.project}/acme.key": it is there already`],
    ['build --name acme', 'Cannot build a bundle: give it a --name and a --version'],
    ['build --name Acme! --version 1.0.0', 'Cannot use --name "Acme!": use lower-case letters'],
    ['build --name acme --version 1', 'Cannot use --version "1": give a version such as 1.4.0'],
    ['build --name acme --version 1.0.0 --expires soon', 'Cannot use --expires "soon": give a day'],
    ['build --name acme --version 1.0.0 --expires 2027-02-31', 'Cannot use --expires "2027-02-31"'],
    ['build --name acme --version 1.0.0 --key acme.pub', 'Cannot use key "acme.pub": it is not a secret key'],
    ['build nowhere --name acme --version 1.0.0', 'Cannot build a bundle of "nowhere": it is not a folder'],
    ['verify a.tgz', 'Cannot verify "a.tgz": name who may sign it with --key NAME.pub'],
    ['verify a.tgz --key acme.key', 'Cannot use key "acme.key": it is the secret key'],
    ['verify a.tgz --key policies/hosts.yaml', 'it is not a key from policy bundle keygen'],
    ['verify nothing.tgz --key acme.pub', 'Cannot read bundle "nothing.tgz": there is no such file'],
    ['verify policies --key acme.pub', 'Cannot read bundle "policies": it is not a regular file'],
    ['unpack a.tgz', 'Cannot do "unpack": write keygen, build, verify'],
  ];
  for (const [line, message] of cases) {
    const { exitCode, stdout, stderr } = await bundle(place, line);
    expect([line, exitCode, stdout, stderr]).toEqual([line, 2, '', expect.stringContaining(message)]);
  }
});

test('a bundle is not built of what it could not hold', async () => {
  const place = repository();
  place.write({ 'project/shared/base.yaml': 'version: 1\nextends: [builtin:secrets]\n' });
  place.write({ 'project/policies/team/more.yaml': 'version: 1\nextends: [../../shared/base.yaml]\n' });
  const outside = await bundle(place, 'build --name acme --version 1.0.0');
  expect(outside.exitCode).toBe(2);
  expect(outside.stderr).toContain('shared/base.yaml": it lies outside of');

  place.write({ 'project/policies/team/more.yaml': 'version: 1\nextends: [builtin:secrets]\n' });
  symlinkSync('more.yaml', join(place.project, 'policies/team/link.yaml'));
  const linked = await bundle(place, 'build --name acme --version 1.0.0');
  expect(linked.exitCode).toBe(2);
  expect(linked.stderr).toContain('policies/team/link.yaml": it is a link; put the file itself there');

  place.write({ 'project/policies/team/more.yaml': 'version: 1\npolicies: [{}]\n' });
  const broken = await bundle(place, 'build --name acme --version 1.0.0');
  expect(broken.exitCode).toBe(3);
  expect(broken.stderr).toContain('Cannot bundle policies that cannot be loaded');
});
