import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Said, type Workplace, workplace } from '../hook/workplace.ts';
import { type DockerRegistry, HAS_REGISTRY, startRegistry } from './docker-registry.ts';

const running: DockerRegistry[] = [];
afterEach(() => Promise.all(running.splice(0).map((registry) => registry.stop())));

async function registry(htpasswd?: string): Promise<string> {
  const started = await startRegistry(temporaryFolder(), htpasswd);
  running.push(started);
  return started.host;
}

/** A project with a signed bundle and the keys. */
async function team(): Promise<Workplace> {
  const place = workplace({
    'project/policies/git.yaml':
      "version: 1\npolicies: [{id: a, tool: shell, arguments: {command: '^htop$'}, action: deny}]\n",
  });
  await bundle(place, 'keygen acme');
  await bundle(place, 'keygen other');
  await bundle(place, 'build --name acme --version 1.4.0 --key acme.key');
  return place;
}

function bundle(place: Workplace, line: string, env: Record<string, string> = {}): Promise<Said> {
  return place.run({ args: ['bundle', ...line.split(' ')], env });
}

describe.if(HAS_REGISTRY)('a registry', () => {
  test('takes a bundle and gives it back, by tag and by digest', async () => {
    const place = await team();
    const host = await registry();
    const pushed = await bundle(place, `push acme-1.4.0.tgz oci://${host}/team/policies:1.4.0`);
    expect([pushed.exitCode, pushed.stderr]).toEqual([0, '']);
    const [, name = ''] =
      /^Pushed acme-1\.4\.0\.tgz: (oci:\/\/\S+@sha256:[0-9a-f]{64})\n$/.exec(pushed.stdout) ?? [];
    expect(name).toStartWith(`oci://${host}/team/policies@`);
    // The same bundle has the same digest, wherever and however often it is pushed.
    expect((await bundle(place, `push acme-1.4.0.tgz oci://${host}/team/policies:stable`)).stdout).toBe(
      pushed.stdout,
    );

    for (const from of [
      name,
      `oci://${host}/team/policies:stable`,
      `oci://${host}/team/policies:1.4.0@${name.split('@')[1]}`,
    ]) {
      const pulled = await bundle(place, `pull ${from} --key acme.pub --to pulled.tgz`);
      expect(pulled).toMatchObject({
        exitCode: 0,
        stderr: '',
        stdout: `Pulled pulled.tgz: ${name.split('@')[1]}\n`,
      });
      expect(
        readFileSync(join(place.project, 'pulled.tgz')).equals(
          readFileSync(join(place.project, 'acme-1.4.0.tgz')),
        ),
      ).toBe(true);
    }
    expect((await bundle(place, `pull ${name}`)).stdout).toEndWith(', not verified\n');
    // The registry itself has what it takes for the same.
    const manifest = await fetch(`http://${host}/v2/team/policies/manifests/stable`, {
      headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
    });
    expect(manifest.headers.get('docker-content-digest')).toBe(name.split('@')[1] ?? '');
  });

  test('lets in who has logged in, and says to others what to do', async () => {
    const place = await team();
    const hash = await Bun.password.hash('s3cret', { algorithm: 'bcrypt', cost: 4 });
    const host = await registry(`ci:${hash}\n`);
    const to = `oci://${host}/team/policies:1`;
    const refused = await bundle(place, `push acme-1.4.0.tgz ${to}`);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('its registry wants a password; run docker login, or oras login'),
    ]);
    const auth = (password: string) =>
      JSON.stringify({ auths: { [host]: { auth: btoa(`ci:${password}`) } } });
    place.write({ 'home/.docker/config.json': auth('wrong'), 'docker/config.json': auth('s3cret') });
    expect((await bundle(place, `push acme-1.4.0.tgz ${to}`)).stderr).toContain('HTTP status 401');
    const env = { DOCKER_CONFIG: join(place.folder, 'docker') };
    expect((await bundle(place, `push acme-1.4.0.tgz ${to}`, env)).exitCode).toBe(0);
    expect((await bundle(place, `pull ${to} --key acme.pub`, env)).exitCode).toBe(0);
  });

  test('has a bundle that must not be taken: nothing is written', async () => {
    const place = await team();
    const host = await registry();
    await bundle(place, `push acme-1.4.0.tgz oci://${host}/team/policies:1`);
    const cases: readonly (readonly [string, string])[] = [
      [`oci://${host}/team/policies:1 --key other.pub`, 'which is not one of those that may sign it'],
      [
        `oci://${host}/team/policies:1 --key acme.pub --at-least 2.0.0`,
        'it is version 1.4.0, which is older than 2.0.0',
      ],
      [`oci://${host}/team/policies:2 --key acme.pub`, 'its registry has nothing of this name'],
      [`oci://${host}/team/policies@sha256:${'0'.repeat(64)}`, 'its registry has nothing of this name'],
      ['oci://127.0.0.1:1/team/policies:1', 'it cannot be reached'],
      [`oci://${host}/Team/Policies:1`, 'it does not name a registry'],
      [`https://${host}/team/policies:1`, 'it does not name a registry'],
    ];
    for (const [line, reason] of cases) {
      const { exitCode, stdout, stderr } = await bundle(place, `pull ${line} --to out.tgz`);
      expect([line, exitCode, stdout, stderr]).toEqual([line, 1, '', expect.stringContaining(reason)]);
      expect(await Bun.file(join(place.project, 'out.tgz')).exists()).toBe(false);
    }
    expect((await bundle(place, `push acme-1.4.0.tgz oci://${host}/team/policies`)).stderr).toContain(
      'name a tag to push to',
    );
  });
});
