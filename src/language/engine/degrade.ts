import type { HostSetting, Support } from '../../hosts/host.ts';
import type { Action } from '../../model/action.ts';
import { type Decision, decide, reasonInPlace } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';

/** For each action, the nearest ones that stop at least as much, best first; without any, it is only logged. */
const NEAREST: Readonly<Record<Action, readonly Action[]>> = {
  hard_abort: ['hard_abort', 'abort_turn', 'deny'],
  abort_turn: ['abort_turn', 'hard_abort', 'deny'],
  deny: ['deny', 'abort_turn', 'hard_abort'],
  ask: ['ask', 'deny', 'abort_turn', 'hard_abort'],
  retry_feedback: ['retry_feedback', 'deny', 'abort_turn', 'hard_abort'],
  respond: ['respond', 'deny', 'abort_turn', 'hard_abort'],
  modify: ['modify', 'deny', 'abort_turn', 'hard_abort'],
  approve: ['approve'],
  continue: [],
};

/** Rewrites that only add offers; leaving them out lets nothing through. */
const OFFERS: ReadonlySet<string> = new Set(['add_tools']);

/** Turns a decision into one that the host can carry out on this event. */
export function degrade(
  decision: Decision,
  event: Event,
  support: Support | undefined,
  setting: Pick<HostSetting, 'interactive'>,
): Decision {
  if (support === undefined) return decide({ action: 'continue' });
  const fitted = extrasFor(decision, support);
  const wanted = withoutOffers(fitted, support);
  const action = nearestAction(wanted, support, setting.interactive);
  if (action === wanted.action) return wanted;
  if (wanted.onUnsupported === 'continue' && wanted.otherwise !== undefined)
    return degrade(wanted.otherwise, event, support, setting);
  if (action === 'continue' || wanted.onUnsupported === 'continue') return { ...wanted, action: 'continue' };
  return { ...wanted, action, reason: reasonFor(wanted, event) };
}

/** The action if the host can do it, else the closest alternative, or `continue` if there is none. */
export function nearestAction(
  { action, rewrites }: Pick<Decision, 'action' | 'rewrites'>,
  support: Support,
  interactive: boolean,
): Action {
  const can = (candidate: Action) =>
    support.actions.includes(candidate) &&
    (candidate !== 'ask' || interactive || support.refusesUnasked === true) &&
    (candidate !== 'modify' || rewrites.every((form) => support.rewrites.includes(form)));
  return can(action) ? action : (NEAREST[action].find(can) ?? 'continue');
}

function extrasFor(decision: Decision, { beside }: Support): Decision {
  const { messages, contexts, suppressOutput } = decision;
  if (messages.length === 0 && contexts.length === 0 && !suppressOutput) return decision;
  return {
    ...decision,
    messages: beside.includes('message') ? messages : [],
    contexts: beside.includes('add_context') ? contexts : [],
    suppressOutput: suppressOutput && beside.includes('suppress_output'),
  };
}

function withoutOffers(decision: Decision, support: Support): Decision {
  if (decision.action !== 'modify') return decision;
  const rewrites = decision.rewrites.filter((form) => !OFFERS.has(form) || support.rewrites.includes(form));
  if (rewrites.length === decision.rewrites.length) return decision;
  return { ...decision, rewrites, action: rewrites.length === 0 ? 'continue' : 'modify' };
}

/** The reason of the refusal that replaces an action. */
function reasonFor(decision: Decision, event: Event): string {
  switch (decision.action) {
    case 'retry_feedback':
      return decision.feedback ?? decision.reason ?? '';
    case 'respond':
      return (
        decision.result?.for_llm ?? reasonInPlace(decision, 'this agent cannot answer in place of the tool')
      );
    case 'modify':
      return rewrittenText(decision, event) ?? cannotRewrite(decision);
    default:
      return decision.reason ?? `Refused by ${decision.policyId}.`;
  }
}

/** The rewritten text of a result that cannot be rewritten; the refusal carries it instead of the result. */
function rewrittenText(decision: Decision, event: Event): string | undefined {
  if (event.kind !== 'after_tool' && event.kind !== 'tool_failure') return undefined;
  if (decision.subject === undefined) return undefined;
  const { texts } = event.with(decision.subject);
  return texts.map(({ text }) => text).join('\n');
}

function cannotRewrite(decision: Decision): string {
  return reasonInPlace(decision, `this agent cannot carry out the rewrite (${decision.rewrites.join(', ')})`);
}
