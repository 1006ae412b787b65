import { type Claim, keptVerdictIn, uncachedAnswerIn, type VerdictStore } from '../../model/verdict-store.ts';
import type { Clock } from './judge-ports.ts';

/** How long a server may take for one answer before it counts as gone. */
const PATIENCE_MS = 1_000;
/** How long a server that is gone is not asked again. */
const REST_MS = 10_000;
const TOLD_FOR_MS = 10_000;

/** Each script runs on the server as a whole: nobody comes between its commands. */
const CLAIM = `
local kept = redis.call('GET', KEYS[1])
if kept then return {'kept', kept} end
local text = redis.call('GET', KEYS[2])
if text then
  local claim = cjson.decode(text)
  if not claim.told then return {'busy', ''} end
  if claim.at > tonumber(ARGV[3]) then return {'told', claim.told} end
end
redis.call('SET', KEYS[2], cjson.encode({owner = ARGV[1]}), 'PX', ARGV[2])
return {'ours', ''}`;
const IF_OURS = `
local text = redis.call('GET', KEYS[2])
if not text or cjson.decode(text).owner ~= ARGV[1] then return 0 end`;
const RENEW = `${IF_OURS}
return redis.call('PEXPIRE', KEYS[2], ARGV[2])`;
const KEEP = `
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
${IF_OURS}
return redis.call('DEL', KEYS[2])`;
const TELL = `${IF_OURS}
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1`;

/**
 * Verdicts in Redis, for agents on many machines. Whoever can write there can approve calls that judges would refuse.
 *
 * @param url `redis://` or `rediss://`, without a password
 */
export function createRedisStore(url: string, password: string | undefined, clock: Clock): VerdictStore {
  let client: import('bun').RedisClient | undefined;
  let goneUntilMs = 0;

  const call = async (command: string, args: readonly string[]): Promise<unknown> => {
    if (clock.nowMs() < goneUntilMs) throw new Error('Cannot use Redis: it did not answer before');
    try {
      client ??= connect(url, password);
      return await soon(client.send(command, [...args]), clock);
    } catch (error) {
      client?.close();
      client = undefined;
      goneUntilMs = clock.nowMs() + REST_MS;
      throw error;
    }
  };
  const run = (script: string, key: string, args: readonly (string | number)[]): Promise<unknown> =>
    call('EVAL', [script, '2', ...namesOf(key), ...args.map(String)]);

  return {
    read: async (key) => {
      const value = await call('GET', [namesOf(key)[0]]);
      return typeof value === 'string' ? keptVerdictIn(value) : undefined;
    },
    claim: async (key, owner, leaseMs, sinceMs) => claimIn(await run(CLAIM, key, [owner, leaseMs, sinceMs])),
    renew: async (key, owner, leaseMs) => {
      await run(RENEW, key, [owner, leaseMs]);
    },
    keep: async (key, owner, verdict, ttlMs) => {
      await run(KEEP, key, [owner, JSON.stringify(verdict), ttlMs]);
    },
    tell: async (key, owner, told) => {
      const text = JSON.stringify({ owner, told: JSON.stringify(told), at: clock.nowMs() });
      await run(TELL, key, [owner, text, TOLD_FOR_MS]);
    },
  };
}

/** Verdict and claim of a question; the braces keep both on one server of a cluster. */
function namesOf(key: string): readonly [string, string] {
  return [`policy:{${key}}:verdict`, `policy:{${key}}:claim`];
}

function connect(address: string, password: string | undefined): import('bun').RedisClient {
  const url = new URL(address);
  if (password !== undefined) url.password = encodeURIComponent(password);
  return new Bun.RedisClient(url.href, { connectionTimeout: PATIENCE_MS, autoReconnect: false });
}

function soon<T>(promise: Promise<T>, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(PATIENCE_MS, () => reject(new Error('Cannot use Redis: it does not answer')));
    promise.then(resolve, reject).finally(cancel);
  });
}

function claimIn(answer: unknown): Claim {
  const [type, text] = Array.isArray(answer) ? answer : [];
  if (type === 'busy' || type === 'ours') return { type };
  if (typeof text !== 'string') throw new Error('Cannot use Redis: it holds something else');
  const verdict = type === 'kept' ? keptVerdictIn(text) : undefined;
  const found = verdict === undefined ? uncachedAnswerIn(text) : { type: 'kept' as const, verdict };
  if (found === undefined) throw new Error('Cannot use Redis: it holds something else');
  return found;
}
