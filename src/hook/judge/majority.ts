import { VERDICTS } from '../../model/judge.ts';
import type { KeptVerdict } from '../../model/verdict-store.ts';

/** What several answers to one question come to. */
export interface Majority {
  readonly verdict: KeptVerdict;
  /** True if more than half of all that were asked for say so. */
  readonly isMajority: boolean;
}

/**
 * The verdict of more than half of the answers asked for; if there is none, the strongest of those given. Answers that
 * failed count as asked for. Undefined if too many failed for a majority either way.
 */
export function majorityOf(answers: readonly KeptVerdict[], asked: number): Majority | undefined {
  const needed = Math.floor(asked / 2) + 1;
  if (answers.length < needed) return undefined;
  for (const name of VERDICTS) {
    const agreeing = answers.filter(({ verdict }) => verdict === name);
    if (agreeing.length >= needed) return { verdict: averageOf(agreeing), isMajority: true };
  }
  const [strongest] = answers.toSorted((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict));
  return strongest === undefined ? undefined : { verdict: strongest, isMajority: false };
}

function averageOf(agreeing: readonly KeptVerdict[]): KeptVerdict {
  const [first] = agreeing.toSorted((a, b) => b.confidence - a.confidence);
  if (first === undefined) throw new Error('Cannot average no answers');
  const sum = agreeing.reduce((total, { confidence }) => total + confidence, 0);
  return { ...first, confidence: sum / agreeing.length };
}
