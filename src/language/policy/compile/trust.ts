import { sha256Hex } from '../../../lib/digest.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Program, Rule } from '../../../model/policy.ts';
import { note } from '../yaml/problem.ts';
import type { CompiledSet, TrustSet } from './compiled-set.ts';

/** The record of somebody's trust: a whole set, and each rule of it that needed that. */
export interface TrustRecord {
  readonly digest: string;
  readonly ruleDigests: readonly string[];
}

/** Remembers which project sets are trusted. Asked only if there is something to trust; throws if it cannot tell. */
export interface TrustLookup {
  readonly trusted: (projectRoot: string) => TrustRecord | undefined;
}

/** The record for a set with which all of it takes effect. */
export function trustRecordOf(set: TrustSet): TrustRecord {
  return { digest: set.digest, ruleDigests: set.rules.map(({ digest }) => digest) };
}

export interface AppliedTrust {
  readonly program: Program;
  readonly notices: readonly Diagnostic[];
  /** The files whose policies are without the settings of projects. */
  readonly unset: ReadonlySet<string>;
}

/** Makes the program of a set: policies that nobody has agreed to are loaded but have no effect. */
export function applyTrust(set: CompiledSet, setDigest: string, store: TrustLookup): AppliedTrust {
  const notices = [...set.warnings];
  const rules = [...set.rules];
  const states: string[] = [];
  const active = new Set<number>();
  const unsetFiles = new Set<string>();
  for (const trustSet of set.trustSets) {
    const record = store.trusted(trustSet.root);
    for (const { index, digest, unset } of trustSet.rules) {
      const rule = rules[index];
      const trust = stateOf(trustSet, digest, record);
      states.push(trust);
      if (rule === undefined) continue;
      if (unset !== undefined) {
        if (trust === 'active') continue;
        rules[index] = { ...rule, ...unset };
        unsetFiles.add(rule.position.file);
        notices.push(unsetNotice(rule, trust));
      } else if (trust === 'active') active.add(index);
      else rules[index] = { ...rule, trust };
    }
  }
  // A policy that is in two projects counts if one of them is trusted.
  for (const index of active) rules[index] = { ...(rules[index] as Rule), trust: 'active' };
  for (const rule of rules) if (rule.trust !== 'active') notices.push(inactiveNotice(rule, rule.trust));
  const { unmatchedDeny, onErrorContinue, programs, facts } = set;
  const digest = states.length === 0 ? setDigest : sha256Hex([setDigest, ...states]);
  const program = {
    ...{ digest, rules, unmatchedDeny, onErrorContinue },
    ...(programs === undefined ? {} : { programs }),
    ...(facts === undefined ? {} : { facts }),
  };
  return { program, notices, unset: unsetFiles };
}

function stateOf(set: TrustSet, digest: string, record: TrustRecord | undefined): Rule['trust'] {
  if (record === undefined) return 'untrusted';
  return record.digest === set.digest || record.ruleDigests.includes(digest) ? 'active' : 'changed';
}

function unsetNotice({ id, position }: Rule, trust: 'untrusted' | 'changed'): Diagnostic {
  const message = `Cannot use the settings of a project for policy "${id}": ${WHY[trust]}`;
  return note('trust', position, message, TRUST_IT);
}

const WHY = {
  untrusted: 'its project is not trusted',
  changed: 'it has changed since its project was trusted',
} as const;
const TRUST_IT = 'look at the project and run policy trust';

function inactiveNotice(rule: Rule, trust: 'untrusted' | 'changed'): Diagnostic {
  const what = rule.judge === undefined ? `use action "${rule.action}"` : 'ask the judge';
  return note('trust', rule.position, `Cannot ${what} of policy "${rule.id}": ${WHY[trust]}`, TRUST_IT);
}
