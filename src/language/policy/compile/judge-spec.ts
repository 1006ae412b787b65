import { isAbsolute } from 'node:path';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { Action } from '../../../model/action.ts';
import type {
  JudgeCache,
  JudgeEndpoint,
  JudgeLimit,
  JudgeProvider,
  JudgeSpec,
} from '../../../model/judge.ts';
import { isTrustedSetting, type JudgeDraft, namesStore } from '../schema/judge-draft.ts';
import { ENDPOINT_SETTINGS } from '../schema/judge-schema.ts';

const DEFAULT_JUDGE = 'default';
const DEFAULT_TIMEOUT_S = 30;
const DEFAULT_TTL_S = 24 * 60 * 60;
const DEFAULT_MAX_CHARS = 16_000;
const DEFAULT_MAX_TOKENS = 2048;

/**
 * A judge with every setting that counts: the policy's own, else those of the judge it names.
 *
 * @param mayPoint false for files that have no say in the place, the failures and the cost of judges
 */
export function judgeSpec(
  draft: JudgeDraft,
  ruleId: string,
  judges: ReadonlyMap<string, JsonObject>,
  mayPoint: boolean,
): JudgeSpec {
  const written = mayPoint ? draft.settings : openPart(draft.settings);
  const named = judges.get(draft.judge ?? DEFAULT_JUDGE) ?? {};
  const hasOwnEndpoint = Object.hasOwn(written, 'provider') || Object.hasOwn(written, 'base_url');
  const shared = hasOwnEndpoint ? withoutEndpoint(named) : named;
  const settings: JsonObject = { ...shared, ...written };
  const budget = ownObject(settings, 'budget') ?? {};
  return {
    name: hasOwnEndpoint ? ruleId : (draft.judge ?? DEFAULT_JUDGE),
    prompt: draft.prompt,
    format: draft.format,
    verdicts: draft.verdicts,
    endpoint: endpointOf(settings),
    model: ownString(settings, 'model') ?? null,
    timeoutMs: numberIn(settings, 'timeout', DEFAULT_TIMEOUT_S) * 1000,
    retry: numberIn(settings, 'retry', 1),
    samples: numberIn(settings, 'samples', 1),
    threshold: numberIn(settings, 'threshold', 0),
    onError: (ownString(settings, 'on_error') ?? 'deny') as Action,
    onLowConfidence: (ownString(settings, 'on_low_confidence') ?? 'ask') as Action,
    redact: redactOf(own(settings, 'redact')),
    maxChars: numberIn(settings, 'max_chars', DEFAULT_MAX_CHARS),
    maxTokens: numberIn(settings, 'max_tokens', DEFAULT_MAX_TOKENS),
    cache: cacheOf(own(shared, 'cache'), own(written, 'cache')),
    perSession: limitOf(ownObject(budget, 'session')),
    perDay: limitOf(ownObject(budget, 'day')),
  };
}

/** The settings of a judge that any file may give, wherever it comes from. */
function openPart(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (isTrustedSetting(key)) return [];
      if (!namesStore(key, value)) return [[key, value]];
      if (!isJsonObject(value)) return [];
      const { store: _store, password_env: _passwordEnv, ...rest } = value;
      return [[key, rest]];
    }),
  );
}

function withoutEndpoint(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => !Object.hasOwn(ENDPOINT_SETTINGS, key)),
  );
}

function endpointOf(settings: JsonObject): JudgeEndpoint | null {
  const baseUrl = ownString(settings, 'base_url') ?? null;
  const provider = (ownString(settings, 'provider') ?? 'openai-compatible') as JudgeProvider;
  if (baseUrl === null && provider === 'openai-compatible') return null;
  const caFile = ownString(settings, 'ca_file');
  return {
    provider,
    baseUrl,
    apiKeyEnv: ownString(settings, 'api_key_env') ?? null,
    structuredOutput: own(settings, 'structured_output') !== false,
    caFile: caFile !== undefined && isAbsolute(caFile) ? caFile : null,
  };
}

/** The policy's own words on the time and the keys of a cache; its place may come from the named judge. */
function cacheOf(shared: Json | undefined, written: Json | undefined): JudgeCache | null {
  if (written === false || (written === undefined && shared === false)) return null;
  const parts = { ...cacheParts(shared), ...cacheParts(written) };
  const key = own(parts, 'key');
  return {
    ttlMs: numberIn(parts, 'ttl', DEFAULT_TTL_S) * 1000,
    key: Array.isArray(key) ? key.filter((item): item is string => typeof item === 'string') : [],
    redisUrl: ownString(parts, 'store') ?? null,
    passwordEnv: ownString(parts, 'password_env') ?? null,
  };
}

function cacheParts(cache: Json | undefined): JsonObject {
  if (typeof cache === 'string') return { store: cache };
  return isJsonObject(cache) ? cache : {};
}

function redactOf(written: Json | undefined): readonly string[] {
  if (written === false) return [];
  return Array.isArray(written)
    ? written.filter((item): item is string => typeof item === 'string')
    : ['secrets'];
}

function limitOf(limit: JsonObject | undefined): JudgeLimit {
  return { calls: countIn(limit, 'calls'), tokens: countIn(limit, 'tokens') };
}

function countIn(limit: JsonObject | undefined, key: string): number | null {
  const count = limit === undefined ? undefined : own(limit, key);
  return typeof count === 'number' ? count : null;
}

function numberIn(settings: JsonObject, key: string, otherwise: number): number {
  const value = own(settings, key);
  return typeof value === 'number' ? value : otherwise;
}
