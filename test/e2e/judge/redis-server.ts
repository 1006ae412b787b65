import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Runs one command of its own client. */
  readonly cli: (...args: readonly string[]) => string;
  /** Stops answering, without closing connections, and starts again. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
}

/** Why there is no Redis to test with, undefined if there is one: Debian's redis-server. */
export function redisMissing(): string | undefined {
  return Bun.which('redis-server') === null
    ? 'redis-server is not installed: apt-get install redis-server'
    : undefined;
}

/** Starts Debian's redis-server on loopback, with nothing on disk. */
export async function startRedis(folder: string, args: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  mkdirSync(join(folder, 'redis'));
  const child = Bun.spawn(
    [
      'redis-server',
      ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      ...['--dir', join(folder, 'redis'), ...args],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  );
  for await (const chunk of child.stdout) {
    if (Buffer.from(chunk).includes('Ready to accept connections')) break;
  }
  const auth = args[0] === '--requirepass' ? ['-a', args[1] ?? '', '--no-auth-warning'] : [];
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli: (...command) =>
      Bun.spawnSync(['redis-cli', '-p', String(port), ...auth, ...command])
        .stdout.toString()
        .trim(),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    stop: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
