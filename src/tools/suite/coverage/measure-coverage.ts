import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import type { Engine } from '../../../language/engine/engine.ts';
import { createFacts, rememberModel } from '../../../language/engine/facts.ts';
import { MATCHER_TABLE } from '../../../language/keys/registry.ts';
import { type CompiledKey, compileWhen, holds } from '../../../language/keys/when.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Rule } from '../../../model/policy.ts';
import { surroundingsIn } from '../run-case.ts';
import type { SuiteObserver } from '../run-suite.ts';
import { type CoverageTotals, type FileCoverage, shareOf } from './coverage.ts';
import { type CoveragePart, coverageParts } from './coverage-parts.ts';
import { policyPlaces } from './policy-places.ts';

/** Measures the parts that a run reaches. Nothing of it is in the engine: parts of policies are asked again beside it. */
export interface CoverageMeter extends SuiteObserver {
  /** The parts that were reached so far, file by file. */
  readonly files: () => readonly FileCoverage[];
  readonly totals: () => CoverageTotals;
}

interface PolicyCounter {
  readonly rule: Rule;
  readonly keys: () => readonly CompiledKey[];
  readonly parts: readonly { readonly part: CoveragePart; hits: number; misses: number }[];
  hits: number;
}

/** @param isMeasured true if the policies of a file count */
export function createCoverageMeter(isMeasured: (file: string) => boolean): CoverageMeter {
  const counters = new Map<string, PolicyCounter>();
  const byRule = new WeakMap<Rule, PolicyCounter>();
  const texts = new Map<string, string>();

  const judged = (engine: Engine, outcome: Outcome, facts: Facts) => {
    // A judge's policy is another object once it is decided.
    const hits = new Set(outcome.hits.map(({ rule }) => rule.id));
    for (const { rule } of engine.index.candidates(facts)) {
      const counter = byRule.get(rule);
      if (counter !== undefined) count(counter, hits.has(rule.id), facts);
    }
  };

  return {
    loaded({ program, texts: sources }: CompiledFiles) {
      for (const rule of program.rules) {
        const { file } = rule.position;
        if (!isMeasured(file)) continue;
        const key = `${file}\0${rule.id}`;
        const counter = counters.get(key) ?? counterOf(rule);
        counters.set(key, counter);
        byRule.set(rule, counter);
        const text = sources.get(file);
        if (text !== undefined) texts.set(file, text);
      }
    },
    answered(test, { earlier, answer }, engine) {
      // The memory of the judging must not be seen here again, so the calls are remembered anew.
      const memory = createProcessMemory();
      for (const { event, outcome, history } of [...earlier, answer]) {
        if (event === undefined) continue;
        if (event.model !== undefined && engine.needsModel()) rememberModel(event, memory);
        if (outcome !== undefined)
          judged(
            engine,
            outcome,
            createFacts(event, memory, surroundingsIn(test), engine.program.programs, history),
          );
      }
    },
    exampleRun(rule, facts) {
      const counter = byRule.get(rule);
      if (counter === undefined) return;
      const truth = holds(counter.keys(), facts);
      count(counter, truth === true || (truth === 'unknown' && rule.whenUnknown === 'match'), facts);
    },
    files: () => filesOf([...counters.values()], texts),
    totals: () => {
      const all = [...counters.values()];
      return { policies: shareOf(all), alternatives: shareOf(all.flatMap((counter) => counter.parts)) };
    },
  };
}

function counterOf(rule: Rule): PolicyCounter {
  let keys: readonly CompiledKey[] | undefined;
  return {
    rule,
    keys: () => {
      keys ??= compileWhen(rule.when, MATCHER_TABLE);
      return keys;
    },
    parts: coverageParts(rule).map((part) => ({ part, hits: 0, misses: 0 })),
    hits: 0,
  };
}

function count(counter: PolicyCounter, matches: boolean, facts: Facts): void {
  if (matches) counter.hits += 1;
  for (const each of counter.parts) {
    if (each.part.type === 'fact') {
      if (each.part.reached(facts)) each.hits += 1;
      continue;
    }
    // An exception is seen if the policy does not match, everything else if it does.
    if ((each.part.type === 'exception') === matches) continue;
    if (each.part.reached(facts)) each.hits += 1;
    else if (matches) each.misses += 1;
  }
}

function filesOf(
  counters: readonly PolicyCounter[],
  texts: ReadonlyMap<string, string>,
): readonly FileCoverage[] {
  return [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, text]) => {
      const places = policyPlaces(text, file);
      const policies = counters
        .filter(({ rule }) => rule.position.file === file)
        .map(({ rule, hits, parts }) => ({
          id: rule.id,
          position: rule.position,
          hits,
          parts: parts.map(({ part: { type, label, path, at }, ...counts }) => ({
            type,
            label,
            position: places.positionOf(rule, path, at),
            hits: counts.hits,
            misses: counts.misses,
          })),
        }));
      return { file, text, policies };
    });
}
