import type { DecisionRecord } from '../../hook/audit/record.ts';

/** Hands records on, two about one call as one. */
export interface TwinJoiner {
  add(record: DecisionRecord): void;
  /** Hands on the calls that still wait for a second record. */
  end(): void;
}

/** Calls under way at a time; of older ones no second record comes. */
const MAX_WAITING = 256;

/** Counts a call once if its host asks twice. The second record may add facts, such as an approval. */
export function createTwinJoiner(onRecord: (record: DecisionRecord) => void): TwinJoiner {
  const waiting = new Map<string, DecisionRecord>();
  const release = (twin: string): void => {
    const record = waiting.get(twin);
    waiting.delete(twin);
    if (record !== undefined) onRecord(record);
  };
  return {
    add(record) {
      const { twin, event } = record;
      if (twin === undefined) {
        onRecord(record);
        return;
      }
      const first = waiting.get(twin);
      if (event === 'approve_tool' && first !== undefined) {
        waiting.delete(twin);
        onRecord(joined(first, record));
        return;
      }
      // The same call once more.
      release(twin);
      if (event !== 'before_tool') onRecord(record);
      else waiting.set(twin, record);
      const [oldest = ''] = waiting.keys();
      if (waiting.size > MAX_WAITING) release(oldest);
    },
    end() {
      for (const twin of [...waiting.keys()]) release(twin);
    },
  };
}

function joined(first: DecisionRecord, second: DecisionRecord): DecisionRecord {
  const known = new Set(first.policies.map(({ id }) => id));
  return {
    ...(second.action === 'continue' ? { ...second, ...first } : { ...first, ...second }),
    decision_id: first.decision_id,
    time: first.time,
    policies: [...first.policies, ...second.policies.filter(({ id }) => !known.has(id))],
    skipped: [...new Set([...first.skipped, ...second.skipped])],
    duration_us: first.duration_us + second.duration_us,
  };
}
