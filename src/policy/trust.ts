import { sha256Hex } from '../lib/digest.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Program, Rule } from '../model/policy.ts';
import type { CompiledSet, TrustSet } from './compiled-set.ts';
import { note } from './problem.ts';

/** What somebody has agreed to: a whole set, and each rule of it that needed that. */
export interface TrustRecord {
  readonly digest: string;
  readonly ruleDigests: readonly string[];
}

/** Remembers which project sets are trusted. Asked only if there is something to trust; throws if it cannot tell. */
export interface TrustStore {
  readonly trusted: (projectRoot: string) => TrustRecord | undefined;
}

/** What to record for a set so that all of it takes effect. */
export function trustRecordOf(set: TrustSet): TrustRecord {
  return { digest: set.digest, ruleDigests: set.rules.map(({ digest }) => digest) };
}

/** Makes the program of a set: what nobody has agreed to is loaded but has no effect. */
export function applyTrust(
  set: CompiledSet,
  setDigest: string,
  store: TrustStore,
): { readonly program: Program; readonly notices: readonly Diagnostic[] } {
  const notices = [...set.warnings];
  const rules = [...set.rules];
  const states: string[] = [];
  const active = new Set<number>();
  for (const trustSet of set.trustSets) {
    const record = store.trusted(trustSet.root);
    for (const { index, digest } of trustSet.rules) {
      const rule = rules[index];
      const trust = stateOf(trustSet, digest, record);
      states.push(trust);
      if (trust === 'active') active.add(index);
      else if (rule !== undefined) rules[index] = { ...rule, trust };
    }
  }
  // A policy that stands in two projects counts if one of them is trusted.
  for (const index of active) rules[index] = { ...(rules[index] as Rule), trust: 'active' };
  for (const rule of rules) if (rule.trust !== 'active') notices.push(inactiveNotice(rule, rule.trust));
  const { unmatchedDeny, onErrorContinue, programs } = set;
  const digest = states.length === 0 ? setDigest : sha256Hex([setDigest, ...states]);
  const whole = { digest, rules, unmatchedDeny, onErrorContinue };
  return { program: programs === undefined ? whole : { ...whole, programs }, notices };
}

function stateOf(set: TrustSet, digest: string, record: TrustRecord | undefined): Rule['trust'] {
  if (record === undefined) return 'untrusted';
  return record.digest === set.digest || record.ruleDigests.includes(digest) ? 'active' : 'changed';
}

function inactiveNotice(rule: Rule, trust: 'untrusted' | 'changed'): Diagnostic {
  const why =
    trust === 'untrusted' ? 'its project is not trusted' : 'it has changed since its project was trusted';
  const hint = 'look at the project and run policy trust';
  const what = rule.judge === undefined ? `use action "${rule.action}"` : 'ask the judge';
  return note('trust', rule.position, `Cannot ${what} of policy "${rule.id}": ${why}`, hint);
}
