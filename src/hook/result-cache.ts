import { statusOf } from '../hosts/call-results.ts';
import type { Host } from '../hosts/host.ts';
import { type CacheSpec, cacheSpecOf } from '../language/actions/respond-cache.ts';
import { resultIn } from '../language/actions/respond-result.ts';
import { argumentAt } from '../language/engine/template-values.ts';
import { MATCHER_TABLE } from '../language/keys/registry.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { sha256Hex } from '../lib/digest.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { Decision, RespondResult } from '../model/decision.ts';
import type { ContextKey, Event } from '../model/event.ts';
import type { KeptResults } from '../model/kept-results.ts';
import type { Hit } from '../model/outcome.ts';
import type { Program, Rule } from '../model/policy.ts';
import { redactSecrets } from '../reader/secrets/redact-secrets.ts';
import type { ResultStore } from './result-store.ts';

/** Longer results are not kept, in UTF-16 units of their JSON text. */
const MAX_RESULT_LENGTH = 256 * 1024;
/** Facts that tell the people and agents apart for whom a result is. Without a sender, each session counts as a person. */
const ALWAYS: readonly ContextKey[] = ['agent', 'subagent', 'channel', 'chat_id', 'permission_mode'];

/** The results that policies with `cache` answer with, and how they come to be kept. */
export interface ResultCache extends KeptResults {
  /**
   * Once an event is decided: a call that runs as it was asked for is noted, and its result is kept as the model gets it.
   *
   * @param isSecret true if its result must not leave: then it is not kept
   */
  readonly settle: (event: Event, decision: Decision, hits: readonly Hit[], isSecret: () => boolean) => void;
}

interface CachingRule {
  readonly rule: Rule;
  readonly spec: CacheSpec;
}

/** @returns undefined if no policy answers with results of earlier calls */
export function createResultCache(
  host: Pick<Host, 'results' | 'resultOf'>,
  program: Program,
  store: ResultStore,
): ResultCache | undefined {
  const caching = program.rules.flatMap((rule): readonly CachingRule[] => {
    const spec = cacheSpecOf(rule.params);
    return spec === undefined ? [] : [{ rule, spec }];
  });
  if (caching.length === 0) return undefined;
  const isSteady = program.rules.every((rule) => !rule.on.includes('after_tool') || isSteadyRule(rule));
  const keyFor = ({ rule, spec }: CachingRule, event: Event) => keyOf(program.digest, rule, spec, event);

  /** The answer that a result gives to later calls; undefined if they could not get the same. */
  const answerIn = (event: Event, decision: Decision): RespondResult | undefined => {
    const { action, subject, suppressOutput, contexts, messages } = decision;
    if (!isSteady || suppressOutput || contexts.length > 0 || messages.length > 0) return undefined;
    if (event.kind !== 'after_tool' || statusOf(host.results, event) !== 'succeeded') return undefined;
    if (action === 'modify') return subject === undefined ? undefined : host.resultOf?.(subject);
    return action === 'continue' || action === 'approve' ? host.resultOf?.(event.subject) : undefined;
  };

  return {
    find(rule, event) {
      const spec = cacheSpecOf(rule.params);
      const key = spec === undefined ? undefined : keyFor({ rule, spec }, event);
      const text = key === undefined ? undefined : store.find(key);
      const result = text === undefined ? undefined : resultIn(JSON.parse(text) as Json);
      return typeof result === 'string' ? undefined : result;
    },
    settle(event, decision, hits, isSecret) {
      const { session, tool, kind } = event;
      if (session === undefined || tool === undefined) return;
      if (kind === 'before_tool') {
        if (decision.action !== 'continue' && decision.action !== 'approve') return;
        const missed = new Set(hits.flatMap(({ rule, how }) => (how === 'missed' ? [rule.id] : [])));
        for (const each of caching) {
          const key = missed.has(each.rule.id) ? keyFor(each, event) : undefined;
          if (key !== undefined) store.expect(key, session);
        }
      }
      if (kind !== 'after_tool' && kind !== 'tool_failure') return;
      const noted = caching.flatMap((each) => {
        const key = keyFor(each, event);
        return key !== undefined && store.take(key, session) ? [{ key, ttlMs: each.spec.ttlMs }] : [];
      });
      const result = noted.length === 0 ? undefined : answerIn(event, decision);
      const text = result === undefined ? undefined : JSON.stringify(result);
      if (text === undefined || text.length > MAX_RESULT_LENGTH || isSecret()) return;
      if (redactSecrets(text).found.length > 0) return;
      for (const { key, ttlMs } of noted) store.keep(key, text, ttlMs);
    },
  };
}

/** True if a policy's answer on a result does not change with the asker, the time, or earlier calls. */
function isSteadyRule({ when, judge, mode, exceptions }: Rule): boolean {
  return (
    judge === undefined && typeof mode === 'string' && (exceptions ?? []).length === 0 && isSteadyWhen(when)
  );
}

function isSteadyWhen(when: Json): boolean {
  if (Array.isArray(when)) return when.every(isSteadyWhen);
  if (!isJsonObject(when)) return true;
  return Object.entries(when).every(([key, spec]) => {
    const matcher = MATCHER_TABLE.get(key);
    return matcher?.steady === true && (matcher.joins !== true || isSteadyWhen(spec));
  });
}

/** The key of a call, equal for equal calls; undefined if something of it is not known. */
function keyOf(
  digest: string,
  rule: Rule,
  { arguments: paths, context: names }: CacheSpec,
  event: Event,
): string | undefined {
  const { tool, context, host, session } = event;
  if (tool?.arguments === undefined) return undefined;
  const counts = paths?.map((path): Json => {
    const value = argumentAt(event, path);
    return value === undefined ? null : [path, canonicalJson(value)];
  });
  const named = names.map((name): Json => context[name] ?? null);
  // A name that is misspelt must not make all calls equal.
  if (counts?.includes(null) === true || named.includes(null)) return undefined;
  const who: JsonObject = {
    sender: context.sender ?? null,
    session: context.sender === undefined ? (session ?? null) : null,
  };
  return sha256Hex([
    digest,
    rule.id,
    host,
    tool.name,
    tool.extraArguments?.['server'] ?? '',
    String(context.cwd ?? ''),
    JSON.stringify([
      who,
      ALWAYS.map((name) => context[name] ?? null),
      named,
      counts ?? canonicalJson(tool.arguments),
    ]),
  ]);
}
