import { DEFAULT_OUTCOMES, type FactPlace, withFacts } from '../../../language/keys/history/fact-places.ts';
import { BOUNDS, factUse } from '../../../language/keys/history/spec.ts';
import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { sitesOf } from '../../../language/sites/sites-of.ts';
import { asObject, isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { withAtPath } from '../../../lib/json-path.ts';
import type { FactOutcome } from '../../../model/history.ts';
import type { FactRow } from '../../../model/policy.ts';

/** Matching keys that ask something else of earlier calls. */
export interface HistoryChange {
  readonly path: YamlPath;
  readonly change: string;
  readonly when: JsonObject;
}

/** A fact that is met by more calls. */
export interface FactChange {
  readonly path: YamlPath;
  readonly at: 'key' | 'value';
  readonly change: string;
  readonly fact: FactRow;
}

const OTHER_OUTCOME: Readonly<Record<FactOutcome, FactOutcome>> = {
  succeeded: 'done',
  failed: 'done',
  done: 'passed',
  refused: 'asked',
  passed: 'asked',
  asked: 'passed',
};

/** Every small change of a policy's questions about earlier calls. A part that can be left out is a site like others. */
export function historyChanges(when: JsonObject): readonly HistoryChange[] {
  const places: (FactPlace & { readonly fact: Json })[] = [];
  withFacts(when, (fact, place) => {
    places.push({ ...place, fact });
    return fact;
  });
  const windows = places.filter(({ ask }) => ask !== 'since').flatMap((place) => widerWindow(when, place));
  return [
    ...places.flatMap((place) => [...otherOutcome(when, place), ...oppositeAsk(when, place)]),
    ...windows,
  ];
}

/** Changes the outcome that a fact names; an outcome that is the usual one is not written. */
function otherOutcome(when: JsonObject, { ask, path, fact }: FactPlace & { readonly fact: Json }) {
  const use = factUse(fact);
  if (use === undefined || use.outcome === DEFAULT_OUTCOMES[ask]) return [];
  const outcome = OTHER_OUTCOME[use.outcome];
  const change = `with outcome "${outcome}" in place of "${use.outcome}"`;
  return [{ path, change, when: withPart(when, path, { fact: use.fact, outcome }) }];
}

function oppositeAsk(when: JsonObject, { ask, path, spec }: FactPlace): readonly HistoryChange[] {
  if (ask === 'count') return otherCounts(when, path.slice(0, -1), own(spec, 'count') ?? null);
  if (ask !== 'seen' && ask !== 'not_seen') return [];
  const other = ask === 'seen' ? 'not_seen' : 'seen';
  const { [ask]: fact = null, ...rest } = spec;
  const changed = withPart(when, path.slice(0, -1), { [other]: fact, ...rest });
  return [{ path, change: `with "${other}" in place of "${ask}"`, when: changed }];
}

function otherCounts(when: JsonObject, path: YamlPath, count: Json): readonly HistoryChange[] {
  if (!isJsonObject(count)) return [];
  return BOUNDS.flatMap((bound) => {
    const value = own(count, bound);
    if (typeof value !== 'number') return [];
    return [value + 1, value - 1]
      .filter((each) => each >= 0)
      .map((each) => ({
        path: [...path, bound],
        change: `with ${bound}: ${each}`,
        when: withPart(when, [...path, bound], each),
      }));
  });
}

/** A turn is a part of a session, and so is a time. */
function widerWindow(when: JsonObject, { ask, path, spec }: FactPlace): readonly HistoryChange[] {
  const within = own(spec, 'within');
  if (within === 'session' || within === '24h') return [];
  const at = [...path.slice(0, ask === 'count' ? -2 : -1), 'within'];
  const wider = Object.hasOwn(spec, 'across') ? '24h' : 'session';
  return [{ path: at, change: `within ${wider}`, when: withPart(when, at, wider) }];
}

/** The parts that can be taken away from the keys of a fact. */
export function factChanges(row: FactRow): readonly FactChange[] {
  return sitesOf(row.when)
    .filter(({ drop }) => Object.keys(drop).length > 0)
    .map(({ type, path, label, drop }) => ({
      path,
      at: type === 'key' ? 'key' : 'value',
      change: `without "${label}"`,
      fact: { ...row, when: drop, literals: null, needs: null },
    }));
}

function withPart(when: JsonObject, path: YamlPath, part: Json): JsonObject {
  return asObject(withAtPath(when, path, part));
}
