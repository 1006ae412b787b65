import type { DecisionRecord } from '../../hook/audit/record.ts';
import { callIdentity, isUniqueId, type PastCall } from '../../hosts/sessions.ts';
import { refuses } from '../../model/action.ts';

/** Why calls may have run without a decision. */
export type BypassCause = 'no decision in the session' | 'subagent' | 'server' | 'tool' | 'some calls';

/** Calls of one agent that ran without a decision, for one cause. */
export interface Bypass {
  readonly cause: BypassCause;
  readonly calls: number;
  readonly sessions: number;
  /** The first of them. */
  readonly first: PastCall;
}

/** What the sessions of an agent show when they are held against the decision log. */
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
  /** How far the clock of the sessions is ahead of that of the log, if that is more than a few minutes. */
  readonly aheadMs: number;
  /** Sessions with decisions whose calls are nowhere. */
  readonly elsewhere: number;
}

/** Events with which a host asks about a call before it runs. */
const BEFORE: ReadonlySet<string | undefined> = new Set(['before_tool', 'approve_tool']);
/** An agent may take its time from when it writes a call down to when it asks, and it may ask a person. */
const USUAL_DIFFERENCE_MS = 10 * 60_000;

/** A call with the sessions that have it. */
interface Made extends PastCall {
  readonly sessions: ReadonlySet<string>;
}

/**
 * Holds the calls that an agent has made against the decisions about them. A call that was refused by the agent or a person, and one
 * that is not known to have run, is not counted.
 *
 * @param told as the sessions have them, oldest first
 * @param records those of this agent
 * @param since earlier calls do not count, by the clock of the log: ISO 8601
 */
export function prove(told: readonly PastCall[], records: readonly DecisionRecord[], since = ''): Proof {
  const decisions = records.filter(({ event }) => BEFORE.has(event));
  const asked = Map.groupBy(decisions, ({ session }) => session ?? '');
  const names = (list: readonly DecisionRecord[] = []) => list.some(({ call_id }) => call_id !== undefined);
  const namesCalls = names(decisions) || (decisions.length === 0 && told.some(({ id }) => id !== undefined));
  /** Whether the decisions of a session name its calls. */
  const isNamed = ({ session }: PastCall) => (asked.has(session) ? names(asked.get(session)) : namesCalls);
  const all = withoutCopies(told);
  const decisionOf = namedDecisions(decisions);
  const aheadMs = clockDifference(all, decisionOf);
  const sinceMs = Date.parse(since) || 0;
  const made = all.filter(
    // A call is written down before it is decided.
    (call) =>
      call.time === undefined || Date.parse(call.time) - aheadMs >= sinceMs || decisionOf(call) !== undefined,
  );
  const knowsEnd = made.some(({ ran }) => ran !== undefined);
  const [named, nameless] = [made.filter(isNamed), made.filter((call) => !isNamed(call))];
  const withoutDecision = [
    ...withoutOwn(
      named.filter(({ ran }) => ran !== false),
      decisions,
    ),
    ...beyondNumber(
      nameless.filter(({ ran }) => (knowsEnd ? ran === true : true)),
      decisions,
      knowsEnd,
    ),
  ];
  const isUnknown = ({ id, ran }: PastCall) => knowsEnd && ran !== true && id !== undefined;
  const missing = new Set(withoutDecision.filter((call) => !isUnknown(call)));
  const calls = made.filter(
    (call) => (!knowsEnd || call.ran === true) && (!isNamed(call) || call.id !== undefined),
  );
  const judged = calls.filter((call) => !missing.has(call));
  const causeOf = causesFor(judged, new Set(asked.keys()));
  const known = new Set(told.map(({ session }) => session));
  return {
    sessions: new Set(calls.map(({ session }) => session)).size,
    calls: calls.length,
    judged: judged.length,
    byCall: namesCalls && nameless.length === 0,
    bypasses: [...Map.groupBy(missing, causeOf)].flatMap(([cause, list]): readonly Bypass[] => {
      const [first] = list;
      const sessions = new Set(list.map(({ session }) => session)).size;
      return first === undefined ? [] : [{ cause, calls: list.length, sessions, first }];
    }),
    unknown: withoutDecision.filter(isUnknown).length,
    aheadMs,
    elsewhere: [...asked].filter(
      ([session, list]) => session !== '' && !known.has(session) && list.some(({ time }) => time >= since),
    ).length,
  };
}

/** Each call once. It ran if one of its copies says so. */
function withoutCopies(told: readonly PastCall[]): readonly Made[] {
  const groups = Map.groupBy(told, (call) => callIdentity(call) ?? call);
  return [...groups.values()].flatMap(([first, ...copies]) => {
    if (first === undefined) return [];
    const all = [first, ...copies];
    const ran = all.some((each) => each.ran) || all.find((each) => each.ran !== undefined)?.ran;
    return [{ ...first, ran, sessions: new Set(all.map(({ session }) => session)) }];
  });
}

/** Finds a decision that may be the one about a call. */
function namedDecisions(decisions: readonly DecisionRecord[]): (call: Made) => DecisionRecord | undefined {
  const byName = new Map<string, DecisionRecord>();
  for (const decision of decisions) {
    const { call_id: id, session } = decision;
    if (id === undefined) continue;
    byName.set(`${session} ${id}`, decision);
    if (isUniqueId(id) || session === undefined) byName.set(id, decision);
  }
  return ({ id, sessions }) => {
    if (id === undefined) return undefined;
    const own = [...sessions].flatMap((session) => byName.get(`${session} ${id}`) ?? []);
    return own[0] ?? byName.get(id);
  };
}

/** Half of the calls are at least so far ahead of their decisions; 0 where that is usual. */
function clockDifference(
  calls: readonly Made[],
  decisionOf: (call: Made) => DecisionRecord | undefined,
): number {
  const differences = calls
    .flatMap((call) => {
      const decision = decisionOf(call);
      const ms = Date.parse(call.time ?? '') - Date.parse(decision?.time ?? '');
      return Number.isNaN(ms) ? [] : [ms];
    })
    .sort((a, b) => a - b);
  const middle = differences[Math.floor(differences.length / 2)] ?? 0;
  return Math.abs(middle) < USUAL_DIFFERENCE_MS ? 0 : middle;
}

/** Calls with an id that no decision has. An id that is given again and again needs as many decisions. */
function withoutOwn(calls: readonly Made[], decisions: readonly DecisionRecord[]): readonly Made[] {
  // Where the host asks twice about one call, the event for approval is the second time.
  const asked = new Map<string, number>();
  const left = new Map<string, number>();
  const everywhere = new Set<string>();
  for (const { event, session, call_id: id } of decisions) {
    if (id === undefined) continue;
    const key = `${session} ${id}`;
    const times = (asked.get(`${event} ${key}`) ?? 0) + 1;
    asked.set(`${event} ${key}`, times);
    left.set(key, Math.max(left.get(key) ?? 0, times));
    if (isUniqueId(id) || session === undefined) everywhere.add(id);
  }
  return calls.filter(({ id, sessions }) => {
    if (id === undefined) return false;
    for (const session of sessions) {
      const count = left.get(`${session} ${id}`) ?? 0;
      if (count === 0) continue;
      left.set(`${session} ${id}`, count - 1);
      return false;
    }
    return !everywhere.has(id);
  });
}

/**
 * By session and tool, the last calls beyond those that were decided.
 *
 * @param ranOnly only calls that ran are given, so decisions against a call do not count
 */
function beyondNumber(
  calls: readonly Made[],
  decisions: readonly DecisionRecord[],
  ranOnly: boolean,
): readonly Made[] {
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

/** What calls without a decision have in common that those with one have not. */
function causesFor(
  judged: readonly Made[],
  judgedSessions: ReadonlySet<string>,
): (call: Made) => BypassCause {
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
