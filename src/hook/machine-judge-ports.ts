import type { JudgeCache } from '../model/judge.ts';
import type { VerdictStore } from '../model/verdict-store.ts';
import { askModel } from './judge/client.ts';
import type { Clock, JudgePorts, JudgeUsage, UsageScope } from './judge/judge-ports.ts';
import { openDatabase, type StateDatabase } from './state/database.ts';
import { openStateFolder } from './state/state-folder.ts';
import { createVerdictStore } from './state/verdict-store.ts';

/** The time for waits on other processes. A question causes several writes, and during a wait no timer can refuse late events. */
const PATIENCE_MS = 1_000;

/** This machine as judges need it. The state file and Redis are opened on first use. */
export function machineJudgePorts(env: JudgePorts['env']): JudgePorts {
  const { nowMs } = MACHINE_CLOCK;
  let opened: StateDatabase | undefined;
  const database = (): StateDatabase => {
    opened ??= openDatabase(openStateFolder(env), PATIENCE_MS);
    return opened;
  };
  let kept: VerdictStore | undefined;
  const storeInFile = (): VerdictStore => {
    kept ??= createVerdictStore(database(), nowMs);
    return kept;
  };
  const servers = new Map<string, VerdictStore>();
  const storeOnRedis = (url: string, { passwordEnv }: JudgeCache): VerdictStore => {
    const { createRedisStore } =
      require('./judge/client-redis.ts') as typeof import('./judge/client-redis.ts');
    const password = passwordEnv === null ? undefined : env[passwordEnv];
    const known = servers.get(url) ?? createRedisStore(url, password, MACHINE_CLOCK);
    servers.set(url, known);
    return known;
  };
  return {
    env,
    clock: MACHINE_CLOCK,
    random: () => crypto.randomUUID().replaceAll('-', ''),
    askModel,
    storeFor: (cache) => (cache.redisUrl === null ? storeInFile() : storeOnRedis(cache.redisUrl, cache)),
    usage: () => createJudgeUsage(database(), nowMs),
  };
}

export const MACHINE_CLOCK: Clock = {
  nowMs: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    }),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Longer than any day or session counts. */
const KEPT_MS = 8 * 24 * 60 * 60 * 1000;

/** The budgets of judges, counted in the state file for all processes of a user. */
export function createJudgeUsage(database: StateDatabase, nowMs: () => number): JudgeUsage {
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
