import type { KeptVerdict, UncachedAnswer, VerdictStore } from '../../model/verdict-store.ts';
import { JudgeError } from './judge-error.ts';
import type { JudgePorts } from './judge-ports.ts';

/** How long the question stays with a process that has disappeared. */
const LEASE_MS = 3_000;
const FIRST_POLL_MS = 10;
const SLOWEST_POLL_MS = 100;

/** A verdict fresh from a model, and why it is not to be relied on, if so. */
export interface FreshVerdict {
  readonly verdict: KeptVerdict;
  readonly doubt: string | null;
}

export interface SharedAsking {
  readonly key: string;
  readonly store: VerdictStore;
  readonly ttlMs: number;
  readonly signal: AbortSignal;
  readonly ports: JudgePorts;
  readonly ask: () => Promise<FreshVerdict>;
}

export interface SharedVerdict extends FreshVerdict {
  readonly cached: boolean;
}

/**
 * Answers a question that others may have asked before or are asking now, in this process or another: of all that ask
 * at once one does, and the others share its verdict or its failure. A place that cannot be used makes everybody ask.
 *
 * @throws JudgeError
 */
export async function shareAsking(asking: SharedAsking): Promise<SharedVerdict> {
  const { key, store, signal, ports } = asking;
  const kept = await attempt(async () => store.read(key));
  if (kept !== undefined) return { verdict: kept, doubt: null, cached: true };

  const owner = ports.random();
  const sinceMs = ports.clock.nowMs();
  for (let pollMs = FIRST_POLL_MS; !signal.aborted; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const claim = await attempt(async () => store.claim(key, owner, LEASE_MS, sinceMs));
    switch (claim?.type) {
      case 'kept':
        return { verdict: claim.verdict, doubt: null, cached: true };
      case 'doubtful':
        return { verdict: claim.verdict, doubt: claim.doubt, cached: true };
      case 'failed':
        throw new JudgeError(claim.failure, claim.cause);
      case 'busy':
        await ports.clock.sleep(pollMs, signal);
        break;
      default:
        return askForAll(asking, owner);
    }
  }
  throw new JudgeError('timeout', 'it did not answer in time');
}

/** Asks while the claim is renewed, and tells those who wait the result. */
async function askForAll(
  { key, store, ttlMs, signal, ports, ask }: SharedAsking,
  owner: string,
): Promise<SharedVerdict> {
  const stopRenewing = repeat(ports, LEASE_MS / 3, async () => {
    if (!signal.aborted) await attempt(async () => store.renew(key, owner, LEASE_MS));
  });
  try {
    const { verdict, doubt } = await ask();
    await attempt(async () =>
      doubt === null
        ? store.keep(key, owner, verdict, ttlMs)
        : store.tell(key, owner, { type: 'doubtful', verdict, doubt }),
    );
    return { verdict, doubt, cached: false };
  } catch (error) {
    const { failure, message } = error instanceof JudgeError ? error : INTERNAL;
    const answer: UncachedAnswer = { type: 'failed', failure, cause: message };
    // Our time being up says nothing to those who have more: the claim runs out and one of them asks.
    if (!signal.aborted) await attempt(async () => store.tell(key, owner, answer));
    throw error;
  } finally {
    stopRenewing();
  }
}

const INTERNAL = new JudgeError('internal', 'asking it failed');

function repeat({ clock }: JudgePorts, everyMs: number, action: () => Promise<unknown>): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const next = (): void => {
    if (!stopped) cancel = clock.after(everyMs, () => void action().then(next));
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
}

async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch {
    return undefined;
  }
}
