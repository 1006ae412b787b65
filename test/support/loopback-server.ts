import { stopAfterwards } from './stop-afterwards.ts';

type Answer = (request: Request) => Response | Promise<Response>;

/** Starts a server on loopback and returns its URL without a path; it stops after the test. */
export function loopbackServer(answer: Answer): string {
  const server = stopAfterwards(Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer }));
  return `http://127.0.0.1:${server.port}`;
}
