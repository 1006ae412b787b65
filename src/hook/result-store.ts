/** Results of calls while their process lives. */
export interface ResultStore {
  /** The text under a key; undefined if there is none, or its time is over. */
  readonly find: (key: string) => string | undefined;
  /** Notes that a call runs. */
  readonly expect: (key: string, session: string) => void;
  /** True if a call was noted in this session; once for each. */
  readonly take: (key: string, session: string) => boolean;
  readonly keep: (key: string, text: string, ttlMs: number) => void;
}

const MAX_RESULTS = 1_000;
/** Of all results together, in UTF-16 units. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** A call that has shown nothing by then has ended without a result. */
const EXPECTED_FOR_MS = 3_600_000;

interface Kept {
  readonly text: string;
  readonly madeMs: number;
  readonly untilMs: number;
}

/** @param forgottenMs results kept until then are forgotten; milliseconds since 1970 */
export function createResultStore(nowMs: () => number, forgottenMs: () => number = () => 0): ResultStore {
  const results = new Map<string, Kept>();
  const expected = new Map<string, number>();
  let length = 0;

  const drop = (key: string): void => {
    length -= results.get(key)?.text.length ?? 0;
    results.delete(key);
  };

  return {
    find(key) {
      const found = results.get(key);
      if (found === undefined) return undefined;
      const now = nowMs();
      // A clock that went back must not prolong anything.
      if (found.madeMs <= now && found.untilMs > now && found.madeMs > forgottenMs()) return found.text;
      drop(key);
      return undefined;
    },
    expect(key, session) {
      const call = JSON.stringify([key, session]);
      expected.delete(call);
      expected.set(call, nowMs());
      for (const oldest of expected.keys()) if (expected.size > MAX_RESULTS) expected.delete(oldest);
    },
    take(key, session) {
      const call = JSON.stringify([key, session]);
      const askedMs = expected.get(call);
      expected.delete(call);
      return askedMs !== undefined && nowMs() - askedMs < EXPECTED_FOR_MS;
    },
    keep(key, text, ttlMs) {
      drop(key);
      const madeMs = nowMs();
      results.set(key, { text, madeMs, untilMs: madeMs + ttlMs });
      length += text.length;
      // Maps are in the order in which keys were set.
      for (const oldest of results.keys())
        if (results.size > MAX_RESULTS || length > MAX_LENGTH) drop(oldest);
    },
  };
}
