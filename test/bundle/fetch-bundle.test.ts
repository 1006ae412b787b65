import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BundleError } from '../../src/fleet/bundle/bundle-error.ts';
import { fetchBundle } from '../../src/tools/cli/sync/fetch-bundle.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PATIENCE = { attemptMs: 500, pausesMs: [1, 1] };
const CONTENT = Buffer.from('a bundle');

interface Answers {
  readonly url: string;
  readonly asked: () => number;
}

/** A server that answers each request in turn, and then as the last time. */
function serverOf(...answers: readonly ((url: string) => Response | Promise<Response>)[]): Answers {
  let asked = 0;
  const url = loopbackServer((request) =>
    (answers[Math.min(asked++, answers.length - 1)] ?? sent)(request.url),
  );
  return { url: `${url}/acme.tgz`, asked: () => asked };
}

const sent = () => new Response(CONTENT);
const status = (code: number) => () => new Response('<html>no</html>', { status: code });
const moved = (to: string) => () => new Response(null, { status: 302, headers: { location: to } });

async function outcome(url: string): Promise<string> {
  try {
    return Buffer.from(await fetchBundle(url, {}, PATIENCE)).toString();
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
}

test('a bundle is fetched from a server and from a file', async () => {
  expect(await outcome(serverOf(sent).url)).toBe('a bundle');
  const path = join(temporaryFolder(), 'a b.tgz');
  writeFileSync(path, CONTENT);
  expect(await outcome(Bun.pathToFileURL(path).href)).toBe('a bundle');
  expect(await outcome('file:///nowhere/acme.tgz')).toBe('there is no such file');
  expect(await outcome('file:///dev/zero')).toBe('there is no such file');
});

test('a bundle arrives as it is where its server takes gzip for an encoding', async () => {
  const zipped = Bun.gzipSync(CONTENT);
  const { url } = serverOf(() => new Response(zipped, { headers: { 'content-encoding': 'gzip' } }));
  expect(await fetchBundle(url, {}, PATIENCE)).toEqual(Buffer.from(zipped));
});

test('what may pass by itself is tried again', async () => {
  const busy = serverOf(status(503), status(429), sent);
  expect([await outcome(busy.url), busy.asked()]).toEqual(['a bundle', 3]);
  const broken = serverOf(status(500));
  expect([await outcome(broken.url), broken.asked()]).toEqual(['its server answers with HTTP status 500', 3]);
});

test('what does not pass is said at once', async () => {
  const missing = serverOf(status(404));
  expect([await outcome(missing.url), missing.asked()]).toEqual([
    'its server answers with HTTP status 404',
    1,
  ]);
});

test('a server that stalls, before its answer or in it, is given up on', async () => {
  const silent = serverOf(() => new Promise<Response>(() => {}));
  expect([await outcome(silent.url), silent.asked()]).toEqual(['its server takes too long', 3]);
  const half = () => new ReadableStream({ start: (controller) => controller.enqueue(CONTENT) });
  const slow = serverOf(() => new Response(half()));
  expect([await outcome(slow.url), slow.asked()]).toEqual(['its server takes too long', 3]);
});

test('a server that is not there is said to be so', async () => {
  expect(await outcome('http://127.0.0.1:1/acme.tgz')).toStartWith('it cannot be reached (');
});

test('what is too large is not read to its end', async () => {
  let sentBytes = 0;
  const endless = () =>
    new ReadableStream({
      pull: (controller) => {
        sentBytes += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
  expect(await outcome(serverOf(() => new Response(endless())).url)).toBe('it is larger than 32 MiB');
  expect(sentBytes).toBeLessThan(200 * 1024 * 1024);
});

test('redirects are followed to where it is no less private', async () => {
  const there = serverOf(sent);
  expect(await outcome(serverOf(moved(there.url)).url)).toBe('a bundle');
  expect(await outcome(serverOf(moved('/elsewhere.tgz'), sent).url)).toBe('a bundle');
  for (const to of [
    'http://example.com/acme.tgz',
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'http://[broken',
  ])
    expect(await outcome(serverOf(moved(to)).url)).toBe('its server redirects to an unencrypted address');
  const circle = serverOf((url) => moved(url)());
  expect([await outcome(circle.url), circle.asked()]).toEqual(['its server redirects again and again', 6]);
});

test('a certificate that nobody vouches for is refused, whatever the environment says', async () => {
  const folder = temporaryFolder();
  const made = Bun.spawnSync(
    [
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ed25519',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ],
    { cwd: folder, stderr: 'pipe' },
  );
  expect([made.exitCode, made.exitCode === 0 ? '' : made.stderr.toString()]).toEqual([0, '']);
  const server = Bun.serve({
    hostname: 'localhost',
    port: 0,
    tls: { key: Bun.file(join(folder, 'key.pem')), cert: Bun.file(join(folder, 'cert.pem')) },
    fetch: sent,
  });
  const url = `https://localhost:${server.port}/acme.tgz`;
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    expect(await outcome(url)).toMatch(/^it cannot be reached \(.*certificate/i);
  } finally {
    server.stop(true);
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  }
});
