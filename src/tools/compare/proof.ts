import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { PastCall } from '../../hosts/sessions.ts';

/** Why calls may have run without a decision. */
export type BypassCause = 'no decision in the session' | 'subagent' | 'server' | 'some calls';

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
}

/** Events with which a host asks about a call before it runs. */
const BEFORE: ReadonlySet<string | undefined> = new Set(['before_tool', 'approve_tool']);

/**
 * Holds the calls that an agent has made against the decisions about them. A call that was refused by the agent or a person, and one
 * that is not known to have run, is not counted.
 *
 * @param made each once, oldest first
 * @param records those of this agent
 */
export function prove(made: readonly PastCall[], records: readonly DecisionRecord[]): Proof {
  const decisions = records.filter(({ event }) => BEFORE.has(event));
  const named = new Set(decisions.flatMap(({ call_id }) => call_id ?? []));
  const byCall = named.size > 0 || (decisions.length === 0 && made.some(({ id }) => id !== undefined));
  const calls = made.filter(({ id, ran }) => (byCall ? id !== undefined && ran === true : ran !== false));
  const missing = byCall ? calls.filter(({ id = '' }) => !named.has(id)) : missingByNumber(calls, decisions);
  const judgedSessions = new Set(decisions.flatMap(({ session }) => session ?? []));
  const judged = new Set(calls).difference(new Set(missing));
  const causeOf = (call: PastCall): BypassCause => {
    if (!judgedSessions.has(call.session)) return 'no decision in the session';
    const alike = (test: (each: PastCall) => boolean) =>
      test(call) && ![...judged].some((each) => each.session === call.session && test(each));
    if (alike(({ bySubagent }) => bySubagent === true)) return 'subagent';
    return alike(({ tool }) => /^mcp_/.test(tool)) ? 'server' : 'some calls';
  };
  return {
    sessions: new Set(calls.map(({ session }) => session)).size,
    calls: calls.length,
    judged: judged.size,
    byCall,
    bypasses: [...Map.groupBy(missing, causeOf)].flatMap(([cause, list]): readonly Bypass[] => {
      const [first] = list;
      const sessions = new Set(list.map(({ session }) => session)).size;
      return first === undefined ? [] : [{ cause, calls: list.length, sessions, first }];
    }),
  };
}

/** By session and tool, the last calls beyond those that were decided. */
function missingByNumber(
  calls: readonly PastCall[],
  decisions: readonly DecisionRecord[],
): readonly PastCall[] {
  const keyOf = (session: string | undefined, tool: string | undefined) => `${session ?? ''}\n${tool ?? ''}`;
  // Where the host asks twice about one call, the events for approval are the second time.
  const asked = new Map<string, number>();
  for (const { event, session, tool } of decisions) {
    if (event !== 'before_tool') continue;
    const key = keyOf(session, tool);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return [...Map.groupBy(calls, ({ session, tool }) => keyOf(session, tool))].flatMap(([key, list]) =>
    list.slice(asked.get(key) ?? 0),
  );
}
