import { parseDuration } from '../../lib/duration.ts';
import { type JsonObject, ownItems, ownObject, ownString } from '../../lib/json.ts';
import { CLOSED, TEXT, TEXTS } from '../../lib/schema-parts.ts';
import type { ContextKey } from '../../model/event.ts';
import type { ParamProblem } from './action-spec.ts';

const ARGUMENTS = 'arguments.';
/** Keys that may tell calls apart beside the agent, the person and the call itself. */
const ADDED: readonly ContextKey[] = ['session'];
const MAX_TTL_MS = 86_400_000;

export const CACHE_SCHEMA: JsonObject = {
  description: 'Answers with the result of the last equal call, as policies left it; the first one runs',
  ...CLOSED,
  required: ['ttl'],
  properties: {
    ttl: { description: 'How long a result answers: 30s, 10m, up to 24h', ...TEXT },
    key: {
      description:
        'Besides agent, person, tool, server and workspace: arguments.NAME for the arguments that count, all unless given; session',
      ...TEXTS,
    },
  },
};

/** The time for which a policy keeps results, and the parts by which it tells calls apart. */
export interface CacheSpec {
  readonly ttlMs: number;
  /** Paths of the arguments that count; undefined if all do. */
  readonly arguments: readonly string[] | undefined;
  /** Facts of the context that count as well. */
  readonly context: readonly ContextKey[];
}

/** The cache of a sound policy; undefined if it has none. */
export function cacheSpecOf(params: JsonObject): CacheSpec | undefined {
  const cache = ownObject(params, 'cache');
  if (cache === undefined) return undefined;
  const names = ownItems(cache, 'key').map(String);
  const paths = names.filter(isArgument).map((name) => name.slice(ARGUMENTS.length));
  return {
    ttlMs: parseDuration(ownString(cache, 'ttl') ?? '') ?? 0,
    arguments: paths.length === 0 ? undefined : paths,
    context: ADDED.filter((key) => names.includes(key)),
  };
}

/** Checks a cache beyond the schema. */
export function checkCache(params: JsonObject): readonly ParamProblem[] {
  const cache = ownObject(params, 'cache');
  if (cache === undefined) return [];
  const ttl = ownString(cache, 'ttl') ?? '';
  const ttlMs = parseDuration(ttl) ?? 0;
  const unknown = ownItems(cache, 'key')
    .map(String)
    .flatMap((name, index): readonly ParamProblem[] => {
      if (ADDED.some((key) => key === name) || (isArgument(name) && name.length > ARGUMENTS.length))
        return [];
      const message = `Cannot tell calls apart by "${name}"`;
      const hint = `write arguments.NAME or ${ADDED.join(', ')}`;
      return [{ code: 'bad-value', path: ['cache', 'key', index], message, hint }];
    });
  if (ttlMs > 0 && ttlMs <= MAX_TTL_MS) return unknown;
  const message = `Cannot keep results for "${ttl}": it is not a time of up to 24h`;
  const hint = 'write a number with s, m or h, such as 10m';
  return [{ code: 'bad-value', path: ['cache', 'ttl'], message, hint }, ...unknown];
}

function isArgument(name: string): boolean {
  return name.startsWith(ARGUMENTS);
}
