import type { JudgeUsage, UsageScope } from '../../model/judge-usage.ts';
import type { StateDatabase } from './database.ts';

/** Longer than any day or session counts. */
const KEPT_MS = 8 * 24 * 60 * 60 * 1000;

export interface JudgeUsageOptions {
  readonly database: StateDatabase;
  readonly nowMs: () => number;
}

/** What judges have used up, counted in the state file for all processes of a user. */
export function createJudgeUsage({ database, nowMs }: JudgeUsageOptions): JudgeUsage {
  const hasRoom = ({ key, limit }: UsageScope, calls: number): boolean => {
    const row = database.row('SELECT calls, tokens FROM judge_usage WHERE key = ?', [key]);
    const used = { calls: Number(row?.['calls'] ?? 0), tokens: Number(row?.['tokens'] ?? 0) };
    if (limit.calls !== null && used.calls + calls > limit.calls) return false;
    return limit.tokens === null || used.tokens < limit.tokens;
  };
  const add = (key: string, calls: number, tokens: number): void => {
    const sql = `INSERT INTO judge_usage (key, calls, tokens, updated_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET
        calls = calls + excluded.calls, tokens = tokens + excluded.tokens, updated_ms = excluded.updated_ms`;
    database.run(sql, [key, calls, tokens, nowMs()]);
  };
  return {
    reserve: (scopes, calls) =>
      database.transaction(() => {
        if (!scopes.every((scope) => hasRoom(scope, calls))) return false;
        database.run('DELETE FROM judge_usage WHERE updated_ms < ?', [nowMs() - KEPT_MS]);
        for (const { key } of scopes) add(key, calls, 0);
        return true;
      }),
    spend: (scopes, tokens) => {
      for (const { key } of scopes) add(key, 0, tokens);
    },
  };
}
