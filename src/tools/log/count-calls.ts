import type { DecisionRecord } from '../../hook/audit/record.ts';

/** Calls of one policy that are counted each; later ones count for the policy alone. */
const MAX_CALLS = 500;

export interface RepeatedCall {
  /** The call in words, as `textOf` gives it. */
  readonly text: string;
  readonly count: number;
}

/** How often a policy refused, and which call most. */
export interface RefusalCount {
  readonly name: string;
  readonly refused: number;
  readonly most: RepeatedCall | undefined;
}

export interface CallCounter {
  add(policy: string, record: DecisionRecord): void;
  /** Those that refused most first. */
  result(): readonly RefusalCount[];
}

interface Counts {
  refused: number;
  readonly calls: Map<string, { readonly text: string; count: number }>;
}

export function createCallCounter(): CallCounter {
  const policies = new Map<string, Counts>();
  return {
    add(policy, record) {
      const counts = policies.get(policy) ?? { refused: 0, calls: new Map() };
      policies.set(policy, counts);
      counts.refused += 1;
      const text = describeCall(record);
      const key = record.call_digest ?? text;
      const call = counts.calls.get(key);
      if (call !== undefined) call.count += 1;
      else if (counts.calls.size < MAX_CALLS) counts.calls.set(key, { text, count: 1 });
    },
    result() {
      return [...policies]
        .map(([name, { refused, calls }]) => ({ name, refused, most: mostOf([...calls.values()]) }))
        .sort((a, b) => b.refused - a.refused);
    },
  };
}

function mostOf(calls: readonly RepeatedCall[]): RepeatedCall | undefined {
  const [first, ...others] = calls;
  return others.reduce((most, call) => (most !== undefined && most.count >= call.count ? most : call), first);
}

/** The command of a call, else its tool with its target, else its event; a sentence where the log has none of these. */
export function describeCall({ command, tool, target, event, failed }: DecisionRecord): string {
  return (
    command ?? ([tool, target].filter((part) => part !== undefined).join(' ') || (event ?? failed ?? '-'))
  );
}
