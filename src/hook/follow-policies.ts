import { causeOf } from './failure.ts';
import type { PolicySet } from './policy-set.ts';

/** The policies of a process that lives on. */
export interface FollowedPolicies {
  /** Those in force, loaded when first asked for. */
  readonly current: () => PolicySet;
  readonly stop: () => void;
}

const CHECK_INTERVAL_MS = 1_000;
/** Looking for changes may take at most one part in this many of the process's time. */
const MIN_REST_PER_CHECK = 50;

/**
 * Looks for changed policies between decisions, at most once a second. A set that can no longer be loaded takes effect
 * like any other: what was in force before is not what its owners want any more.
 */
export function followPolicies(load: () => PolicySet): FollowedPolicies {
  let set: PolicySet | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = (): PolicySet => {
    const startMs = performance.now();
    const loaded = attempt(load);
    const current = set !== undefined && isSame(set, loaded) ? set : loaded;
    set = current;
    timer = setTimeout(
      check,
      Math.max(CHECK_INTERVAL_MS, (performance.now() - startMs) * MIN_REST_PER_CHECK),
    );
    timer.unref();
    return current;
  };

  return {
    current: () => set ?? check(),
    stop: () => clearTimeout(timer),
  };
}

/** Nobody could catch what is thrown in a timer: it would end the process, and its host would let every call through. */
function attempt(load: () => PolicySet): PolicySet {
  try {
    return load();
  } catch (error) {
    return { ok: false, cause: causeOf(error) };
  }
}

function isSame(a: PolicySet, b: PolicySet): boolean {
  return a.ok && b.ok && a.engine.program.digest === b.engine.program.digest;
}
