import type { StateDatabase } from '../../../hook/state/database.ts';

export interface VerdictStats {
  readonly verdicts: number;
  /** Those that are over and not yet swept up. */
  readonly expired: number;
  /** Of the verdicts themselves, without the overhead of SQLite. */
  readonly bytes: number;
  /** When they were made, milliseconds since 1970; undefined if there are none. */
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
  /** The use of judges with a budget today, by UTC. */
  readonly usedToday: readonly { readonly judge: string; readonly calls: number; readonly tokens: number }[];
}

const DAY_DIGITS = 'YYYY-MM-DD'.length;

export function verdictStats(database: StateDatabase, nowMs: number): VerdictStats {
  const sql = `SELECT count(*) AS verdicts, total(expires_ms <= ?) AS expired, total(length(key) + length(value)) AS bytes,
    min(made_ms) AS oldest, max(made_ms) AS newest FROM verdict`;
  const row = database.row(sql, [nowMs]);
  const day = new Date(nowMs).toISOString().slice(0, DAY_DIGITS);
  const used = database.rows(
    `SELECT json_extract(key, '$[1]') AS judge, calls, tokens FROM judge_usage
      WHERE json_extract(key, '$[0]') = 'day' AND json_extract(key, '$[2]') = ? ORDER BY judge`,
    [day],
  );
  return {
    verdicts: Number(row?.['verdicts'] ?? 0),
    expired: Number(row?.['expired'] ?? 0),
    bytes: Number(row?.['bytes'] ?? 0),
    oldestMs: row?.['oldest'] === null || row?.['oldest'] === undefined ? undefined : Number(row['oldest']),
    newestMs: row?.['newest'] === null || row?.['newest'] === undefined ? undefined : Number(row['newest']),
    usedToday: used.map((each) => ({
      judge: String(each['judge']),
      calls: Number(each['calls']),
      tokens: Number(each['tokens']),
    })),
  };
}

/** Forgets every verdict and returns how many there were. Used-up tokens stay used up. */
export function clearVerdicts(database: StateDatabase): number {
  return database.run('DELETE FROM verdict', []);
}
