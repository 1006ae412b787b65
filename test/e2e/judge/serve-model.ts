import { stopAfterwards } from '../../support/stop-afterwards.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** Starts a model, which stops after the test. */
export function serveModel(...how: Parameters<typeof startModelServer>): ModelServer {
  return stopAfterwards(startModelServer(...how));
}
