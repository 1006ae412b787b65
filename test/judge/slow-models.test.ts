import { afterEach, expect, test } from 'bun:test';
import { askModel } from '../../src/hook/judge/client.ts';
import { askJudge } from '../../src/hook/judge/judge.ts';
import type { Clock } from '../../src/hook/judge/judge-ports.ts';
import { MACHINE_CLOCK } from '../../src/hook/machine-judge-ports.ts';
import { type ByteServer, dripping, HEAD, serveBytes } from '../e2e/judge/byte-server.ts';
import { portsWith } from './ports.ts';
import { judgeSpec, question } from './questions.ts';

const LIMIT_MS = 4_000;
/** How much faster the judge's time goes by. */
const PACE = 20;
const servers: ByteServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const startMs = Date.now();
const FAST: Clock = {
  nowMs: () => startMs + (Date.now() - startMs) * PACE,
  sleep: (ms, signal) => MACHINE_CLOCK.sleep(ms / PACE, signal),
  after: (ms, action) => MACHINE_CLOCK.after(ms / PACE, action),
};

test.each([
  ['no headers', () => serveBytes(() => {})],
  ['a body that stops', () => serveBytes((write) => write(`${HEAD}{"choices":`))],
  ['a body that drips', dripping],
] as const)('a judge that gets %s has answered when the time is up', async (_, start) => {
  const server = start();
  servers.push(server);
  const endpoint = { ...judgeSpec().endpoint, baseUrl: `${server.url}/v1` };
  const asked = question('make', { endpoint: endpoint as ReturnType<typeof judgeSpec>['endpoint'] });
  const ports = { ...portsWith(() => ''), clock: FAST, askModel };
  const answer = await askJudge(asked, LIMIT_MS, new AbortController().signal, ports);
  expect(answer).toEqual({ type: 'failed', failure: 'timeout', cause: 'it did not answer in time' });
});
