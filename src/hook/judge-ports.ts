import type { JudgeCache } from '../model/judge.ts';
import type { VerdictStore } from '../model/verdict-store.ts';
import { askModel } from './judge/client.ts';
import { MACHINE_CLOCK } from './judge/client-clock.ts';
import type { JudgePorts } from './judge/judge-ports.ts';
import { openDatabase, type StateDatabase } from './state/database.ts';
import { createJudgeUsage } from './state/judge-usage.ts';
import { openStateFolder } from './state/state-folder.ts';
import { createVerdictStore } from './state/verdict-store.ts';

/**
 * As if so much time were left, of which a wait for another process takes a part. A question leads to several writes,
 * and while one of them waits this process does nothing else: no timer refuses what gets late.
 */
const PATIENCE_MS = 1_000;

/** What judges need from this machine. The state file and Redis are opened on first use. */
export function machineJudgePorts(env: JudgePorts['env']): JudgePorts {
  const { nowMs } = MACHINE_CLOCK;
  let opened: StateDatabase | undefined;
  const database = (): StateDatabase => {
    opened ??= openDatabase(openStateFolder(env), PATIENCE_MS);
    return opened;
  };
  let kept: VerdictStore | undefined;
  const storeInFile = (): VerdictStore => {
    kept ??= createVerdictStore({ database: database(), nowMs });
    return kept;
  };
  const servers = new Map<string, VerdictStore>();
  const storeOnRedis = (url: string, { passwordEnv }: JudgeCache): VerdictStore => {
    const { createRedisStore } =
      require('./judge/client-redis.ts') as typeof import('./judge/client-redis.ts');
    const password = passwordEnv === null ? undefined : env[passwordEnv];
    const known = servers.get(url) ?? createRedisStore({ url, password, clock: MACHINE_CLOCK });
    servers.set(url, known);
    return known;
  };
  return {
    env,
    clock: MACHINE_CLOCK,
    random: () => crypto.randomUUID().replaceAll('-', ''),
    askModel,
    storeFor: (cache) => (cache.redisUrl === null ? storeInFile() : storeOnRedis(cache.redisUrl, cache)),
    usage: () => createJudgeUsage({ database: database(), nowMs }),
  };
}
