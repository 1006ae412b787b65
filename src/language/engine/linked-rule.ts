import type { Json } from '../../lib/json.ts';
import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import { and, or, type Truth } from '../../model/truth.ts';
import { eachFile } from '../keys/call/each-file.ts';
import { foldedReading } from '../keys/call/folded-reading.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { type CompiledKey, compileWhen, findingOf, holds, type MatchResult } from '../keys/when.ts';

/** A rule whose matchers are compiled when they are first asked: most rules of a one-shot process never are. */
export interface LinkedRule {
  readonly rule: Rule;
  /** Tests the keys that are constant per tool. */
  fitsTool(facts: Facts): Truth;
  /** Tests the other keys. */
  fitsCall(facts: Facts): Truth;
  /** Tests all keys, and names the reason if they do not hold. */
  explain(facts: Facts): MatchResult;
  /** True if an exception that has not ended at `nowMs` takes the call out of it for certain. */
  isExcepted(facts: Facts, nowMs: () => number): boolean;
}

export function linkRule(rule: Rule): LinkedRule {
  let perTool: readonly CompiledKey[] | undefined;
  let perCall: readonly CompiledKey[] | undefined;
  let exceptions: readonly { readonly keys: readonly CompiledKey[]; readonly endsMs: number }[] | undefined;
  const keysPerTool = () =>
    (perTool ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool === true));
  const keysPerCall = () =>
    (perCall ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool !== true));
  let hasPaths: boolean | undefined;
  const asksForPaths = () => (hasPaths ??= hasPathTest(rule.when));
  /** The call as it is; where it gets a right by its paths, once for each file. */
  const casesOf = (facts: Facts) => (givesRight(rule) && asksForPaths() ? eachFile(facts) : [facts]);
  /** The other reading of the call, if it can change the answer. */
  const otherReading = (facts: Facts, truth: Truth): Facts | undefined => {
    if (truth === !givesRight(rule)) return undefined;
    return asksForPaths() ? foldedReading(facts) : undefined;
  };
  const either = givesRight(rule) ? and : or;
  const fits = (facts: Facts): Truth =>
    casesOf(facts)
      .map((each) => holds(keysPerCall(), each))
      .reduce(and);
  const findingIn = (facts: Facts): MatchResult => {
    const keys = [...keysPerTool(), ...keysPerCall()];
    return casesOf(facts)
      .map((each) => findingOf(keys, each))
      .reduce((one, other) => (and(one.truth, other.truth) === one.truth ? one : other));
  };
  return {
    rule,
    fitsTool: (facts) => holds(keysPerTool(), facts),
    fitsCall(facts) {
      const truth = fits(facts);
      const other = otherReading(facts, truth);
      return other === undefined ? truth : either(truth, fits(other));
    },
    explain(facts) {
      const finding = findingIn(facts);
      const other = otherReading(facts, finding.truth);
      if (other === undefined) return finding;
      const otherFinding = findingIn(other);
      return either(finding.truth, otherFinding.truth) === finding.truth ? finding : otherFinding;
    },
    isExcepted(facts, nowMs) {
      if (rule.exceptions === undefined) return false;
      exceptions ??= rule.exceptions.map(({ when, endsMs }) => ({
        keys: compileWhen(when, MATCHER_TABLE),
        endsMs,
      }));
      const now = nowMs();
      return exceptions.some(({ keys, endsMs }) => now < endsMs && holds(keys, facts) === true);
    },
  };
}

/** True if a policy holds only if both readings of a call fit it; every other holds if one does. */
function givesRight({ action }: Rule): boolean {
  return action === 'approve';
}

const PATH_TESTS: ReadonlySet<string> = new Set(['path', 'reads', 'writes', 'deletes']);

function hasPathTest(when: Json): boolean {
  if (typeof when !== 'object' || when === null) return false;
  if (Array.isArray(when)) return when.some(hasPathTest);
  return Object.entries(when).some(([key, value]) => PATH_TESTS.has(key) || hasPathTest(value));
}
