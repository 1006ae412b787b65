import type { HistoryStore } from '../../../model/history.ts';
import { createProcessTables } from './process-tables.ts';
import { createHistoryStore, type HistoryLimits } from './store.ts';

const LIMITS: HistoryLimits = { calls: 10_000, bytes: 1_048_576, all: 200_000 };

/** The history inside this process, for hosts that keep one process for all events. */
export function createProcessHistory(limits: HistoryLimits = LIMITS): HistoryStore {
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  const hashes = {
    text: (text: string) => Bun.hash.wyhash(text, seed).toString(36),
    piece: (piece: bigint) => BigInt.asUintN(64, piece),
  };
  return createHistoryStore(createProcessTables(), hashes, limits);
}
