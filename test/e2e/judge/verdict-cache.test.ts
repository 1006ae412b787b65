import { describe, expect, test } from 'bun:test';
import { stopAfterwards } from '../../support/stop-afterwards.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { askHost, geminiCall, judgeFile } from './ask-host.ts';
import type { ModelServer } from './model-server.ts';
import { redisMissing, startRedis } from './redis-server.ts';
import { serveModel } from './serve-model.ts';

function placeWith(server: ModelServer, settings: Readonly<Record<string, unknown>> = {}): Workplace {
  return workplace({ 'house.yaml': judgeFile({ base_url: `${server.url}/v1`, ...settings }) });
}

function named(place: Workplace): readonly string[] {
  return ['--policies', `${place.folder}/house.yaml`];
}

/** So many processes that ask the same question at once. */
async function crowd(place: Workplace, size: number, env: Readonly<Record<string, string>> = {}) {
  const args = ['hook', '--host', 'gemini', '--no-log', '--host-timeout', '30', ...named(place)];
  const input = geminiCall(place.project, 'make all');
  const said = await Promise.all(Array.from({ length: size }, () => place.run({ args, input, env })));
  return said.map(({ stdout }) => JSON.parse(stdout) as { decision?: string; reason?: string });
}

describe('verdicts in the state file', () => {
  test('answer the next process without a request', async () => {
    const server = serveModel(() => ({ verdict: 'deny', reason: 'it is Friday' }));
    const place = placeWith(server);
    const first = await askHost('gemini', place, 'make all', { args: named(place) });
    const second = await askHost('gemini', place, 'make all', { args: named(place) });
    expect([first.reason, second.reason]).toEqual(Array(2).fill('Refused by house/judged: it is Friday.'));
    expect(server.received).toHaveLength(1);
    expect([first.record.judges, second.record.judges]).toEqual(
      [false, true].map((cached) => [{ id: 'house/judged', verdict: 'deny', confidence: 0.9, cached }]),
    );
    await askHost('jcli', place, 'make all', { args: named(place) });
    await askHost('picoclaw', place, 'make all', { args: named(place) });
    expect(server.received).toHaveLength(1);
    await askHost('gemini', place, 'make test', { args: named(place) });
    expect(server.received).toHaveLength(2);
  });

  test('are none below the threshold', async () => {
    const server = serveModel(() => ({ verdict: 'approve', confidence: 0.9 }));
    const place = placeWith(server, { threshold: 0.95, on_low_confidence: 'deny' });
    const ask = () => askHost('gemini', place, 'make all', { args: named(place) });
    const answers = [await ask(), await ask()];
    expect(answers.map(({ reason }) => reason)).toEqual(
      Array(2).fill('Refused by house/judged: the judge local is not sure: its confidence is too low.'),
    );
    expect(server.received).toHaveLength(2);
  });

  test('come from one request when many processes ask at once', async () => {
    const server = serveModel(async () => {
      await Bun.sleep(500);
      return { verdict: 'deny', reason: 'one for all' };
    });
    const place = placeWith(server);
    const answers = await crowd(place, 24);
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(
      new Set(['Refused by house/judged: one for all.']),
    );
    expect(server.received).toHaveLength(1);
  }, 60_000);

  test('that cannot be kept do not keep the judge from being asked', async () => {
    const server = serveModel(() => ({ verdict: 'deny', reason: 'still here' }));
    const place = placeWith(server);
    place.write({ 'home/.local/state/policy': 'a file where the folder should be' });
    const said = await place.run({
      args: ['hook', '--host', 'gemini', ...named(place)],
      input: geminiCall(place.project, 'make all'),
    });
    expect(said.stdout).toContain('still here');
  });
});

const missing = redisMissing();

describe.skipIf(missing !== undefined)(
  `verdicts in Redis${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    const redis = async (args: readonly string[] = []) =>
      stopAfterwards(await startRedis(temporaryFolder(), args));

    test('answer another machine without a request', async () => {
      const store = await redis();
      const server = serveModel(() => ({ verdict: 'deny', reason: 'from afar' }));
      const here = placeWith(server, { cache: store.url });
      const there = placeWith(server, { cache: { store: store.url, ttl: 600 } });
      // Another ttl is another setting, so this is the machine with the same file.
      const twin = placeWith(server, { cache: store.url });
      await askHost('gemini', here, 'make all', { args: named(here) });
      const answer = await askHost('gemini', twin, 'make all', { args: named(twin) });
      expect(answer.reason).toBe('Refused by house/judged: from afar.');
      expect(server.received).toHaveLength(1);
      await askHost('gemini', there, 'make all', { args: named(there) });
      expect(Number(store.cli('PTTL', store.cli('KEYS', '*').split('\n')[0] ?? ''))).toBeGreaterThan(0);
    });

    test('come from one request when many processes ask at once', async () => {
      const store = await redis();
      const server = serveModel(async () => {
        await Bun.sleep(500);
        return { verdict: 'deny', reason: 'one for all' };
      });
      const place = placeWith(server, { cache: store.url });
      const answers = await crowd(place, 16);
      expect(new Set(answers.map(({ reason }) => reason))).toEqual(
        new Set(['Refused by house/judged: one for all.']),
      );
      expect(server.received).toHaveLength(1);
      expect(store.cli('KEYS', '*').split('\n')).toHaveLength(1);
    }, 60_000);

    test('are told to those who wait when the judge fails', async () => {
      const store = await redis();
      const server = serveModel(async () => {
        await Bun.sleep(2_000);
        return { response: () => new Response('', { status: 500 }) };
      });
      const answers = await crowd(placeWith(server, { cache: store.url }), 6);
      expect(answers.every(({ reason }) => reason?.includes('HTTP status 500') === true)).toBe(true);
      expect(server.received).toHaveLength(1);
    }, 60_000);

    test('in doubt are told to those who wait, and not kept', async () => {
      const store = await redis();
      const server = serveModel(async () => {
        await Bun.sleep(2_000);
        return { verdict: 'approve', confidence: 0.9 };
      });
      const place = placeWith(server, { cache: store.url, threshold: 0.95, on_low_confidence: 'deny' });
      const answers = await crowd(place, 6);
      const doubt = 'the judge local is not sure: its confidence is too low';
      expect(answers.every(({ reason }) => reason?.includes(doubt) === true)).toBe(true);
      expect(server.received).toHaveLength(1);
      await askHost('gemini', place, 'make all', { args: named(place) });
      expect(server.received).toHaveLength(2);
    }, 60_000);

    test('need the password that is in the variable', async () => {
      const store = await redis(['--requirepass', 'open/sesame']);
      const server = serveModel(() => ({ verdict: 'deny' }));
      const place = placeWith(server, { cache: { store: store.url, password_env: 'REDIS_PASSWORD' } });
      const env = { REDIS_PASSWORD: 'open/sesame' };
      await askHost('gemini', place, 'make all', { args: named(place), env });
      await askHost('gemini', place, 'make all', { args: named(place), env });
      expect(server.received).toHaveLength(1);
      await askHost('gemini', place, 'make all', { args: named(place) });
      expect(server.received).toHaveLength(2);
    });

    test('are done without while the server is away or stands still', async () => {
      const store = await redis();
      const server = serveModel(() => ({ verdict: 'deny', reason: 'asked anyway' }));
      const place = placeWith(server, { cache: store.url });
      store.pause();
      const still = await askHost('gemini', place, 'make all', { args: named(place) });
      store.resume();
      expect(still.reason).toBe('Refused by house/judged: asked anyway.');
      expect(still.tookMs).toBeLessThan(3_000);
      await store.stop();
      const away = await askHost('gemini', place, 'make all', { args: named(place) });
      expect(away.reason).toBe('Refused by house/judged: asked anyway.');
      expect(away.tookMs).toBeLessThan(3_000);
    });
  },
);
