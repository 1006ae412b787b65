import type { Facts } from '../../../model/facts.ts';
import type { History, PastCall, Window } from '../../../model/history.ts';
import type { FactValue } from '../../../model/policy.ts';
import { and, anyTruth, not, or, type Truth } from '../../../model/truth.ts';
import { happened } from './happened.ts';
import type { Bounds, FactUse, HistorySpec } from './spec.ts';
import { factValues } from './values.ts';

/** An earlier call that may count, and whether it does. */
export interface Counted {
  readonly call: PastCall;
  readonly truth: Truth;
}

/** The earlier calls that a policy looks at, without those that certainly do not count. */
export interface Past {
  readonly counted: readonly Counted[];
  /** Yes if the fact of `since` has happened, or none is named. */
  readonly started: Truth;
  /** Why there may be more calls; undefined if these are all. */
  readonly unknown: string | undefined;
  /** True if there may be more because the store began anew. */
  readonly restarted: boolean;
}

/** The values of a call, as hashes; undefined where they are not all known. */
type OwnValues = ReadonlyMap<FactValue, ReadonlySet<string> | undefined>;

/** More combinations of values than a call has that a person would compare. */
const MAX_COMBINATIONS = 64;

/**
 * The answer to a spec about earlier calls. A call is only freed if each of its values is: a look at one script frees no other
 * script that runs beside it.
 */
export function historyTruth(spec: HistorySpec, facts: Facts): Truth {
  if (spec.ask === 'count') return countTruth(spec, pastOf(spec, facts));
  if (spec.ask === 'seen') return seenTruth(spec, facts)[0];
  let combinations: readonly OwnValues[] = [new Map()];
  for (const value of spec.same) {
    const values = ownValues(facts, value);
    const sets =
      values === undefined || values.size === 0 ? [values] : [...values].map((each) => new Set([each]));
    combinations = combinations.flatMap((map) => sets.map((set) => new Map([...map, [value, set]])));
    if (combinations.length > MAX_COMBINATIONS) return 'unknown';
  }
  return anyTruth(combinations, (values) => {
    const [seen, started] = seenTruth(spec, facts, values);
    return and(started, not(seen));
  });
}

/** Tells if one of the earlier calls counts, and if the fact of `since` has happened. */
function seenTruth(
  spec: HistorySpec,
  facts: Facts,
  given?: OwnValues,
): readonly [seen: Truth, started: Truth] {
  const look = lookBack(spec, facts, given);
  let seen: Truth = look.unknown === undefined ? false : 'unknown';
  // One of the latest settles it nearly always.
  for (let at = look.calls.length - 1; at >= 0 && seen !== true; at--)
    seen = or(seen, look.truthOf(look.calls[at]));
  return [seen, look.started];
}

/** Looks back as a policy says, at all calls that may count. */
export function pastOf(spec: HistorySpec, facts: Facts): Past {
  const { calls, truthOf, ...rest } = lookBack(spec, facts);
  const counted: Counted[] = [];
  for (const call of calls) {
    const truth = truthOf(call);
    if (truth !== false) counted.push({ call, truth });
  }
  return { ...rest, counted };
}

/** The calls of a fact, oldest first, and whether each counts. */
interface Look extends Omit<Past, 'counted'> {
  readonly calls: readonly PastCall[];
  readonly truthOf: (call: PastCall | undefined) => Truth;
}

/** @param given values of the call that count, in place of all that it has */
function lookBack(spec: HistorySpec, facts: Facts, given?: OwnValues): Look {
  const { of, since, window, ask } = spec;
  const fits = comparison(spec, facts, given);
  const marks = since === undefined ? undefined : marksOf(since, window, facts.history, fits.strict);
  const test = ask === 'not_seen' ? fits.strict : ask === 'seen' ? fits.lenient : fits.values;
  const { calls, unknown, restarted = false } = facts.history.past(of.fact, window);
  const truthOf = (call: PastCall | undefined): Truth => {
    const isAfter = call === undefined ? false : (marks?.before(call) ?? true);
    const hasHappened = call === undefined || isAfter === false ? false : happened(call, of.outcome);
    return call === undefined || hasHappened === false ? false : and(and(hasHappened, isAfter), test(call));
  };
  return { calls, truthOf, started: marks?.any ?? true, unknown, restarted };
}

interface Marks {
  /** Yes if there is a mark. */
  readonly any: Truth;
  /** Yes if the last mark came before a call. */
  readonly before: (call: PastCall) => Truth;
}

/**
 * The calls that `since` names. Calls are dated at their start, marks at their end: a test that began before the edit had ended
 * says nothing of the edit.
 */
function marksOf(
  { fact, outcome }: FactUse,
  window: Window,
  history: History,
  fits: (call: PastCall) => Truth,
): Marks {
  const { calls, unknown, restarted = false } = history.past(fact, window);
  let any: Truth = unknown === undefined ? false : 'unknown';
  let ended = Number.NEGATIVE_INFINITY;
  let certain = Number.NEGATIVE_INFINITY;
  // From the latest on, until the older ones change nothing.
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at];
    if (call === undefined || (any === true && ended === Number.POSITIVE_INFINITY)) break;
    const hasHappened = happened(call, outcome);
    const truth = hasHappened === false ? false : and(hasHappened, fits(call));
    if (truth === false) continue;
    any = or(any, truth);
    // Nobody knows when a command in the background ends.
    const settled = call.hiddenBy === 'background' ? undefined : call.settledSequence;
    ended = Math.max(ended, settled ?? Number.POSITIVE_INFINITY);
    if (truth === true) certain = Math.max(certain, call.sequence);
  }
  // Lost calls came before all known ones.
  const since: Truth = unknown === undefined || restarted ? true : 'unknown';
  return {
    any,
    before: ({ sequence }) => (ended < sequence ? since : certain > sequence ? false : 'unknown'),
  };
}

/**
 * Tells if an earlier call shares the values of `same` with this one. A call that frees has to be of the same repository
 * (`strict`); for one that may refuse, another repository makes it unknown (`lenient`), and counts take in all (`values`).
 */
function comparison(
  { same }: HistorySpec,
  facts: Facts,
  given: OwnValues = new Map(),
): Readonly<Record<'strict' | 'lenient' | 'values', (call: PastCall) => Truth>> {
  const mine = new Map(given);
  const own = (value: FactValue) => {
    if (!mine.has(value)) mine.set(value, ownValues(facts, value));
    return mine.get(value);
  };
  const shares = (call: PastCall, value: FactValue): Truth => {
    const theirs = call.values[value];
    const ours = own(value);
    if (theirs === undefined || ours === undefined) return 'unknown';
    return theirs.some((each) => ours.has(each));
  };
  const values = (call: PastCall) =>
    same.length === 0 ? true : same.map((value) => shares(call, value)).reduce(and, true);
  return {
    values,
    strict: (call) => and(shares(call, 'repository'), values(call)),
    lenient: (call) => and(shares(call, 'repository') === true ? true : 'unknown', values(call)),
  };
}

function ownValues(facts: Facts, value: FactValue): ReadonlySet<string> | undefined {
  const values = factValues(facts, value);
  return values === undefined ? undefined : new Set(values.map((each) => facts.history.hash(each)));
}

/** How many calls there are at least and at most. */
function countTruth({ bounds, distinct }: HistorySpec, { counted, unknown, restarted }: Past): Truth {
  const certain = counted.filter(({ truth }) => truth === true);
  const least = distinct === undefined ? certain.length : valuesIn(certain, distinct).size;
  const isOpen =
    // Budgets start at nothing after a store was lost.
    (unknown !== undefined && !restarted) ||
    (distinct !== undefined && counted.some(({ call }) => call.values[distinct] === undefined));
  const all = distinct === undefined ? counted.length : valuesIn(counted, distinct).size;
  return withinBounds(bounds, least, isOpen ? Number.POSITIVE_INFINITY : all);
}

function valuesIn(counted: readonly Counted[], value: FactValue): ReadonlySet<string> {
  return new Set(counted.flatMap(({ call }) => call.values[value] ?? []));
}

/** Tells if a number between `least` and `most` is within bounds. */
function withinBounds({ equals, gt, gte, lt, lte }: Bounds, least: number, most: number): Truth {
  const atLeast = (bound: number): Truth => (least >= bound ? true : most < bound ? false : 'unknown');
  const tests: readonly Truth[] = [
    ...(gte === undefined ? [] : [atLeast(gte)]),
    ...(gt === undefined ? [] : [atLeast(gt + 1)]),
    ...(lt === undefined ? [] : [not(atLeast(lt))]),
    ...(lte === undefined ? [] : [not(atLeast(lte + 1))]),
    ...(equals === undefined ? [] : [and(atLeast(equals), not(atLeast(equals + 1)))]),
  ];
  return tests.reduce(and, true);
}
