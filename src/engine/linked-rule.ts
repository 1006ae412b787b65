import { MATCHER_TABLE } from '../matchers/registry.ts';
import { type CompiledKey, compileWhen, holds } from '../matchers/when.ts';
import type { Facts } from '../model/facts.ts';
import type { KeyTrace } from '../model/outcome.ts';
import type { Rule } from '../model/policy.ts';
import type { Truth } from '../model/truth.ts';

/** Told which key settled the matter. */
export type Decided = (key: KeyTrace) => void;

/** A rule whose matchers are compiled when they are first asked: most rules of a one-shot process never are. */
export interface LinkedRule {
  readonly rule: Rule;
  /** Whether the keys hold that are the same for every call of a tool. */
  fitsTool(facts: Facts, decided?: Decided): Truth;
  /** Whether the other keys hold. */
  fitsCall(facts: Facts, decided?: Decided): Truth;
}

/** Links one rule. */
export function linkRule(rule: Rule): LinkedRule {
  let perTool: readonly CompiledKey[] | undefined;
  let perCall: readonly CompiledKey[] | undefined;
  return {
    rule,
    fitsTool(facts, decided) {
      perTool ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool === true);
      return holds(perTool, facts, decided);
    },
    fitsCall(facts, decided) {
      perCall ??= compileWhen(rule.when, MATCHER_TABLE, (matcher) => matcher.constantPerTool !== true);
      return holds(perCall, facts, decided);
    },
  };
}
