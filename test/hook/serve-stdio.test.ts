import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

function start() {
  return Bun.spawn([process.execPath, join(import.meta.dir, 'line-server.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

async function run(input: string): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const child = start();
  child.stdin.write(input);
  void child.stdin.end();
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr, exitCode: await child.exited };
}

describe('serveStdio', () => {
  test('writes answers and nothing else', async () => {
    expect(await run('hello\na\nthrow\n')).toEqual({
      stdout: 'hello\na\nrefused throw: a bug\n',
      stderr: '',
      exitCode: 0,
    });
  });

  test('writes whole what does not fit into the pipe', async () => {
    const child = start();
    child.stdin.write('big 5000000\nlast\n');
    void child.stdin.end();
    await Bun.sleep(200);
    const stdout = await new Response(child.stdout).text();
    expect(stdout.length).toBe(5_000_001 + 'last\n'.length);
    expect(await child.exited).toBe(0);
  });

  test('reads a line of many megabytes', async () => {
    const line = 'y'.repeat(20_000_000);
    expect((await run(`${line}\n`)).stdout).toBe(`${line}\n`);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stays after %s until the input ends',
    async (signal) => {
      const child = start();
      const reader = child.stdout.getReader();
      const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
      child.stdin.write('hello\n');
      expect(await next()).toBe('hello\n');
      child.kill(signal);
      await Bun.sleep(50);
      child.stdin.write('still here\n');
      expect(await next()).toBe('still here\n');
      void child.stdin.end();
      expect(await child.exited).toBe(0);
      expect(child.signalCode).toBeNull();
    },
  );

  test('ends by itself when its host is gone', async () => {
    const child = Bun.spawn(
      [
        'sh',
        '-c',
        `(echo a; sleep 2; echo b; sleep 5) | ("$0" "$1"; echo "ended $?" >&2) | head -n 1`,
        process.execPath,
        join(import.meta.dir, 'line-server.ts'),
      ],
      { stdout: 'pipe', stderr: 'pipe' },
    );
    const reader = child.stderr.getReader();
    const startedAt = performance.now();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('ended 0\n');
    // Sooner than its input ends. On a busy machine it starts late, and must not find both lines waiting.
    expect(performance.now() - startedAt).toBeLessThan(6000);
    child.kill('SIGKILL');
  });
});
