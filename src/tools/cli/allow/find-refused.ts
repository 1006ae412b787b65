import type { AllowStore } from '../../../hook/state/allow/allow-store.ts';
import { typedCode } from '../../../hook/state/allow/code.ts';
import { canBeAllowed, type RefusedCall } from '../../../model/grant.ts';
import { printable } from '../../report/layout/printable.ts';

/** Clocks tick apart by less. */
const CLOCK_SLACK_MS = 5_000;
const MINUTE_MS = 60_000;

/** The refused call of a code, or why it cannot be let pass. */
export type FoundRefusal = { readonly refused: RefusedCall } | { readonly problem: string };

/** Looks a code up. Wrong ones are counted: after a few of them none is accepted for a while. */
export function findRefused(store: AllowStore, text: string, nowMs: number): FoundRefusal {
  const code = typedCode(text);
  const shown = printable(text);
  const waitMs = store.waitMs();
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / MINUTE_MS);
    return { problem: `Cannot take any code: too many were wrong; try again in ${minutes} min` };
  }
  const refused = store.refused().find((each) => each.code === code);
  const used = store.used().find((each) => each.code === code);
  if (used !== undefined) {
    const when = new Date(used.usedMs).toISOString();
    return { problem: `Cannot use code "${shown}" again: it was used or taken back at ${when}` };
  }
  if (refused === undefined) {
    store.countWrongCode();
    return {
      problem: `Cannot find code "${shown}": no call with this code was refused on this machine in the last day; see policy allow list`,
    };
  }
  if (refused.refusedMs > nowMs + CLOCK_SLACK_MS)
    return { problem: `Cannot use code "${shown}": the clock shows a time before it was given` };
  if (refused.grant !== undefined && store.grants().some(({ id }) => id === refused.grant))
    return { problem: `Cannot use code "${shown}" again: it is in force; policy allow revoke takes it back` };
  const problem = fixedProblem(refused);
  return problem === undefined ? { refused } : { problem };
}

/** Why nobody can let a call pass. */
function fixedProblem({ policies }: RefusedCall): string | undefined {
  const fixed = policies.filter((policy) => !canBeAllowed(policy));
  const why = fixed.map(({ id, locked }) => `${id} ${locked ? 'is locked' : 'is of the organisation'}`);
  return fixed.length === 0 ? undefined : `Cannot allow this call: ${why.join(', ')}`;
}
