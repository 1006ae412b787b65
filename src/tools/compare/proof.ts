import type { DecisionRecord } from '../../hook/audit/record.ts';
import { callIdentity, isUniqueId, type SessionCall } from '../../hosts/sessions.ts';
import { refuses } from '../../model/action.ts';

/** Why calls may have run without a decision; `refused` ran against one. */
export type BypassCause =
  | 'refused'
  | 'no decision in the session'
  | 'subagent'
  | 'server'
  | 'tool'
  | 'some calls';

/** Calls of one agent that ran without a decision, for one cause. */
export interface Bypass {
  readonly cause: BypassCause;
  readonly calls: number;
  readonly sessions: number;
  /** The earliest of them. */
  readonly first: SessionCall;
}

/** The result of comparing an agent's sessions with the decision log. */
export interface Proof {
  readonly sessions: number;
  /** Calls that ran, or may have. */
  readonly calls: number;
  /** Those with a decision. */
  readonly judged: number;
  /** True if the host names its calls, in its sessions and to the hook; if not, only their numbers can be compared. */
  readonly byCall: boolean;
  readonly bypasses: readonly Bypass[];
  /** Calls without a decision of which nobody knows whether they ran. */
  readonly unknown: number;
  /** How far the clock of a session is ahead of that of the log at most, if that is more than a few minutes. */
  readonly aheadMs: number;
  /** Sessions with decisions whose calls are nowhere. */
  readonly elsewhere: number;
}

/** Events with which a host asks about a call before it runs. */
const BEFORE: ReadonlySet<string | undefined> = new Set(['before_tool', 'approve_tool']);
/** An agent may take its time from when it writes a call down to when it asks, and it may ask a person. */
export const USUAL_DIFFERENCE_MS = 10 * 60_000;

interface SharedCall extends SessionCall {
  readonly sessions: ReadonlySet<string>;
}

/** Facts about the way in which the agent keeps its sessions. */
export interface SessionFormat {
  /** True if its sessions say how a call has ended; by default, if one of them does. */
  readonly tellsEnd?: boolean | undefined;
  /** True if there is a file of a session, although no call of it was read. */
  readonly hasFile?: (session: string) => boolean;
}

/**
 * Holds the calls that an agent has made against the decisions about them. A call that was refused by the agent or a person, and one
 * that is not known to have run, is not counted.
 *
 * @param sessionCalls as the sessions have them, oldest first
 * @param records those of this agent
 * @param since earlier calls do not count, by the clock of the log: ISO 8601
 */
export function prove(
  sessionCalls: readonly SessionCall[],
  records: readonly DecisionRecord[],
  since = '',
  { tellsEnd, hasFile = () => false }: SessionFormat = {},
): Proof {
  const decisions = records.filter(({ event }) => BEFORE.has(event));
  const asked = Map.groupBy(decisions, ({ session }) => session ?? '');
  const names = (list: readonly DecisionRecord[] = []) => list.some(({ call_id }) => call_id !== undefined);
  const namesCalls =
    names(decisions) || (decisions.length === 0 && sessionCalls.some(({ id }) => id !== undefined));
  const isNamed = ({ session, id }: SessionCall) =>
    asked.has(session) ? names(asked.get(session)) : namesCalls && id !== undefined;
  const all = withoutCopies(sessionCalls);
  const decisionsOf = namedDecisions(decisions, new Set(sessionCalls.map(({ tool }) => tool)));
  const aheadOf = clockDifferences(all, decisionsOf);
  const sinceMs = Date.parse(since) || 0;
  const made = all.filter(
    // A call is written down before it is decided.
    (call) =>
      call.time === undefined ||
      Date.parse(call.time) - (aheadOf.get(call.session) ?? 0) >= sinceMs ||
      decisionsOf(call).length > 0,
  );
  const knowsEnd = tellsEnd ?? made.some(({ ran }) => ran !== undefined);
  const [named, nameless] = [made.filter(isNamed), made.filter((call) => !isNamed(call))];
  const isAsked = ({ sessions }: SharedCall) => [...sessions].some((each) => asked.has(each));
  const withoutDecision = [
    ...beyondUnnamed(
      withoutOwn(
        named.filter(({ ran }) => ran !== false),
        decisions,
        decisionsOf,
      ),
      decisions,
    ),
    ...beyondNumber(
      nameless.filter(({ ran }) => (knowsEnd ? ran === true : true)),
      decisions,
      knowsEnd,
    ),
    ...nameless.filter((call) => knowsEnd && call.ran === undefined && !isAsked(call)),
  ];
  const idsElsewhere = new Set(
    decisions
      .filter(({ session = '' }) => sessionCalls.every((call) => call.session !== session))
      .map(({ call_id: id, tool }) => `${id} ${tool}`),
  );
  /** Nobody knows whether it ran, or whether a session that is gone has the same call. */
  const isUnknown = ({ id, tool, ran }: SessionCall) =>
    (knowsEnd && ran !== true) || (id !== undefined && isUniqueId(id) && idsElsewhere.has(`${id} ${tool}`));
  const missing = new Set(withoutDecision.filter((call) => !isUnknown(call)));
  const calls = made.filter(
    (call) => (!knowsEnd || call.ran === true) && (!isNamed(call) || call.id !== undefined),
  );
  const judged = calls.filter((call) => !missing.has(call));
  const causeOf = causesFor(judged, new Set(asked.keys()));
  const known = new Set(sessionCalls.map(({ session }) => session));
  const refused = new Set(ranAlthoughRefused(judged.filter(isNamed), all, decisionsOf));
  const past = [
    ...Map.groupBy([...refused, ...missing], (call) => (refused.has(call) ? 'refused' : causeOf(call))),
  ];
  return {
    sessions: new Set(calls.map(({ session }) => session)).size,
    calls: calls.length,
    judged: judged.length,
    byCall: namesCalls && nameless.length === 0,
    bypasses: past.flatMap(([cause, list]): readonly Bypass[] => {
      const [first] = list.toSorted(byTime);
      const sessions = new Set(list.map(({ session }) => session)).size;
      return first === undefined ? [] : [{ cause, calls: list.length, sessions, first }];
    }),
    unknown: withoutDecision.filter(isUnknown).length,
    aheadMs: [...aheadOf.values()].reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0),
    elsewhere: [...asked].filter(
      ([session, list]) =>
        session !== '' && !known.has(session) && !hasFile(session) && list.some(({ time }) => time >= since),
    ).length,
  };
}

/** Calls of which nobody knows the time come last. */
function byTime({ time: a = '~' }: SessionCall, { time: b = '~' }: SessionCall): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each call once. It ran if one of its copies says so. */
function withoutCopies(sessionCalls: readonly SessionCall[]): readonly SharedCall[] {
  const isCopy = copiesIn(sessionCalls);
  const groups = Map.groupBy(sessionCalls, (call) => callIdentity(call) ?? call);
  return [...groups.values()].flatMap((group) => {
    const apart: SessionCall[][] = [];
    for (const call of group) {
      const same = apart.find((copies) => copies.some((each) => isCopy(each, call)));
      if (same === undefined) apart.push([call]);
      else same.push(call);
    }
    return apart.flatMap((copies) => {
      const [first] = copies;
      if (first === undefined) return [];
      const ran = copies.some((each) => each.ran) || copies.find((each) => each.ran !== undefined)?.ran;
      return [{ ...first, ran, sessions: new Set(copies.map(({ session }) => session)) }];
    });
  });
}

/** Tells equal calls that are one: those of one session, of the same moment, or of a session that begins with the other one's calls. */
function copiesIn(sessionCalls: readonly SessionCall[]): (a: SessionCall, b: SessionCall) => boolean {
  const firstOf = new Map<string, string | undefined>();
  for (const call of sessionCalls)
    if (!firstOf.has(call.session)) firstOf.set(call.session, callIdentity(call));
  const has = new Set(sessionCalls.map((call) => `${call.session} ${callIdentity(call)}`));
  const goesOn = (later: SessionCall, earlier: SessionCall) =>
    firstOf.get(later.session) !== undefined && has.has(`${earlier.session} ${firstOf.get(later.session)}`);
  return (a, b) =>
    a.session === b.session || (a.time !== undefined && a.time === b.time) || goesOn(a, b) || goesOn(b, a);
}

type DecisionsOf = (call: SharedCall) => readonly DecisionRecord[];

/**
 * Finds the decisions about a call by its id, in the sessions that have it.
 *
 * @param tools in the sessions: a host may have another name for a tool there, but one that is there is not meant for another
 */
function namedDecisions(decisions: readonly DecisionRecord[], tools: ReadonlySet<string>): DecisionsOf {
  const byName = Map.groupBy(
    decisions.filter(({ call_id: id }) => id !== undefined),
    ({ call_id: id, session }) => (session === undefined ? `${id}` : `${session} ${id}`),
  );
  return ({ id, tool, sessions }) => {
    if (id === undefined) return [];
    const keys = [...[...sessions].map((session) => `${session} ${id}`), ...(isUniqueId(id) ? [id] : [])];
    return keys.flatMap((key) =>
      (byName.get(key) ?? []).filter(
        ({ tool: named }) => named === undefined || named === tool || !tools.has(named),
      ),
    );
  };
}

/** Calls with a good result against the decisions about them. An id that is given again may mean another call. */
function ranAlthoughRefused(
  calls: readonly SharedCall[],
  all: readonly SharedCall[],
  decisionsOf: DecisionsOf,
): readonly SharedCall[] {
  const keysOf = ({ id, sessions }: SharedCall) => [...sessions].map((session) => `${session} ${id}`);
  const times = Map.groupBy(all.flatMap(keysOf), (key) => key);
  return calls.filter((call) => {
    if (call.ran !== true || call.result?.on === 'tool_failure') return false;
    if (keysOf(call).some((key) => (times.get(key)?.length ?? 0) > 1)) return false;
    const decisions = decisionsOf(call);
    const isAgain =
      new Set(decisions.map(({ event, session }) => `${event} ${session}`)).size < decisions.length;
    if (isAgain && !decisions.every(({ action }) => refuses(action))) return false;
    return decisions.some(({ action, reason }) => refuses(action) && !shows(call, reason));
  });
}

/** True if the result is the refusal: some hosts mark none as one. */
function shows({ result }: SessionCall, reason = ''): boolean {
  const text = JSON.stringify(reason).slice(1, 41);
  return text.length > 10 && JSON.stringify(result?.value ?? '').includes(text);
}

/** By session: half of its calls are at least so far ahead of their decisions. Usual differences are left out. */
function clockDifferences(
  calls: readonly SharedCall[],
  decisionsOf: DecisionsOf,
): ReadonlyMap<string, number> {
  const differences = calls.flatMap((call) => {
    const ms = Date.parse(call.time ?? '') - Date.parse(decisionsOf(call)[0]?.time ?? '');
    return Number.isNaN(ms) ? [] : [{ session: call.session, ms }];
  });
  return new Map(
    [...Map.groupBy(differences, ({ session }) => session)].flatMap(([session, list]) => {
      const sorted = list.map(({ ms }) => ms).sort((a, b) => a - b);
      const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
      return Math.abs(middle) < USUAL_DIFFERENCE_MS ? [] : [[session, middle] as const];
    }),
  );
}

/** Calls with an id that no decision has. An id that is given again and again needs as many decisions. */
function withoutOwn(
  calls: readonly SharedCall[],
  decisions: readonly DecisionRecord[],
  decisionsOf: DecisionsOf,
): readonly SharedCall[] {
  // If the host asks twice about one call, the event for approval is the second time.
  const asked = new Map<string, number>();
  const left = new Map<string, number>();
  const keyOf = ({ session, call_id: id, tool }: DecisionRecord) => `${session} ${id} ${tool}`;
  for (const decision of decisions) {
    if (decision.call_id === undefined) continue;
    const key = keyOf(decision);
    const times = (asked.get(`${decision.event} ${key}`) ?? 0) + 1;
    asked.set(`${decision.event} ${key}`, times);
    left.set(key, Math.max(left.get(key) ?? 0, times));
  }
  return calls.filter((call) => {
    if (call.id === undefined) return false;
    for (const key of decisionsOf(call).map(keyOf)) {
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      left.set(key, count - 1);
      return false;
    }
    return true;
  });
}

/** A session in which the hook got ids only from some call on has decisions without one about the calls before. */
function beyondUnnamed(
  calls: readonly SharedCall[],
  decisions: readonly DecisionRecord[],
): readonly SharedCall[] {
  return beyondNumber(
    calls,
    decisions.filter(({ call_id: id }) => id === undefined),
    true,
  );
}

/**
 * By session and tool, the last calls beyond those that were decided.
 *
 * @param ranOnly only calls that ran are given, so decisions against a call do not count
 */
function beyondNumber(
  calls: readonly SharedCall[],
  decisions: readonly DecisionRecord[],
  ranOnly: boolean,
): readonly SharedCall[] {
  const keyOf = (session: string | undefined, tool: string | undefined) => `${session ?? ''}\n${tool ?? ''}`;
  const asked = new Map<string, number>();
  for (const { event, session, tool, action } of decisions) {
    if (event !== 'before_tool' || (ranOnly && refuses(action))) continue;
    const key = keyOf(session, tool);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return [...Map.groupBy(calls, ({ session, tool }) => keyOf(session, tool))].flatMap(([key, list]) =>
    list.slice(asked.get(key) ?? 0),
  );
}

/** Finds the property that calls without a decision share and those with one have not. */
function causesFor(
  judged: readonly SharedCall[],
  judgedSessions: ReadonlySet<string>,
): (call: SharedCall) => BypassCause {
  const seen = new Set(
    judged.flatMap(({ session, tool, bySubagent = false }) => [
      `${session} ${bySubagent}`,
      `${session} of ${tool}`,
    ]),
  );
  return ({ session, sessions, tool, bySubagent = false }) => {
    const isJudged = [...sessions].some((each) => judgedSessions.has(each));
    // Some hosts give a subagent a session of its own.
    if (bySubagent && !seen.has(`${session} true`) && (isJudged || judgedSessions.size > 0))
      return 'subagent';
    if (!isJudged) return 'no decision in the session';
    if (seen.has(`${session} of ${tool}`) || !seen.has(`${session} ${bySubagent}`)) return 'some calls';
    return /^mcp_/.test(tool) ? 'server' : 'tool';
  };
}
