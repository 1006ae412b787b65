import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../bundle/make-bundle.ts';
import { denying, writeFiles } from '../../policy/support.ts';
import { fetchNamed, textsOf } from '../../sources/fetch-named.ts';
import { packageOf, registryOf } from '../../sources/npm-registry.ts';
import { loopbackServers } from '../../support/loopback-servers.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const serve = loopbackServers();
const NAME = '@acme/policies';

/** What fetching needs to ask this registry, and nothing of this user's own settings. */
function asking(url: string) {
  const home = folders();
  return {
    home,
    env: { HOME: home, TMPDIR: home, npm_config_registry: url, npm_config_userconfig: join(home, 'user') },
  };
}

/** A registry with a package of one file, whose archive has these entries as well. */
async function registryWith(more: readonly Entry[] = []) {
  const archive = await packageOf(NAME, '1.2.3', { 'a.yaml': denying('a') }, more);
  return asking(serve(registryOf([{ name: NAME, version: '1.2.3', archive }])));
}

describe('a package', () => {
  test('is fetched by range, by tag, without any and as it is pinned', async () => {
    const published = await Promise.all(
      ['1.2.3', '1.3.0', '2.0.0'].map(async (version) => ({
        name: NAME,
        version,
        archive: await packageOf(NAME, version, { 'shell/a.yaml': denying(`v${version[0]}`), 'a.js': '' }),
      })),
    );
    const options = asking(serve(registryOf(published)));
    for (const [name, version] of [
      ['npm:@acme/policies@^1.2', '1.3.0'],
      ['npm:@acme/policies@next', '1.2.3'],
      ['npm:@acme/policies', '2.0.0'],
    ] as const) {
      const fetched = await fetchNamed(name, undefined, options);
      expect([name, fetched.revision]).toEqual([name, version]);
      expect(textsOf(fetched)).toEqual({
        'package.json': JSON.stringify({ name: NAME, version }),
        'shell/a.yaml': denying(`v${version[0]}`),
      });
    }
    const pinned = await fetchNamed('npm:@acme/policies', '1.2.3', options);
    expect(pinned.revision).toBe('1.2.3');
    expect(readdirSync(options.home)).toEqual([]);
  });

  test("comes from the registry that the user's own configuration names, with its token", async () => {
    const archive = await packageOf(NAME, '1.2.3', { 'a.yaml': denying('a') });
    const answer = registryOf([{ name: NAME, version: '1.2.3', archive }]);
    const url = serve((request) =>
      request.headers.get('authorization') === 'Bearer secret'
        ? answer(request)
        : new Response('', { status: 401 }),
    );
    const { home, env } = asking('http://127.0.0.1:1');
    writeFiles(home, { user: `@acme:registry=${url}\n${url.slice('http:'.length)}/:_authToken=secret\n` });
    const fetched = await fetchNamed(`npm:${NAME}@1.2.3`, undefined, { env });
    expect(fetched.files.has('a.yaml')).toBe(true);
  });

  test('runs none of its scripts', async () => {
    const scripts = Object.fromEntries(
      ['preinstall', 'install', 'prepare', 'prepack', 'postpack'].map((name) => [name, 'touch "$HOME/harm"']),
    );
    const manifest = JSON.stringify({ name: NAME, version: '1.2.3', scripts });
    const archive = await packageOf(NAME, '1.2.3', { 'package.json': manifest, 'a.yaml': denying('a') });
    const options = asking(serve(registryOf([{ name: NAME, version: '1.2.3', archive }])));
    expect((await fetchNamed(`npm:${NAME}`, undefined, options)).revision).toBe('1.2.3');
    expect(existsSync(join(options.home, 'harm'))).toBe(false);
  });

  test.each<[string, Entry, string]>([
    ['a path out of it', { name: 'package/../../evil.yaml', content: '' }, 'leads out of it'],
    ['a file twice', { name: 'other/a.yaml', content: '' }, 'two files "a.yaml"'],
  ])('with %s is refused', async (_, entry, cause) => {
    await expect(fetchNamed(`npm:${NAME}`, undefined, await registryWith([entry]))).rejects.toThrow(cause);
  });

  test('is said not to be there', async () => {
    await expect(fetchNamed('npm:@acme/none', undefined, await registryWith())).rejects.toThrow(
      'npm says: Not Found',
    );
  });

  test('that was taken back is not replaced by another version', async () => {
    const options = await registryWith();
    await expect(fetchNamed('npm:@acme/policies@^1.0', '1.2.2', options)).rejects.toThrow(
      'No matching version found for @acme/policies@1.2.2',
    );
  });
});

describe('a registry', () => {
  test('that sends something else than it names is not believed', async () => {
    const archive = await packageOf(NAME, '1.2.3', { 'a.yaml': denying('a') });
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
    const url = serve(registryOf([{ name: NAME, version: '1.2.3', archive, integrity }]));
    await expect(fetchNamed(`npm:${NAME}`, undefined, asking(url))).rejects.toThrow(
      'integrity checksum failed',
    );
  });

  test('that stalls is given up', async () => {
    const url = serve(() => new Promise<Response>(() => {}));
    await expect(fetchNamed(`npm:${NAME}`, undefined, { ...asking(url), timeoutMs: 2_000 })).rejects.toThrow(
      `Cannot fetch "npm:${NAME}": npm was not through after 2 s`,
    );
  });

  test('that sends more than anybody needs is stopped', async () => {
    const tooMuch = new Uint8Array(256 * 1024 * 1024);
    const honest = registryOf([{ name: NAME, version: '1.2.3', archive: new Uint8Array() }]);
    const url = serve((request) => (request.url.endsWith('.tgz') ? new Response(tooMuch) : honest(request)));
    await expect(fetchNamed(`npm:${NAME}`, undefined, asking(url))).rejects.toThrow('more than 128 MiB');
  });

  test('that is not there is said to be so', async () => {
    await expect(fetchNamed(`npm:${NAME}`, undefined, asking('http://127.0.0.1:1'))).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});

test('without npm says so', async () => {
  await expect(fetchNamed(`npm:${NAME}`, undefined, { env: { PATH: '/nonexistent' } })).rejects.toThrow(
    'npm cannot be started',
  );
});
