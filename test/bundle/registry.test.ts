import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveDigest } from '../../src/fleet/bundle/bundle.ts';
import { pullBundle, pushBundle } from '../../src/fleet/bundle/oci-registry.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bundleOf, refusalOf } from './make-bundle.ts';
import { ociRegistryOf } from './oci-registry.ts';

type Answer = (request: Request, url: URL) => Response | undefined;

/** A registry that has one bundle, and answers otherwise where `first` has something to say. */
async function registryOf(first: Answer = () => undefined) {
  const bytes = await bundleOf();
  const { manifest, answer } = ociRegistryOf(bytes);
  const url = loopbackServer((request) => first(request, new URL(request.url)) ?? answer(request));
  const { host } = new URL(url);
  return { host, bytes, manifest, name: `oci://${host}/team/policies` };
}

const options = () => ({ env: {}, signal: AbortSignal.timeout(5_000) });

describe('a bundle is not pulled from a registry', () => {
  test('that sends another manifest than its digest says', async () => {
    const { name, manifest } = await registryOf();
    const digest = archiveDigest(Buffer.from(manifest));
    expect(await refusalOf(pullBundle(`${name}@${digest}`, options()))).toBe('taken');
    const other = `sha256:${'0'.repeat(64)}`;
    expect(await refusalOf(pullBundle(`${name}@${other}`, options()))).toBe(
      `its registry sends ${digest} in its place`,
    );
  });

  test('that sends other bytes, or more of them', async () => {
    const changed = (change: (bytes: Uint8Array) => Uint8Array) =>
      registryOf((_, { pathname }) => {
        return pathname.includes('/blobs/') ? new Response(Buffer.from(change(content))) : undefined;
      });
    let content: Uint8Array = await bundleOf();
    const flipped = await changed((bytes) => bytes.map((byte, index) => (index === 50 ? byte ^ 1 : byte)));
    expect(await refusalOf(pullBundle(flipped.name, options()))).toStartWith(
      'its registry sends bytes that differ from sha256:',
    );
    const longer = await changed((bytes) => Buffer.concat([bytes, bytes]));
    expect(await refusalOf(pullBundle(longer.name, options()))).toBe('it is larger than its manifest says');
    content = new Uint8Array();
    const shorter = await changed((bytes) => bytes);
    expect(await refusalOf(pullBundle(shorter.name, options()))).toStartWith(
      'its registry sends bytes that differ from',
    );
  });

  test.each([
    [
      'an image',
      '{"layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "sha256:00", "size": 1}]}',
    ],
    ['a list of images', '{"manifests": []}'],
    ['nothing that it understands', '<html>'],
    [
      'a place outside',
      `{"layers": [{"mediaType": "application/vnd.policy.bundle.v1.tar+gzip", "digest": "../../x", "size": 1}]}`,
    ],
  ])('that has %s by this name', async (_, manifest) => {
    const { name } = await registryOf((__, { pathname }) =>
      pathname.includes('/manifests/') ? new Response(manifest) : undefined,
    );
    expect(await refusalOf(pullBundle(name, options()))).toBe(
      'it is not a bundle of policies: policy bundle push makes one',
    );
  });
});

test('a name that a registry does not have is told from a registry that fails', async () => {
  for (const [status, said] of [
    [404, 'its registry has nothing of this name, or hides it: check the tag, or run docker login'],
    [500, 'its server answers with HTTP status 500'],
  ] as const) {
    const { name } = await registryOf(() => new Response('', { status }));
    expect(await refusalOf(pullBundle(name, options()))).toBe(said);
  }
});

describe('a login', () => {
  /** A registry that wants the token which another server gives. */
  async function withTokens(realmOf: (host: string) => string) {
    const seen: string[] = [];
    const registry = await registryOf((request, url) => {
      const authorization = request.headers.get('authorization');
      if (url.pathname === '/token') {
        seen.push(`${authorization} ${url.search}`);
        return Response.json({ token: 't0ken' });
      }
      if (authorization === 'Bearer t0ken') return undefined;
      const challenge = `Bearer realm="${realmOf(url.host)}",service="s",scope="repository:team/policies:pull"`;
      return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
    });
    return { ...registry, seen };
  }

  test('by token is followed', async () => {
    const { name, seen } = await withTokens((host) => `http://${host}/token`);
    expect(await refusalOf(pullBundle(name, options()))).toBe('taken');
    expect(seen).toEqual(['null ?service=s&scope=repository%3Ateam%2Fpolicies%3Apull']);
  });

  test('is not followed to where nothing is encrypted, or to what is unknown', async () => {
    for (const realm of ['http://auth.example.com/token', 'file:///etc/passwd', '']) {
      const { name } = await withTokens(() => realm);
      expect(await refusalOf(pullBundle(name, options()))).toBe(
        'its registry wants an unknown kind of login',
      );
    }
  });

  test('is not sent to a server that the registry sends us to', async () => {
    const seen: (string | null)[] = [];
    const bytes = await bundleOf();
    const elsewhere = loopbackServer(({ headers }) => {
      seen.push(headers.get('authorization'));
      return new Response(Buffer.from(bytes));
    });
    const { name } = await registryOf((request, { pathname }) => {
      if (pathname === '/token') return Response.json({ access_token: 't0ken' });
      if (request.headers.get('authorization') === null) {
        const challenge = `Bearer realm="${new URL('/token', request.url)}"`;
        return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
      }
      return pathname.includes('/blobs/')
        ? new Response(null, { status: 307, headers: { location: new URL('/x', elsewhere).href } })
        : undefined;
    });
    expect(await refusalOf(pullBundle(name, options()))).toBe('taken');
    expect(seen).toEqual([null]);
  });

  test('is not sent where a server asks for it that the registry sends us to', async () => {
    const seen: (string | null)[] = [];
    const elsewhere = loopbackServer(({ url, headers }) => {
      seen.push(headers.get('authorization'));
      const realm = `Bearer realm="${new URL('/token', url)}"`;
      return new Response('', { status: 401, headers: { 'www-authenticate': realm } });
    });
    const { name, host } = await registryOf((_, { pathname }) =>
      pathname.includes('/blobs/')
        ? new Response(null, { status: 307, headers: { location: new URL('/x', elsewhere).href } })
        : undefined,
    );
    const folder = temporaryFolder();
    const auth = Buffer.from('me:password').toString('base64');
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
    const asUser = { ...options(), env: { DOCKER_CONFIG: folder } };
    expect(await refusalOf(pullBundle(name, asUser))).toBe('its server answers with HTTP status 401');
    expect(seen).toEqual([null]);
  });

  test('goes to no other server with an upload', async () => {
    const { name, bytes } = await registryOf(({ method }) =>
      method === 'POST'
        ? new Response('', { status: 202, headers: { location: 'https://elsewhere.example.com/upload' } })
        : undefined,
    );
    const labels = { name: 'acme', version: '1.0.0' };
    expect(await refusalOf(pushBundle(`${name}:1`, bytes, labels, options()))).toBe(
      'its registry wants uploads on another server',
    );
  });
});
