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
  /** Whether what `since` names has happened; yes where nothing is named. */
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
 * What a policy says of what came before. What frees a call has to free each of its values: to have looked at one script lets no
 * other run beside it.
 */
export function historyTruth(spec: HistorySpec, facts: Facts): Truth {
  if (spec.ask !== 'not_seen') return pastTruth(spec, pastOf(spec, facts));
  let combinations: readonly OwnValues[] = [new Map()];
  for (const value of spec.same) {
    const values = ownValues(facts, value);
    const sets =
      values === undefined || values.size === 0 ? [values] : [...values].map((each) => new Set([each]));
    combinations = combinations.flatMap((map) => sets.map((set) => new Map([...map, [value, set]])));
    if (combinations.length > MAX_COMBINATIONS) return 'unknown';
  }
  return anyTruth(combinations, (values) => pastTruth(spec, pastOf(spec, facts, values)));
}

/**
 * Looks back as a policy says.
 *
 * @param given values of the call that count, in place of all that it has
 */
export function pastOf(spec: HistorySpec, facts: Facts, given?: OwnValues): Past {
  const { history } = facts;
  const fits = comparison(spec, facts, given);
  const marks =
    spec.since === undefined ? undefined : countedIn(spec.since, spec.window, history, fits.strict);
  const test = spec.ask === 'not_seen' ? fits.strict : spec.ask === 'seen' ? fits.lenient : fits.values;
  const { counted, unknown, restarted } = countedIn(spec.of, spec.window, history, test);
  const isAfter = marks === undefined ? undefined : afterMarks(marks);
  // Of many calls most have nothing to be changed.
  const after =
    isAfter === undefined
      ? counted
      : counted.flatMap((each): readonly Counted[] => {
          const truth = and(each.truth, isAfter(each.call));
          return truth === false ? [] : [truth === each.truth ? each : { call: each.call, truth }];
        });
  return { counted: after, started: marks === undefined ? true : anyOf(marks), unknown, restarted };
}

/** What a policy says of the earlier calls. */
function pastTruth(spec: HistorySpec, past: Past): Truth {
  if (spec.ask === 'count') return countTruth(spec, past);
  const seen = anyOf(past);
  return spec.ask === 'seen' ? seen : and(past.started, not(seen));
}

type Listed = Pick<Past, 'counted' | 'unknown' | 'restarted'>;

function countedIn(
  { fact, outcome }: FactUse,
  window: Window,
  history: History,
  fits: (call: PastCall) => Truth,
): Listed {
  const { calls, unknown, restarted = false } = history.past(fact, window);
  const counted: Counted[] = [];
  for (const call of calls) {
    const hasHappened = happened(call, outcome);
    const truth = hasHappened === false ? false : and(hasHappened, fits(call));
    if (truth !== false) counted.push({ call, truth });
  }
  return { counted, unknown, restarted };
}

function anyOf({ counted, unknown }: Listed): Truth {
  const known = counted.some(({ truth }) => truth === true)
    ? true
    : counted.reduce<Truth>((any, { truth }) => or(any, truth), false);
  return unknown === undefined ? known : or(known, 'unknown');
}

/**
 * Tells whether a call came after the last mark. Calls are dated at their start, marks at their end: a test that began before the
 * edit had ended says nothing of what was edited.
 */
function afterMarks(marks: Listed): (call: PastCall) => Truth {
  let ended = Number.NEGATIVE_INFINITY;
  let certain = Number.NEGATIVE_INFINITY;
  for (const { call, truth } of marks.counted) {
    // Of what runs in the background nobody knows when it ends.
    const settled = call.hiddenBy === 'background' ? undefined : call.settledSequence;
    ended = Math.max(ended, settled ?? Number.POSITIVE_INFINITY);
    if (truth === true) certain = Math.max(certain, call.sequence);
  }
  // What was lost came before all that is known.
  const since: Truth = marks.unknown === undefined || marks.restarted ? true : 'unknown';
  return ({ sequence }) => (ended < sequence ? since : certain > sequence ? false : 'unknown');
}

/**
 * Whether an earlier call shares what it has to with this one. What frees a call has to be of the same repository
 * (`strict`); for what may refuse one, another repository makes it unknown (`lenient`), and counts take in all (`values`).
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

/** Whether a number between two others is within bounds. */
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
