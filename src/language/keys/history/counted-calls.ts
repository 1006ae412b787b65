import { child } from '../../../lib/child.ts';
import type { Facts } from '../../../model/facts.ts';
import type { History, PastCall } from '../../../model/history.ts';
import type { FactValue } from '../../../model/policy.ts';
import { and, anyTruth, not, or, type Truth } from '../../../model/truth.ts';
import { happened } from './happened.ts';
import type { Bounds, FactUse, HistorySpec } from './spec.ts';
import { factValues } from './values.ts';

/** An earlier call that may count, and whether it does. */
export interface CountedCall {
  readonly call: PastCall;
  readonly truth: Truth;
}

/** The earlier calls that a policy looks at, without those that certainly do not count. */
export interface CountedCalls {
  readonly counted: readonly CountedCall[];
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
 * The answer to a spec about earlier calls. A call is allowed only if each of its values is: a look at one script does not free
 * another that runs with it.
 */
export function historyTruth(spec: HistorySpec, facts: Facts): Truth {
  if (spec.ask === 'count')
    return isUnreached(spec, facts) ? false : countTruth(spec, countedCalls(spec, facts));
  if (spec.ask === 'seen') return seenTruth(spec, facts);
  let combinations: readonly OwnValues[] = [new Map()];
  for (const value of spec.same) {
    const values = ownValues(facts, value);
    const sets =
      values === undefined || values.size === 0 ? [values] : [...values].map((each) => new Set([each]));
    combinations = combinations.flatMap((map) => sets.map((set) => new Map([...map, [value, set]])));
    if (combinations.length > MAX_COMBINATIONS) return 'unknown';
  }
  return anyTruth(combinations, (values) => unseenTruth(spec, facts, values));
}

/** Whether one of the earlier calls counts. */
function seenTruth(spec: HistorySpec, facts: Facts): Truth {
  const look = earlierCalls(spec, facts);
  return anyOf(look, look.marks[0]);
}

/** Whether there is a change that none of the earlier calls is about. */
function unseenTruth(spec: HistorySpec, facts: Facts, given: OwnValues): Truth {
  const look = earlierCalls(spec, facts, given);
  return anyTruth(look.marks, (marks) =>
    marks.any === false ? false : and(marks.any, not(anyOf(look, marks))),
  );
}

/** One of the latest settles it nearly always. */
function anyOf({ calls, unknown, truthOf }: Look, marks: Marks): Truth {
  let found: Truth = unknown === undefined ? false : 'unknown';
  for (let at = calls.length - 1; at >= 0 && found !== true; at--)
    found = or(found, truthOf(calls[at], marks));
  return found;
}

/** Looks back as a policy says, at all calls that may count. */
export function countedCalls(spec: HistorySpec, facts: Facts): CountedCalls {
  const { calls, marks, truthOf, unknown, restarted } = earlierCalls(spec, facts);
  const counted: CountedCall[] = [];
  for (const call of calls) {
    const truth =
      marks.length === 1 ? truthOf(call, marks[0]) : anyTruth(marks, (each) => truthOf(call, each));
    if (truth !== false) counted.push({ call, truth });
  }
  return { counted, unknown, restarted };
}

/** The calls of a fact, oldest first, and whether each counts. */
interface Look extends Omit<CountedCalls, 'counted'> {
  readonly calls: readonly PastCall[];
  /** The calls that `since` names, by their folders: several only for a fact that frees a call. */
  readonly marks: readonly [Marks, ...Marks[]];
  readonly truthOf: (call: PastCall | undefined, marks: Marks) => Truth;
}

/** @param given values of the call that count, in place of all that it has */
function earlierCalls(spec: HistorySpec, facts: Facts, given?: OwnValues): Look {
  const { of, since, window, ask } = spec;
  const fits = comparison(spec, facts, given);
  const marks = since === undefined ? ANY_TIME : marksOf(since, spec, facts.history, fits.strict);
  const test = ask === 'not_seen' ? fits.strict : ask === 'seen' ? fits.lenient : fits.values;
  const { calls, unknown, restarted = false } = facts.history.past(of.fact, window);
  const truthOf = (call: PastCall | undefined, mark: Marks): Truth => {
    const isAfter = call === undefined ? false : mark.before(call);
    const hasHappened = call === undefined || isAfter === false ? false : happened(call, of.outcome);
    return call === undefined || hasHappened === false ? false : and(and(hasHappened, isAfter), test(call));
  };
  return { calls, truthOf, marks, unknown, restarted };
}

interface Marks {
  /** Yes if there is a mark. */
  readonly any: Truth;
  /** Yes if the last mark came before a call that is about its folder. */
  readonly before: (call: PastCall) => Truth;
}

const ANY_TIME: Look['marks'] = [{ any: true, before: () => true }];

/** The calls that `since` names, dated at their end: a test that began before an edit ended does not count for it. */
function marksOf(
  { fact, outcome }: FactUse,
  { window, ask }: HistorySpec,
  history: History,
  fits: (call: PastCall) => Truth,
): Look['marks'] {
  const { calls, unknown, restarted = false } = history.past(fact, window);
  const places = new Map<string, Place>();
  const placeOf = (folders: readonly string[] | undefined): Place =>
    child(places, folders?.[0] ?? '', () => ({ ...NOWHERE, folders }));
  // The calls that were lost may have been anywhere.
  if (unknown !== undefined) placeOf(undefined).any = 'unknown';
  // From the latest on, until the older ones change nothing.
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at];
    const place = placeOf(ask === 'not_seen' ? call?.values['folders'] : undefined);
    const isSettled = place.any === true && place.ended === Number.POSITIVE_INFINITY;
    if (call === undefined || (isSettled && place.folders === undefined)) break;
    const hasHappened = isSettled ? false : happened(call, outcome);
    const truth = hasHappened === false ? false : and(hasHappened, fits(call));
    if (truth === false) continue;
    place.any = or(place.any, truth);
    // Nobody knows when a command in the background ends.
    const settled = call.hiddenBy === 'background' ? undefined : call.settledSequence;
    const ended = settled ?? Number.POSITIVE_INFINITY;
    const [later, earlier] =
      ended >= place.ended ? [{ ended, by: call.sequence }, place.ended] : [place, ended];
    place.endedElse = Math.max(place.endedElse, earlier);
    place.ended = later.ended;
    place.by = later.by;
    if (truth === true) place.certain = Math.max(place.certain, call.sequence);
  }
  // Lost calls came before all known ones.
  const since: Truth = unknown === undefined || restarted ? true : 'unknown';
  const marks = ({ folders, any, ended, endedElse, by, certain }: Place): Marks => ({
    any,
    before: ({ sequence, last, values: { folder } }) => {
      // `cargo fmt && cargo test`: the changes of the call itself had been made when its tests began.
      const isOwn = last === true && by === sequence && ended !== Number.POSITIVE_INFINITY;
      const isAfter = (isOwn ? endedElse : ended) < sequence ? since : certain > sequence ? false : 'unknown';
      if (folders === undefined) return isAfter;
      return and(isAfter, folder?.some((each) => folders.includes(each)) === true ? true : 'unknown');
    },
  });
  const [first = placeOf(undefined), ...others] = places.values();
  return [marks(first), ...others.map(marks)];
}

/** The marks in one folder. */
interface Place {
  /** It and those around it, as hashes; undefined where any call is about it. */
  readonly folders: readonly string[] | undefined;
  any: Truth;
  /** The latest end of one. */
  ended: number;
  /** The call whose end that is, and the latest end of another. */
  by: number | undefined;
  endedElse: number;
  /** The latest start of one that is certain. */
  certain: number;
}

const NOWHERE: Omit<Place, 'folders'> = {
  any: false,
  ended: Number.NEGATIVE_INFINITY,
  by: undefined,
  endedElse: Number.NEGATIVE_INFINITY,
  certain: Number.NEGATIVE_INFINITY,
};

/** Whether an earlier call shares the `same` values: `strict` needs the same repository, for `lenient` another makes it unknown. */
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

/** True if even all calls of the fact are too few: budgets are seldom spent. */
function isUnreached(
  { bounds: { gte = 0, gt = -1 }, of, window, distinct }: HistorySpec,
  { history }: Facts,
): boolean {
  const { calls, unknown, restarted } = history.past(of.fact, window);
  return (
    distinct === undefined &&
    (unknown === undefined || restarted === true) &&
    calls.length < Math.max(gte, gt + 1)
  );
}

/** How many calls there are at least and at most. */
function countTruth({ bounds, distinct }: HistorySpec, { counted, unknown, restarted }: CountedCalls): Truth {
  const certain = counted.filter(({ truth }) => truth === true);
  const least = distinct === undefined ? certain.length : valuesIn(certain, distinct).size;
  const isOpen =
    // Budgets start at nothing after a store was lost.
    (unknown !== undefined && !restarted) ||
    (distinct !== undefined && counted.some(({ call }) => call.values[distinct] === undefined));
  const all = distinct === undefined ? counted.length : valuesIn(counted, distinct).size;
  return withinBounds(bounds, least, isOpen ? Number.POSITIVE_INFINITY : all);
}

function valuesIn(counted: readonly CountedCall[], value: FactValue): ReadonlySet<string> {
  return new Set(counted.flatMap(({ call }) => call.values[value] ?? []));
}

/** Whether a number between `least` and `most` is within bounds. */
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
