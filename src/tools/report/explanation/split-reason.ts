import { printable } from '../layout/printable.ts';

/** The parts of a reason: why, and what to do. */
export interface SplitReason {
  readonly because: string | undefined;
  readonly instead: string | undefined;
  /** The reasons of other policies for the same call. */
  readonly others: readonly string[];
}

const OF_ANOTHER = / (?=(?:Refused|Approval needed) by [\w.:@-]+\/[\w.@-]+: )/;

export const EMPTY_REASON: SplitReason = { because: undefined, instead: undefined, others: [] };

/** A reason as the model reads it, taken apart again: who refused is said beside it. */
export function splitReason(text: string | undefined, policyId: string | undefined): SplitReason {
  if (text === undefined) return EMPTY_REASON;
  const heads = ['Refused by', 'Approval needed by'].map((verb) => `${verb} ${policyId}: `);
  const head = heads.find((each) => text.startsWith(each)) ?? '';
  const [own = '', ...others] = text.slice(head.length).split(OF_ANOTHER);
  const [because = '', ...instead] = own.split(' Instead: ');
  return {
    others: others.map(printable),
    because: printable(because),
    instead: instead.length === 0 ? undefined : printable(instead.join(' Instead: ')),
  };
}
