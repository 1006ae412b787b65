import { afterEach } from 'bun:test';
import { type ModelServer, startModelServer } from './model-server.ts';

/** A function for what is to be stopped after the test. */
export function stoppedAfterwards(): <T extends { readonly stop: () => unknown }>(started: T) => T {
  const running: { readonly stop: () => unknown }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  return (started) => {
    running.push(started);
    return started;
  };
}

/** A function that starts models, which stop after the test. */
export function modelServers(): (...how: Parameters<typeof startModelServer>) => ModelServer {
  const stopped = stoppedAfterwards();
  return (...how) => stopped(startModelServer(...how));
}
