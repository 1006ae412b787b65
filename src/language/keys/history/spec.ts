import { parseDuration } from '../../../lib/duration.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import { FACT_OUTCOMES, type FactOutcome, type Window } from '../../../model/history.ts';
import type { FactValue } from '../../../model/policy.ts';

/** A fact with the outcome that a policy asks of its calls. */
export interface FactUse {
  readonly fact: string;
  readonly outcome: FactOutcome;
}

/** The bounds that a policy may set for the number of calls. */
export const BOUNDS = ['equals', 'gt', 'gte', 'lt', 'lte'] as const;
export type Bounds = Readonly<Partial<Record<(typeof BOUNDS)[number], number>>>;

export interface HistorySpec {
  readonly ask: 'seen' | 'not_seen' | 'count';
  readonly of: FactUse;
  readonly bounds: Bounds;
  readonly distinct: FactValue | undefined;
  readonly since: FactUse | undefined;
  readonly window: Window;
  readonly same: readonly FactValue[];
}

const DAY_MS = 86_400_000;

/** How far back a `within` looks; undefined if it says nothing that can be. */
export function windowOf(spec: JsonObject): Window | undefined {
  const within = own(spec, 'within');
  if (within === 'turn' || within === 'session') return within;
  const ms = typeof within === 'string' ? parseDuration(within) : undefined;
  if (ms === undefined || ms === 0 || ms > DAY_MS) return undefined;
  return { ms, across: own(spec, 'across') === 'sessions' };
}

/** The spec of a key as its set has resolved it; undefined if it has not. */
export function historySpec(spec: Json): HistorySpec | undefined {
  if (!isJsonObject(spec)) return undefined;
  const count = ownObject(spec, 'count');
  const ask = count !== undefined ? 'count' : Object.hasOwn(spec, 'seen') ? 'seen' : 'not_seen';
  const of = factUse(own(count ?? spec, count === undefined ? ask : 'of'));
  const since = factUse(own(spec, 'since'));
  const window = windowOf(spec);
  if (of === undefined || window === undefined) return undefined;
  if (since === undefined && Object.hasOwn(spec, 'since')) return undefined;
  const bounds = BOUNDS.flatMap((key) => {
    const value = own(count ?? {}, key);
    return typeof value === 'number' ? [[key, value] as const] : [];
  });
  return {
    ask,
    of,
    bounds: Object.fromEntries(bounds),
    distinct: ownString(count ?? {}, 'distinct'),
    since,
    window,
    same: [own(spec, 'same') ?? []].flat().map(String),
  };
}

/** A fact with its outcome as a set has resolved it. */
export function factUse(spec: Json | undefined): FactUse | undefined {
  if (spec === undefined || !isJsonObject(spec)) return undefined;
  const fact = ownString(spec, 'fact');
  const outcome = FACT_OUTCOMES.find((each) => each === own(spec, 'outcome'));
  return fact === undefined || outcome === undefined ? undefined : { fact, outcome };
}
