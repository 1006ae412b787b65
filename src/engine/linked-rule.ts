import { MATCHER_TABLE } from '../matchers/registry.ts';
import { type CompiledKey, compileWhen, type Finding, findingOf, holds } from '../matchers/when.ts';
import type { Facts } from '../model/facts.ts';
import type { Rule } from '../model/policy.ts';
import type { Truth } from '../model/truth.ts';

/** A rule whose matchers are compiled when they are first asked: most rules of a one-shot process never are. */
export interface LinkedRule {
  readonly rule: Rule;
  /** Whether the keys that are constant per tool hold. */
  fitsTool(facts: Facts): Truth;
  /** Whether the other keys hold. */
  fitsCall(facts: Facts): Truth;
  /** Whether all keys hold, and if not, why. */
  explain(facts: Facts): Finding;
  /** Whether an exception that has not ended at `nowMs` takes the call out of it for certain. */
  isExcepted(facts: Facts, nowMs: () => number): boolean;
}

interface CompiledException {
  readonly keys: readonly CompiledKey[];
  readonly endsMs: number;
}

/** Links one rule. */
export function linkRule(rule: Rule): LinkedRule {
  let perTool: readonly CompiledKey[] | undefined;
  let perCall: readonly CompiledKey[] | undefined;
  let exceptions: readonly CompiledException[] | undefined;
  const keysPerTool = () =>
    (perTool ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool === true));
  const keysPerCall = () =>
    (perCall ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool !== true));
  return {
    rule,
    fitsTool: (facts) => holds(keysPerTool(), facts),
    fitsCall: (facts) => holds(keysPerCall(), facts),
    explain: (facts) => findingOf([...keysPerTool(), ...keysPerCall()], facts),
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
