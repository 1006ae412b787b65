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
