import { afterEach } from 'bun:test';

type Answer = (request: Request) => Response | Promise<Response>;

/** A function that starts servers on loopback and returns their URLs without a path; they stop after the test. */
export function loopbackServers(): (answer: Answer) => string {
  const running: { stop: (closes: boolean) => unknown }[] = [];
  afterEach(() => {
    for (const server of running.splice(0)) server.stop(true);
  });
  return (answer) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer });
    running.push(server);
    return `http://127.0.0.1:${server.port}`;
  };
}
