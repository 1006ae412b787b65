import type { Facts } from '../../model/facts.ts';
import type { MetFact } from '../../model/history.ts';
import type { FactRow } from '../../model/policy.ts';
import { TRAITS } from '../keys/call/traits.ts';
import type { CallSummary } from '../keys/call-needs.ts';
import { readingsOf } from './readings.ts';
import { possible } from './rule-index.ts';

let certainFacts: typeof import('./certain-facts.ts').certainFacts | undefined;

/** The facts that a call meets, or may meet, each with its certainty. Most calls meet none. */
export function metFacts(rows: readonly FactRow[], facts: Facts): readonly MetFact[] {
  const candidates = possibleFacts(rows, facts);
  if (candidates.length === 0) return [];
  certainFacts ??= (require('./certain-facts.ts') as typeof import('./certain-facts.ts')).certainFacts;
  return certainFacts(candidates, facts);
}

/** The facts that a call could meet, by their requirements: nothing is read for that. */
export function possibleFacts(rows: readonly FactRow[], facts: Facts): readonly FactRow[] {
  const [asItCame, ...others] = readingsOf(facts);
  const found = possible(rows, asItCame, withUnseenFiles);
  if (others.length === 0) return found;
  const all = new Set([found, ...others.map((each) => possible(rows, each, withUnseenFiles))].flat());
  return rows.filter((row) => all.has(row));
}

/** A command that changes files may change others than it names. */
function withUnseenFiles(summary: CallSummary): CallSummary {
  if ((summary.traits & CHANGES) === 0) return summary;
  return { ...summary, traits: summary.traits | TRAITS.write, paths: () => undefined };
}

const CHANGES = TRAITS.write | TRAITS.delete | TRAITS.changes;
