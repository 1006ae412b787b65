import { describe, expect, test } from 'bun:test';
import { stopAfterwards } from '../../support/stop-afterwards.ts';
import { workplace } from '../hook/workplace.ts';
import { askHost, HOST_NAMES, judgeFile } from './ask-host.ts';
import { dripping, HEAD, serveBytes } from './byte-server.ts';
import type { Saying } from './model-server.ts';
import { serveModel } from './serve-model.ts';

/** The hosts of these tests wait so long, in seconds; four fifths of it are used. */
const HOST_TIMEOUT_S = 4;
/** They wait so long for a judge that is never done. */
const SHORT_TIMEOUT_S = 1.5;
const SECRET = 'the-body-of-the-answer';
const KEY = 'key-of-the-judge';

/** Sends a text and cuts the connection. */
function cutAfter(text: string): { url: string } {
  return stopAfterwards(
    serveBytes((write, end) => {
      write(text);
      end();
    }),
  );
}

function always(saying: Saying): () => { url: string } {
  return () => serveModel(() => saying);
}

function json(status: number, headers: Record<string, string> = {}): Saying {
  return { response: () => Response.json({ error: { message: SECRET } }, { status, headers }) };
}

const FAILURES: readonly (readonly [string, () => { url: string }, string, number?])[] = [
  ['a dead server', () => ({ url: 'http://127.0.0.1:1' }), 'it cannot be reached'],
  ['a name that nobody has', () => ({ url: 'http://judge.invalid' }), 'it cannot be reached'],
  ['status 500', always(json(500)), 'it answers with HTTP status 500'],
  ['status 401', always(json(401)), 'it answers with HTTP status 401'],
  ['status 404', always(json(404)), 'it answers with HTTP status 404'],
  ['status 400 to everything', always(json(400)), 'it answers with HTTP status 400'],
  ['status 429', always(json(429, { 'retry-after': '3600' })), 'it is asked too often'],
  [
    'a redirect',
    always({ response: () => Response.redirect('http://127.0.0.1:1/', 302) }),
    'it redirects elsewhere',
  ],
  [
    'a redirect that keeps the method',
    always({ response: () => Response.redirect('http://127.0.0.1:1/', 307) }),
    'it redirects elsewhere',
  ],
  ['a connection cut in the headers', () => cutAfter('HTTP/1.1 200 OK\r\nconte'), 'the connection was cut'],
  ['a connection cut in the body', () => cutAfter(`${HEAD}{"choices":`), 'the connection was cut'],
  ['no HTTP', () => cutAfter('SSH-2.0-OpenSSH_9.2\r\n'), ''],
  [
    'a web page',
    always({
      response: () => new Response(`<html>${SECRET}</html>`, { headers: { 'content-type': 'text/html' } }),
    }),
    'its answer cannot be read',
  ],
  ['an empty answer', always({ response: () => new Response('') }), 'its answer cannot be read'],
  [
    'JSON of another kind',
    always({ response: () => Response.json({ message: SECRET }) }),
    'its answer cannot be read',
  ],
  [
    'a huge answer',
    always({ response: () => Response.json({ message: 'x'.repeat(300_000) }) }),
    'its answer is larger than',
  ],
  ['an endless answer', always({ response: () => new Response(endless()) }), 'its answer is larger than'],
  [
    'a bomb',
    always({
      response: () =>
        new Response(Bun.gzipSync(Buffer.alloc(50_000_000, 32)), {
          headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
        }),
    }),
    'its answer is larger than',
  ],
  ['words', always({ text: 'I think this is fine: approve' }), 'its answer is not JSON'],
  ['a long talk', always({ text: `${SECRET} `.repeat(2_000) }), 'its answer is too long'],
  ['another schema', always({ text: '{"decision":"allow"}' }), 'its answer is not the verdict'],
  ['a verdict that was not offered', always({ verdict: 'abort_turn' }), 'its answer is not the verdict'],
  [
    'another nonce',
    always({ verdict: 'approve', nonce: '0123456789abcdef0123456789abcdef' }),
    'the nonce is another',
  ],
];

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) });
}

// Others that are slow: test/judge/slow-models.test.ts
const SLOW: (typeof FAILURES)[number] = [
  'a body that drips',
  () => stopAfterwards(dripping()),
  'it did not answer in time',
  SHORT_TIMEOUT_S,
];

describe.each(HOST_NAMES)('%s', (host) => {
  // What has failed is known before the host is asked for its words: one host takes all, and the others share them out.
  const at = HOST_NAMES.indexOf(host);
  const shared = FAILURES.filter((_, index) => at === 0 || index % 4 === at);
  test.each(at === 0 ? [...shared, SLOW] : shared)(
    'is refused within its deadline when the judge gives %s',
    async (_name, start, cause, timeoutS = HOST_TIMEOUT_S) => {
      const place = workplace({
        'judge.json.yaml': judgeFile({ base_url: `${start().url}/v1`, api_key_env: 'JUDGE_KEY' }),
      });
      const answer = await askHost(host, place, 'make all', {
        args: ['--policies', `${place.folder}/judge.json.yaml`, '--host-timeout', String(timeoutS)],
        env: { JUDGE_KEY: KEY },
      });
      expect(answer.refused).toBe(true);
      expect(answer.reason).toStartWith('Refused by house/judged: the judge local gave no verdict: ');
      expect(answer.reason).toContain(cause);
      expect(answer.tookMs).toBeLessThan(timeoutS * 1_000);
      expect(answer.everything).not.toContain(SECRET);
      expect(answer.everything).not.toContain(KEY);
    },
  );
});
