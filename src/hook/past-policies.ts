import { child } from '../lib/child.ts';
import { losesDigits } from '../lib/exact-numbers.ts';
import { prevents, restricts } from '../model/action.ts';
import type { Decision } from '../model/decision.ts';
import { canBeAllowed, type RefusingPolicy } from '../model/grant.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Program, Rule } from '../model/policy.ts';
import type { Approval, ApprovalRequest } from './approval.ts';
import type { GrantNote } from './audit/record.ts';
import { settle } from './evaluate-event.ts';
import { causeOf } from './failure.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import type { Judged, Verdict } from './verdict.ts';

/** If a person has allowed a refused call, judges it again without the refusing policies. On any failure it stays refused. */
export function pastPolicies(
  options: ResponderOptions,
  arrived: Arrived,
  verdict: Verdict,
): Verdict | Promise<Verdict> {
  const { event, text } = arrived;
  const { again } = verdict;
  if (options.allow === undefined || again === undefined) return verdict;
  const policies = refusingPolicies(verdict.outcome, again.program);
  if (policies.length === 0) return verdict;
  const refused = (note: GrantNote): Verdict => ({ ...verdict, grant: note });
  try {
    const allow = options.allow();
    const isAsked = verdict.outcome.decision.action === 'ask' && options.approve !== undefined;
    if (!isAsked && allow.isIdle()) return verdict;
    const call = losesDigits(text) ? undefined : allow.callOf(event);
    if (call === undefined) return verdict;
    const keep = (problem?: string, by = policies): Verdict => {
      const code = allow.refuse(call, by, verdict.outcome.decision.reason ?? '');
      return refused({ code, problem });
    };
    const { grant, problem } = allow.find(call, event);
    if (grant === undefined) {
      if (!isAsked) return keep(problem);
      const asking = policies.filter(({ asks }) => asks);
      const past = () => again.past(new Set(asking.map(({ id }) => id)));
      if (event.kind === 'before_tool' && options.approvalFollows?.() === true)
        return settle(options, arrived, past(), (second) => askedLater(second, asking));
      const look = () => allow.find(call, event);
      return askAPerson(options, arrived, keep(problem), { call, policies: asking, look }, past);
    }
    const open = policies.filter(canBeAllowed).map(({ id }) => id);
    const past = new Set(grant.policies.filter((id) => open.includes(id)));
    return settle(options, arrived, again.past(past), (second) => {
      try {
        if (restricts(second.outcome.decision.action)) {
          const others = refusingPolicies(second.outcome, again.program);
          const first = policies.filter(({ id }) => !others.some((other) => other.id === id));
          return keep(`the grant ${grant.code} is not enough: others refuse it too`, [...first, ...others]);
        }
        return grant.use()
          ? { ...second, grant: { allowed: grant.code } }
          : keep(`the grant ${grant.code} was used up meanwhile`);
      } catch (error) {
        return refused({ problem: causeOf(error) });
      }
    });
  } catch (error) {
    return refused({ problem: causeOf(error) });
  }
}

/** Leaves the question for when the host asks for approval, if the call passes without it: it waits longer then. */
function askedLater(second: Verdict, asking: readonly RefusingPolicy[]): Verdict {
  if (prevents(second.outcome.decision.action)) return second;
  const hits = second.outcome.hits.map((hit) =>
    asking.some(({ id }) => id === hit.rule.id) ? { ...hit, how: 'unasked' as const } : hit,
  );
  return { ...second, outcome: { ...second.outcome, hits }, deferred: true };
}

/** Waits for a person's answer. Whatever is no yes, late and broken ones above all, is a no. */
async function askAPerson(
  options: ResponderOptions,
  arrived: Arrived,
  refused: Verdict,
  asked: Pick<ApprovalRequest, 'call' | 'policies' | 'look'>,
  past: () => Judged,
): Promise<Verdict> {
  const { decision } = refused.outcome;
  const code = refused.grant?.code;
  const no = (why: string): Verdict => {
    const reason = `${decision.reason ?? `Refused by ${decision.policyId}.`} The answer is no: ${why}.`;
    const denied: Decision = { ...decision, action: 'deny', reason };
    return { ...refused, outcome: { ...refused.outcome, decision: denied } };
  };
  try {
    const request = { ...asked, code, reason: decision.reason ?? '' };
    const approval = (await options.approve?.(request, arrived)) ?? NOBODY_THERE;
    if (!approval.yes) return no(approval.why);
    return settle(options, arrived, past(), (second) =>
      restricts(second.outcome.decision.action) ? second : { ...second, grant: { allowed: code } },
    );
  } catch (error) {
    return no(causeOf(error));
  }
}

const NOBODY_THERE: Approval = { yes: false, why: 'nobody can be asked' };

/** The policies that keep a call from running; none where nothing refuses it, or something else than a policy. */
function refusingPolicies({ decision, hits }: Outcome, program: Program): readonly RefusingPolicy[] {
  if (!restricts(decision.action)) return [];
  // From the hits: a judge's policy acts there as the judge has said.
  const actions = new Map(
    hits
      .filter(({ rule, how }) => (how === 'matched' || how === 'unknown') && restricts(rule.action))
      .map(({ rule }) => [rule.id, rule.action]),
  );
  if (decision.policyId !== undefined && !actions.has(decision.policyId))
    actions.set(decision.policyId, decision.action);
  const rules = rulesById(program);
  return [...actions.keys()]
    .flatMap((id) => rules.get(id) ?? [])
    .sort((a, b) => a.order - b.order)
    .map(({ id, layer, locked }) => ({
      id,
      layer,
      locked: locked === true,
      asks: actions.get(id) === 'ask',
    }));
}

const byId = new WeakMap<Program, ReadonlyMap<string, readonly Rule[]>>();

/** Files of the same name may hold policies of the same id. */
function rulesById(program: Program): ReadonlyMap<string, readonly Rule[]> {
  const known = byId.get(program);
  if (known !== undefined) return known;
  const made = new Map<string, Rule[]>();
  for (const rule of program.rules) child(made, rule.id, () => []).push(rule);
  byId.set(program, made);
  return made;
}
