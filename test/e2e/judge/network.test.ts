import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopAfterwards } from '../../support/stop-afterwards.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { askHost, judgeFile } from './ask-host.ts';
import type { ModelServer } from './model-server.ts';
import { serveModel } from './serve-model.ts';

const serve = (tls?: { readonly key: string; readonly cert: string }) =>
  serveModel(() => ({ verdict: 'deny', reason: 'reached' }), tls);

function place(settings: Readonly<Record<string, unknown>>): Workplace {
  return workplace({ 'house.yaml': judgeFile(settings) });
}

function ask(at: Workplace, env: Readonly<Record<string, string>> = {}) {
  return askHost('gemini', at, 'make all', { args: ['--policies', `${at.folder}/house.yaml`], env });
}

const REACHED = 'Refused by house/judged: reached.';

interface Proxy {
  readonly url: string;
  readonly asked: readonly string[];
}

interface Tunnel {
  upstream: Bun.Socket | undefined;
  readonly waiting: Buffer[];
}

/** A proxy that notes what it is asked for and passes everything on to the model server. */
function startProxy(target: ModelServer): Proxy {
  const asked: string[] = [];
  const port = Number(new URL(target.url).port);
  const server = Bun.listen<Tunnel>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { upstream: undefined, waiting: [] };
      },
      async data(socket, chunk) {
        const { data } = socket;
        if (data.upstream !== undefined) {
          data.upstream.write(chunk);
          return;
        }
        data.waiting.push(Buffer.from(chunk));
        if (data.waiting.length > 1) return;
        const line = chunk.toString('utf8').split('\r\n', 1)[0] ?? '';
        asked.push(line);
        const isTunnel = line.startsWith('CONNECT ');
        const upstream = await Bun.connect({
          hostname: '127.0.0.1',
          port,
          socket: { data: (_upstream, answer) => void socket.write(answer), close: () => void socket.end() },
        });
        if (isTunnel) {
          data.waiting.shift();
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        }
        for (const part of data.waiting) upstream.write(part);
        data.upstream = upstream;
      },
    },
  });
  stopAfterwards({ stop: () => server.stop(true) });
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

/** An authority and a certificate for 127.0.0.1 that it has signed. */
function certificates(): { caFile: string; key: string; cert: string } {
  const at = temporaryFolder();
  const openssl = (...words: readonly string[]) => {
    const args = words.join(' ').split(' ');
    const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: at });
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl('req -x509', newKey, '-keyout ca.key -out ca.pem -subj /CN=authority -days 2');
  const address = '-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1';
  openssl('req', newKey, '-keyout key.pem -out request.pem', address);
  openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -out cert.pem -days 2 -copy_extensions copy');
  const read = (name: string) => readFileSync(join(at, name), 'utf8');
  return { caFile: join(at, 'ca.pem'), key: read('key.pem'), cert: read('cert.pem') };
}

describe('proxies', () => {
  test('are used as HTTP_PROXY says', async () => {
    const server = serve();
    const proxy = startProxy(server);
    const answer = await ask(place({ base_url: 'http://judge.example/v1' }), { HTTP_PROXY: proxy.url });
    expect(answer.reason).toBe(REACHED);
    expect(proxy.asked).toEqual(['POST http://judge.example/v1/chat/completions HTTP/1.1']);
  });

  test('are used as HTTPS_PROXY says, through a tunnel', async () => {
    const { caFile, ...tls } = certificates();
    const proxy = startProxy(serve(tls));
    const at = place({ base_url: 'https://127.0.0.1:1/v1', ca_file: caFile });
    const answer = await ask(at, { HTTPS_PROXY: proxy.url });
    expect(answer.reason).toBe(REACHED);
    expect(proxy.asked).toEqual(['CONNECT 127.0.0.1:1 HTTP/1.1']);
  });

  test('are left out as NO_PROXY says', async () => {
    const server = serve();
    const proxy = startProxy(server);
    const at = place({ base_url: `${server.url}/v1` });
    const answer = await ask(at, { HTTP_PROXY: proxy.url, NO_PROXY: 'localhost,127.0.0.1' });
    expect(answer.reason).toBe(REACHED);
    expect(proxy.asked).toEqual([]);
  });

  test('that are away refuse', async () => {
    const server = serve();
    const answer = await ask(place({ base_url: `${server.url}/v1` }), { HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(answer.reason).toContain('gave no verdict: it cannot be reached');
    expect(server.received).toEqual([]);
  });
});

describe('certificates', () => {
  const UNVERIFIED = 'gave no verdict: its certificate cannot be verified';

  test('of an unknown authority refuse', async () => {
    const { key, cert } = certificates();
    const server = serve({ key, cert });
    expect((await ask(place({ base_url: `${server.url}/v1` }))).reason).toContain(UNVERIFIED);
    expect(server.received).toEqual([]);
  });

  test('of an authority in ca_file are trusted', async () => {
    const { caFile, ...tls } = certificates();
    const server = serve(tls);
    expect((await ask(place({ base_url: `${server.url}/v1`, ca_file: caFile }))).reason).toBe(REACHED);
  });

  test('of an authority in NODE_EXTRA_CA_CERTS are trusted', async () => {
    const { caFile, ...tls } = certificates();
    const server = serve(tls);
    const at = place({ base_url: `${server.url}/v1` });
    expect((await ask(at, { NODE_EXTRA_CA_CERTS: caFile })).reason).toBe(REACHED);
  });

  test('of an authority in NODE_EXTRA_CA_CERTS are trusted beside another in ca_file', async () => {
    const { caFile, ...tls } = certificates();
    const server = serve(tls);
    const at = place({ base_url: `${server.url}/v1`, ca_file: certificates().caFile });
    expect((await ask(at)).reason).toContain(UNVERIFIED);
    expect((await ask(at, { NODE_EXTRA_CA_CERTS: caFile })).reason).toBe(REACHED);
  });

  test.each([
    ['nothing', ''],
    ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['what only looks like one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('in a file with %s refuse at once', async (_name, text) => {
    const { key, cert } = certificates();
    const server = serve({ key, cert });
    const at = place({ base_url: `${server.url}/v1`, retry: 5 });
    at.write({ 'ca.pem': text });
    const file = join(at.folder, 'ca.pem');
    at.write({ 'house.yaml': judgeFile({ base_url: `${server.url}/v1`, retry: 5, ca_file: file }) });
    const answer = await ask(at);
    expect(answer.reason).toContain(`gave no verdict: the file "${file}" holds no certificate`);
    expect(answer.tookMs).toBeLessThan(3_000);
    expect(server.received).toEqual([]);
  });

  test('for another name refuse', async () => {
    const { caFile, ...tls } = certificates();
    const server = serve(tls);
    const url = server.url.replace('127.0.0.1', 'localhost');
    expect((await ask(place({ base_url: `${url}/v1`, ca_file: caFile }))).reason).toContain(UNVERIFIED);
    expect(server.received).toEqual([]);
  });

  test('are verified whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const { key, cert } = certificates();
    const server = serve({ key, cert });
    const at = place({ base_url: `${server.url}/v1` });
    expect((await ask(at, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).reason).toContain(UNVERIFIED);
  });

  test('in a file that cannot be read refuse', async () => {
    const { key, cert } = certificates();
    const server = serve({ key, cert });
    const at = place({ base_url: `${server.url}/v1`, ca_file: '/nowhere/ca.pem' });
    expect((await ask(at)).reason).toContain(
      'gave no verdict: the file "/nowhere/ca.pem" with its authorities',
    );
  });

  test('of a server that speaks no TLS refuse', async () => {
    const server = serve();
    const answer = await ask(place({ base_url: `${server.url.replace('http:', 'https:')}/v1` }));
    expect(answer.reason).toContain('gave no verdict: ');
    expect(answer.refused).toBe(true);
  });
});
