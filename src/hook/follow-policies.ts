import type { Steps } from '../lib/steps.ts';
import { causeOf } from './failure.ts';
import type { PolicySet } from './policy-set.ts';

/** The policies of a long-lived process. */
export interface FollowedPolicies {
  /** Those in force, loaded when first asked for; while that takes too long, a set that refuses and says so. */
  readonly current: () => PolicySet;
  readonly stop: () => void;
}

const CHECK_INTERVAL_MS = 1_000;
/** Looking for changes may take at most one part in this many of the process's time. */
const MIN_REST_PER_CHECK = 50;
/** How long loading goes on before input is read and answered. A single step can take longer. */
const SLICE_MS = 20;

const STILL_LOADING: PolicySet = {
  ok: false,
  cause: 'loading the policies took too long; it goes on, and calls are judged again when it is done',
};

interface Loading {
  readonly steps: Steps<PolicySet>;
  /** How long it has worked, without the pauses. */
  workedMs: number;
}

/**
 * Loads policies, and looks for changed ones between decisions, at most once a second. However long that takes, it does not keep
 * the process from answering. A set that can no longer be loaded takes effect like any other: its owners do not want the old one
 * any more.
 *
 * @param firstMs how long those who ask for the first set may be kept waiting
 */
export function followPolicies(load: () => Steps<PolicySet>, firstMs: number): FollowedPolicies {
  let set: PolicySet | undefined;
  let loading: Loading | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setImmediate> | undefined;

  function check(): void {
    loading = { steps: load(), workedMs: 0 };
    goOn(loading, SLICE_MS);
  }

  function goOn(current: Loading, maxMs: number): void {
    const startMs = performance.now();
    let loaded: PolicySet | undefined;
    do loaded = attempt(current.steps);
    while (loaded === undefined && performance.now() - startMs < maxMs);
    current.workedMs += performance.now() - startMs;
    if (loaded === undefined) pause = setImmediate(() => goOn(current, SLICE_MS));
    else finish(loaded, current.workedMs);
  }

  function finish(loaded: PolicySet, workedMs: number): void {
    loading = undefined;
    const isKnown = set !== undefined && isSame(set, loaded);
    if (!isKnown) set = loaded;
    // The time to compile changed policies says nothing of the time to see that nothing has changed.
    const restMs = isKnown ? workedMs * MIN_REST_PER_CHECK : 0;
    timer = setTimeout(check, Math.max(CHECK_INTERVAL_MS, restMs));
    timer.unref();
  }

  return {
    current: () => {
      if (set === undefined && loading === undefined) {
        loading = { steps: load(), workedMs: 0 };
        goOn(loading, firstMs);
      }
      return set ?? STILL_LOADING;
    },
    stop: () => {
      clearTimeout(timer);
      clearImmediate(pause);
    },
  };
}

/** The set after its last step. An uncaught error in a timer would end the process, which lets calls through. */
function attempt(steps: Steps<PolicySet>): PolicySet | undefined {
  try {
    const step = steps.next();
    return step.done === true ? step.value : undefined;
  } catch (error) {
    return { ok: false, cause: causeOf(error) };
  }
}

function isSame(a: PolicySet, b: PolicySet): boolean {
  if (!a.ok || !b.ok) return !a.ok && !b.ok && a.cause === b.cause;
  return a.engine.program.digest === b.engine.program.digest;
}
