import { describe, expect, test } from 'bun:test';
import { type LineServer, serveLines } from '../../src/hook/serve-lines.ts';
import type { Reply } from '../../src/hosts/host.ts';

function reply(text: string): Reply {
  return { stdout: text === '' ? '' : `${text}\n`, stderr: 'never shown', exitCode: 7 };
}

/** A server whose input the test writes and whose output it reads, one entry per write. */
function connect(parts: Partial<LineServer> = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 });
  const writer = writable.getWriter();
  const writes: string[] = [];
  const done = serveLines({
    stdin: readable,
    write: (text) => {
      writes.push(text);
      return true;
    },
    respond: (line) => reply(`answer to ${line}`),
    refuse: (line, cause) => reply(`refused ${line}: ${cause}`),
    budgetMs: () => 1000,
    ...parts,
  });
  return {
    writes,
    done,
    send: (text: string | Uint8Array) => writer.write(typeof text === 'string' ? Buffer.from(text) : text),
    end: () => writer.close(),
    lines: () => writes.join('').split('\n').slice(0, -1),
  };
}

describe('serveLines', () => {
  test('answers each line and returns 0 at the end of the input', async () => {
    const server = connect();
    await server.send('a\nb\r\n\n  \nc');
    await server.end();
    expect(await server.done).toBe(0);
    expect(server.lines()).toEqual(['answer to a', 'answer to b', 'answer to c']);
  });

  test('tells how long a line may have waited while others were worked on', async () => {
    const waits: number[] = [];
    const server = connect({
      respond: (line, arrivedMs = Number.NaN) => {
        waits.push(performance.now() - arrivedMs);
        if (line === 'slow') Bun.sleepSync(200);
        return reply(line);
      },
    });
    void server.send('slow\n');
    void server.send('behind\n');
    await Bun.sleep(400);
    await server.send('later\n');
    await server.end();
    await server.done;
    const [slow = 0, behind = 0, later = 0] = waits;
    expect(behind).toBeGreaterThanOrEqual(200);
    expect(Math.max(slow, later)).toBeLessThan(150);
  });

  test('writes the answers to one chunk at once, and nothing where there is none', async () => {
    const server = connect({ respond: (line) => reply(line === 'told' ? '' : line) });
    await server.send('a\ntold\nb\n');
    await server.send('told\n');
    await server.send('c\n');
    await server.end();
    await server.done;
    expect(server.writes).toEqual(['a\nb\n', 'c\n']);
  });

  test('puts lines and characters together that chunks have cut', async () => {
    const server = connect({ respond: reply });
    const bytes = Buffer.from('größe 😀\nund\r\n');
    for (let at = 0; at < bytes.length; at++) await server.send(bytes.subarray(at, at + 1));
    await server.end();
    await server.done;
    expect(server.lines()).toEqual(['größe 😀', 'und']);
  });

  test('answers in the order in which answers are there', async () => {
    const slow = Promise.withResolvers<Reply>();
    const server = connect({ respond: (line) => (line === 'slow' ? slow.promise : reply(line)) });
    await server.send('slow\nfast\n');
    await server.send('faster\n');
    slow.resolve(reply('slow'));
    await Bun.sleep(1);
    expect(server.lines()).toEqual(['fast', 'faster', 'slow']);
    await server.end();
    await server.done;
  });

  test('has no more than 64 requests under way', async () => {
    const waiting: PromiseWithResolvers<Reply>[] = [];
    const server = connect({
      respond: () => {
        const one = Promise.withResolvers<Reply>();
        waiting.push(one);
        return one.promise;
      },
    });
    await server.send('x\n'.repeat(100));
    await Bun.sleep(1);
    expect(waiting).toHaveLength(64);
    waiting[10]?.resolve(reply('10'));
    await Bun.sleep(1);
    expect(waiting).toHaveLength(65);
    for (let i = 0; i < 100; i++) {
      waiting[i]?.resolve(reply(String(i)));
      await Bun.sleep(0);
    }
    await server.end();
    await server.done;
    expect(server.lines().sort()).toEqual(Array.from({ length: 100 }, (_, i) => String(i)).sort());
  });

  test('refuses in time what waits for others, also what comes meanwhile', async () => {
    const server = connect({ respond: () => new Promise(() => {}), budgetMs: () => 100 });
    await server.send('x\n'.repeat(100));
    await Bun.sleep(50);
    expect(server.lines()).toEqual([]);
    await server.send('y\n'.repeat(100));
    await Bun.sleep(80);
    expect(server.lines()).toEqual(Array(100).fill('refused x: no answer within 100 ms'));
    await Bun.sleep(60);
    expect(server.lines().slice(100)).toEqual(Array(100).fill('refused y: no answer within 100 ms'));
    await server.end();
    await server.done;
  });

  test('gives what has waited no more time than what is left of its own', async () => {
    const open: PromiseWithResolvers<Reply>[] = [];
    const server = connect({
      respond: () => {
        const one = Promise.withResolvers<Reply>();
        open.push(one);
        return one.promise;
      },
      budgetMs: () => 100,
    });
    await server.send('x\n'.repeat(65));
    await Bun.sleep(60);
    open[0]?.resolve(reply('first'));
    await Bun.sleep(1);
    expect(open).toHaveLength(65);
    await Bun.sleep(60);
    expect(server.lines()).toHaveLength(65);
    await server.end();
    await server.done;
  });

  test('refuses what has waited for too long, though judging leaves no pause', async () => {
    const first: PromiseWithResolvers<Reply>[] = [];
    const server = connect({
      respond: (line) => {
        if (first.length < 64) {
          const one = Promise.withResolvers<Reply>();
          first.push(one);
          return one.promise;
        }
        Bun.sleepSync(20);
        return reply(`judged ${line}`);
      },
      budgetMs: () => 200,
    });
    const startMs = performance.now();
    await server.send('x\n'.repeat(64 + 200));
    await Bun.sleep(150);
    for (const one of first) one.resolve(reply('first'));
    while (server.lines().length < 64 + 200) await Bun.sleep(5);
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect(
      server.lines().filter((line) => line === 'refused x: no answer within 200 ms').length,
    ).toBeGreaterThan(100);
    await server.end();
    await server.done;
  });

  test('refuses at once what takes more memory than there should be for waiting', async () => {
    const server = connect({ respond: () => new Promise(() => {}), budgetMs: () => 60_000 });
    const long = 'x'.repeat(1_024 * 1_024);
    await server.send('x\n'.repeat(64));
    for (let count = 0; count < 64; count++) await server.send(`${long}\n`);
    expect(server.lines()).toEqual([]);
    await server.send('y\n');
    await Bun.sleep(1);
    expect(server.lines()).toEqual(['refused y: too many requests are under way']);
    await server.end();
    await server.done;
  });

  test('refuses at once what nobody could keep count of any more', async () => {
    const server = connect({ respond: () => new Promise(() => {}), budgetMs: () => 60_000 });
    await server.send('x\n'.repeat(64 + 1_024));
    await server.send('y\n');
    await Bun.sleep(1);
    expect(server.lines()).toEqual(['refused y: too many requests are under way']);
    await server.end();
    await server.done;
    expect(server.lines()).toHaveLength(64 + 1_024 + 1);
  });

  test.each([
    [
      'throws',
      () => {
        throw new TypeError('a bug');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('a bug'))],
  ])('refuses where the responder %s', async (_how, respond) => {
    const server = connect({ respond });
    await server.send('a\n');
    await server.end();
    await server.done;
    expect(server.lines()).toEqual(['refused a: TypeError: a bug']);
  });

  test('refuses what takes longer than the budget and drops the late answer', async () => {
    const late = Promise.withResolvers<Reply>();
    const server = connect({ respond: () => late.promise, budgetMs: () => 20 });
    await server.send('a\n');
    await Bun.sleep(60);
    expect(server.lines()).toEqual(['refused a: no answer within 20 ms']);
    late.resolve(reply('late'));
    await server.end();
    await server.done;
    expect(server.lines()).toHaveLength(1);
  });

  test('waits for what is under way at the end of the input', async () => {
    const slow = Promise.withResolvers<Reply>();
    const server = connect({ respond: () => slow.promise });
    await server.send('a\n');
    await server.end();
    setTimeout(() => slow.resolve(reply('in time')), 50);
    await server.done;
    expect(server.lines()).toEqual(['in time']);
  });

  test('refuses what is not there 1.5 s after the end of the input', async () => {
    const server = connect({ respond: () => new Promise(() => {}), budgetMs: () => 60_000 });
    await server.send('a\n');
    await server.end();
    const startedAt = performance.now();
    await server.done;
    expect(performance.now() - startedAt).toBeWithin(1_400, 10_000);
    expect(server.lines()).toEqual(['refused a: the agent has closed the connection']);
  });

  test('ends when nobody reads the answers any more', async () => {
    let writes = 0;
    const server = connect({
      write: () => {
        writes += 1;
        return false;
      },
    });
    await server.send('a\nb\n');
    expect(await server.done).toBe(0);
    expect(writes).toBe(1);
  });

  test('ends when nobody reads an answer that comes later', async () => {
    const slow = Promise.withResolvers<Reply>();
    const server = connect({ respond: () => slow.promise, write: () => false });
    await server.send('a\n');
    slow.resolve(reply('x'));
    expect(await server.done).toBe(0);
  });

  test('takes an input that breaks for its end', async () => {
    const stdin = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('a\n')),
      pull: () => Promise.reject(new Error('broken')),
    });
    const server = connect({ stdin });
    expect(await server.done).toBe(0);
    expect(server.lines()).toEqual(['answer to a']);
  });
});
