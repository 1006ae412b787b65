import { statusOf } from '../hosts/call-results.ts';
import type { Host } from '../hosts/host.ts';
import { type CacheSpec, cacheSpecOf } from '../language/actions/respond-cache.ts';
import { resultIn } from '../language/actions/respond-result.ts';
import { argumentAt } from '../language/engine/template-values.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { sha256Hex } from '../lib/digest.ts';
import type { Json } from '../lib/json.ts';
import type { Decision, RespondResult } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { KeptResults } from '../model/kept-results.ts';
import type { Hit } from '../model/outcome.ts';
import type { Program, Rule } from '../model/policy.ts';
import { redactSecrets } from '../reader/secrets/redact-secrets.ts';
import { withoutFail } from './failure.ts';
import type { ResultStore } from './state/result-store.ts';

/** Longer results are not kept, in UTF-16 units of their JSON text. */
const MAX_RESULT_LENGTH = 256 * 1024;
/** After these a call runs as it was asked for. */
const RUNS: readonly Decision['action'][] = ['continue', 'approve', 'ask'];

/** The results that policies with `cache` answer with, and how they come to be kept. */
export interface ResultCache extends KeptResults {
  /**
   * Once an event is decided: a call that runs is noted, and a result that it leads to is kept as the model gets it.
   *
   * @param isSecret true if what it shows must not leave: then it is not kept
   */
  readonly settle: (event: Event, decision: Decision, hits: readonly Hit[], isSecret: () => boolean) => void;
}

export function createResultCache(
  host: Pick<Host, 'results' | 'resultOf'>,
  program: Program,
  store: () => Pick<ResultStore, 'find' | 'expect' | 'keep'>,
): ResultCache {
  const caches = program.rules.flatMap((rule) => {
    const spec = cacheSpecOf(rule.params);
    return spec === undefined ? [] : [{ rule, spec }];
  });
  const keyFor = (rule: Rule, spec: CacheSpec, event: Event) => keyOf(program.digest, rule, spec, event);

  /** What a result answers later calls with; undefined if they could not be given the same. */
  const answerIn = (event: Event, decision: Decision): RespondResult | undefined => {
    const { action, subject = event.subject, suppressOutput } = decision;
    if (action !== 'modify' && action !== 'continue' && action !== 'approve') return undefined;
    if (suppressOutput || statusOf(host.results, event) !== 'succeeded') return undefined;
    return host.resultOf?.(action === 'modify' ? subject : event.subject);
  };

  return {
    find(rule, event) {
      const spec = cacheSpecOf(rule.params);
      const key = spec === undefined ? undefined : keyFor(rule, spec, event);
      // Where nothing can be read the call runs.
      const text = key === undefined ? undefined : withoutFail(() => store().find(key));
      const result = text === undefined ? undefined : resultIn(withoutFail(() => JSON.parse(text) as Json));
      return typeof result === 'string' ? undefined : result;
    },
    settle(event, decision, hits, isSecret) {
      const { session, tool, kind } = event;
      if (session === undefined || tool === undefined) return;
      if (kind === 'before_tool' && RUNS.includes(decision.action)) {
        const missed = new Set(hits.flatMap(({ rule, how }) => (how === 'missed' ? [rule.id] : [])));
        for (const { rule, spec } of caches) {
          const key = missed.has(rule.id) ? keyFor(rule, spec, event) : undefined;
          if (key === undefined) continue;
          store().expect({ key, session, policy: rule.id, tool: tool.name, ttlMs: spec.ttlMs });
        }
      }
      if (kind !== 'after_tool') return;
      const result = answerIn(event, decision);
      const text = result === undefined ? undefined : JSON.stringify(result);
      if (text === undefined || text.length > MAX_RESULT_LENGTH || isSecret()) return;
      if (redactSecrets(text).found.length > 0) return;
      for (const { rule, spec } of caches) {
        const key = keyFor(rule, spec, event);
        if (key !== undefined) store().keep(key, session, text);
      }
    },
  };
}

/** What tells a call from others; undefined if its arguments cannot be read. */
function keyOf(
  digest: string,
  rule: Rule,
  { arguments: paths, context: names }: CacheSpec,
  event: Event,
): string | undefined {
  const { tool, context, host } = event;
  if (tool?.arguments === undefined) return undefined;
  const counts = paths?.map((path) => [path, canonicalJson(argumentAt(event, path) ?? null)]);
  const named = names.map((name) => [name, String(context[name] ?? '')]);
  return sha256Hex([
    digest,
    rule.id,
    host,
    tool.name,
    tool.told?.['server'] ?? '',
    String(context.cwd ?? ''),
    JSON.stringify([counts ?? canonicalJson(tool.arguments), named]),
  ]);
}
