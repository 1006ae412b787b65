import {
  type Claim,
  type KeptVerdict,
  keptVerdictIn,
  uncachedAnswerIn,
  type VerdictStore,
} from '../../model/verdict-store.ts';
import type { StateDatabase } from './database.ts';

/** How long those who were waiting for a verdict can still read it. */
const TOLD_FOR_MS = 10_000;
const MAX_ROWS = 50_000;
const PRUNE_EVERY_WRITES = 64;

/** Verdicts in the state file, for all processes of a user. */
export function createVerdictStore(database: StateDatabase, nowMs: () => number): VerdictStore {
  let writes = 0;

  const read = (key: string): KeptVerdict | undefined => {
    const sql = 'SELECT value FROM verdict WHERE key = ? AND expires_ms > ?';
    const value = database.row(sql, [key, nowMs()])?.['value'];
    return typeof value === 'string' ? keptVerdictIn(value) : undefined;
  };

  const look = (key: string, sinceMs: number): Claim | undefined => {
    const verdict = read(key);
    if (verdict !== undefined) return { type: 'kept', verdict };
    const row = database.row('SELECT * FROM verdict_claim WHERE key = ? AND expires_ms > ?', [key, nowMs()]);
    if (row === undefined) return undefined;
    if (typeof row['told'] !== 'string') return { type: 'busy' };
    const isNews = Number(row['told_ms']) > sinceMs;
    return isNews ? uncachedAnswerIn(row['told']) : undefined;
  };

  return {
    read,
    claim: (key, owner, leaseMs, sinceMs) =>
      look(key, sinceMs) ??
      database.transaction((): Claim => {
        const found = look(key, sinceMs);
        if (found !== undefined) return found;
        const sql = 'INSERT OR REPLACE INTO verdict_claim (key, owner, expires_ms) VALUES (?, ?, ?)';
        database.run(sql, [key, owner, nowMs() + leaseMs]);
        return { type: 'ours' };
      }),
    renew: (key, owner, leaseMs) => {
      const sql = 'UPDATE verdict_claim SET expires_ms = ? WHERE key = ? AND owner = ? AND told IS NULL';
      database.run(sql, [nowMs() + leaseMs, key, owner]);
    },
    keep: (key, owner, verdict, ttlMs) => {
      database.transaction(() => {
        const sql = 'INSERT OR REPLACE INTO verdict (key, value, made_ms, expires_ms) VALUES (?, ?, ?, ?)';
        database.run(sql, [key, JSON.stringify(verdict), nowMs(), nowMs() + ttlMs]);
        database.run('DELETE FROM verdict_claim WHERE key = ? AND owner = ?', [key, owner]);
        if (writes++ % PRUNE_EVERY_WRITES === 0) prune(database, nowMs());
      });
    },
    tell: (key, owner, told) => {
      const sql =
        'UPDATE verdict_claim SET told = ?, told_ms = ?, expires_ms = ? WHERE key = ? AND owner = ?';
      database.run(sql, [JSON.stringify(told), nowMs(), nowMs() + TOLD_FOR_MS, key, owner]);
    },
  };
}

/** Deletes verdicts that are over, and of the rest the oldest beyond the bound. */
function prune(database: StateDatabase, nowMs: number): void {
  database.run('DELETE FROM verdict WHERE expires_ms <= ?', [nowMs]);
  database.run('DELETE FROM verdict_claim WHERE expires_ms <= ?', [nowMs]);
  const oldestKept = 'SELECT made_ms FROM verdict ORDER BY made_ms DESC LIMIT 1 OFFSET ?';
  database.run(`DELETE FROM verdict WHERE made_ms < (${oldestKept})`, [MAX_ROWS - 1]);
}
