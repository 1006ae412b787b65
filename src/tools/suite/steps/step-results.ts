import { createResultCache, type ResultCache } from '../../../hook/result-cache.ts';
import type { ResultStore } from '../../../hook/state/result-store.ts';
import { ownString } from '../../../lib/json.ts';
import type { Program } from '../../../model/policy.ts';

/** What the steps of one case keep of results; undefined if no policy answers with them. */
export function stepResults(program: Program, nowMs: () => number): ResultCache | undefined {
  if (!program.rules.some(({ params }) => Object.hasOwn(params, 'cache'))) return undefined;
  const store = storeOf(nowMs);
  return createResultCache(
    {
      results: { by: 'id', unmarked: ['succeeded', 'failed'] },
      resultOf: (subject) => ({ for_llm: ownString(subject, 'result') ?? '' }),
    },
    program,
    () => store,
  );
}

function storeOf(nowMs: () => number): Pick<ResultStore, 'find' | 'expect' | 'keep'> {
  const expected = new Map<string, number>();
  const results = new Map<string, { readonly text: string; readonly untilMs: number }>();
  return {
    find: (key) => {
      const found = results.get(key);
      return found !== undefined && found.untilMs > nowMs() ? found.text : undefined;
    },
    expect: ({ key, ttlMs }) => void expected.set(key, ttlMs),
    keep: (key, _session, text) => {
      const ttlMs = expected.get(key);
      if (ttlMs !== undefined && expected.delete(key)) results.set(key, { text, untilMs: nowMs() + ttlMs });
    },
  };
}
