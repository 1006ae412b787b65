import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { runExample } from '../../../language/calls/examples.ts';
import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { createFacts, rememberModel } from '../../../language/engine/facts.ts';
import { type LinkedRule, linkRule } from '../../../language/engine/linked-rule.ts';
import { MATCHER_TABLE } from '../../../language/keys/registry.ts';
import { compileWhen, holds } from '../../../language/keys/when.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { RegexError } from '../../../lib/regex/regex.ts';
import type { Position } from '../../../model/diagnostic.ts';
import type { Facts } from '../../../model/facts.ts';
import type { FactRow, Program, Rule } from '../../../model/policy.ts';
import type { Truth } from '../../../model/truth.ts';
import type { TestCase } from '../cases/test-case.ts';
import { type PolicyPlaces, policyPlaces } from '../coverage/policy-places.ts';
import {
  answerCase,
  type CaseAnswers,
  type CaseSetting,
  differencesOf,
  surroundingsIn,
} from '../run-case.ts';
import { runSuite, type SuitePorts } from '../run-suite.ts';
import type { SuitePlan } from '../suite-plan.ts';
import { factMutantsOf, type Mutant, mutantsOf } from './mutants.ts';

/** The events of a mutation run while it goes on. */
export type MutationEvent =
  /** Tests fail already, so nothing can be learned from their failing. */
  | { readonly type: 'red'; readonly failed: number }
  | {
      readonly type: 'mutant';
      readonly ruleId: string;
      readonly position: Position;
      readonly change: string;
      readonly noticed: boolean;
      /** How much is done, from 0 to 1. */
      readonly done: number;
    };

/** Policies with the cases that test them. */
interface Bench {
  readonly compiled: CompiledFiles;
  readonly trials: Trial[];
  readonly linked: Map<Rule, LinkedRule>;
}

/** A case that passes, with the events that it judges. */
interface Trial {
  readonly test: TestCase;
  readonly setting: CaseSetting;
  readonly facts: readonly Facts[];
  /** True if rewrites made further events, which are judged as well. */
  readonly rewrites: boolean;
}

/**
 * Changes policies one step at a time and runs the cases that this can concern.
 *
 * @param wanted true if the policy of this id and file is to be changed
 */
export function* runMutants(
  plans: readonly SuitePlan[],
  wanted: (id: string, file: string) => boolean,
  ports: SuitePorts,
): Generator<MutationEvent> {
  const { benches, failed } = collect(plans, ports);
  if (failed > 0) {
    yield { type: 'red', failed };
    return;
  }
  const files = new Set(plans.flatMap(({ policyFiles }) => policyFiles));
  const targets = targetsOf(
    benches,
    (rule) => files.has(rule.position.file) && wanted(rule.id, rule.position.file),
  );
  const total = targets.reduce((sum, { mutants }) => sum + mutants.length, 0);
  let count = 0;
  for (const target of targets) {
    const truths = new Map<Facts, Truth>();
    for (const mutant of target.mutants) {
      const noticed = isNoticedBy(target, mutant, truths);
      count += 1;
      yield {
        type: 'mutant',
        ruleId: target.rule.id,
        position:
          mutant.fact === undefined
            ? target.places.positionOf(target.rule, mutant.path, mutant.at)
            : target.places.positionOfFact(mutant.fact, mutant.path, mutant.at),
        change: mutant.change,
        noticed,
        done: count / total,
      };
    }
  }
}

function collect(
  plans: readonly SuitePlan[],
  ports: SuitePorts,
): { readonly benches: readonly Bench[]; readonly failed: number } {
  const benches = new Map<Engine, Bench>();
  let failed = 0;
  const observer = {
    loaded: (compiled: CompiledFiles, engine: Engine) => {
      benches.set(engine, { compiled, trials: [], linked: new Map() });
    },
    answered: (test: TestCase, answers: CaseAnswers, engine: Engine) => {
      benches.get(engine)?.trials.push(trialOf(test, answers, engine));
    },
    exampleRun: () => {},
  };
  for (const plan of plans) {
    for (const event of runSuite(plan, { observer }, ports)) {
      if (event.type === 'problems' || (event.type === 'case' && event.result.status.type === 'failed'))
        failed += 1;
    }
  }
  return { benches: [...benches.values()], failed };
}

function trialOf(test: TestCase, { setting, earlier, answer }: CaseAnswers, engine: Engine): Trial {
  const memory = createProcessMemory();
  const answers = [...earlier, answer];
  const facts = answers.flatMap(({ event, history }) => {
    if (event === undefined) return [];
    if (event.model !== undefined && engine.needsModel()) rememberModel(event, memory);
    const made = createFacts(event, memory, surroundingsIn(test), engine.program.programs, history);
    // Looked at now, so that a later event of the session finds the same.
    void made.newTexts;
    return [made];
  });
  const rewrites = answers.some(
    ({ outcome }) => outcome?.hits.some(({ rule }) => rule.action === 'modify') === true,
  );
  return { test, setting, facts, rewrites };
}

interface Target {
  readonly rule: Rule;
  readonly mutants: readonly Mutant[];
  readonly benches: readonly Bench[];
  readonly places: PolicyPlaces;
}

/** Each policy once, with every set that it is part of. */
function targetsOf(benches: readonly Bench[], isTarget: (rule: Rule) => boolean): readonly Target[] {
  const places = new Map<string, PolicyPlaces>();
  const targets = new Map<string, Target & { benches: Bench[] }>();
  for (const bench of benches) {
    for (const rule of bench.compiled.program.rules.filter(isTarget)) {
      const { file } = rule.position;
      const key = `${file}\0${rule.id}`;
      const known = targets.get(key);
      if (known !== undefined) {
        known.benches.push(bench);
        continue;
      }
      const found = places.get(file) ?? policyPlaces(bench.compiled.texts.get(file) ?? '', file);
      places.set(file, found);
      const mutants = [...mutantsOf(rule), ...factsFirstUsedBy(rule, bench.compiled.program)];
      targets.set(key, { rule, mutants, benches: [bench], places: found });
    }
  }
  return [...targets.values()];
}

/** The mutants of the facts that a policy goes by and none before it does. */
function factsFirstUsedBy(rule: Rule, { rules, facts = [] }: Program): readonly Mutant[] {
  return facts
    .filter(({ id, position }) => {
      const isNamed = ({ when }: Rule) => JSON.stringify(when).includes(JSON.stringify(id));
      return position.file === rule.position.file && rules.find(isNamed) === rule;
    })
    .flatMap((row) => factMutantsOf(rule, row));
}

/** A pattern that no longer compiles would be noticed when it is loaded. */
function isNoticedBy({ benches, rule }: Target, mutant: Mutant, truths: Map<Facts, Truth>): boolean {
  try {
    return benches.some((bench) => isNoticed(bench, rule, mutant, truths));
  } catch (error) {
    if (error instanceof RegexError) return true;
    throw error;
  }
}

function isNoticed(bench: Bench, { id }: Rule, mutant: Mutant, truths: Map<Facts, Truth>): boolean {
  const { program, examples } = bench.compiled;
  const rule = program.rules.find((each) => each.id === id);
  if (rule === undefined) return false;
  const { mutated } = mutant;
  const own = examples.filter(({ ruleId }) => ruleId === id);
  if (
    mutated !== undefined &&
    mutant.matchesOnly &&
    own.some((example) => runExample(mutated, example, program.programs).problem !== undefined)
  )
    return true;
  let engine: Engine | undefined;
  const at = bench.trials.findIndex((trial) => {
    if (!concerns(trial, rule, mutant, truths)) return false;
    engine ??= engineWith(bench, rule, mutated, mutant.fact);
    const { test, setting } = trial;
    return differencesOf(test, answerCase(test, { ...setting, engine })).length > 0;
  });
  // A case that notices one change of a policy often notices the next one.
  if (at > 0) bench.trials.unshift(...bench.trials.splice(at, 1));
  return at >= 0;
}

/** False if the change cannot make a difference to a case. */
function concerns(
  trial: Trial,
  rule: Rule,
  { mutated, matchesOnly }: Mutant,
  truths: Map<Facts, Truth>,
): boolean {
  // The result of steps depends on the fates of those before them.
  if (trial.rewrites || trial.test.steps !== undefined) return true;
  return trial.facts.some((facts) => {
    if (!rule.on.includes(facts.event.kind)) return false;
    const before = truths.get(facts) ?? truthOf(rule, facts);
    truths.set(facts, before);
    if (!matchesOnly || mutated === undefined) return before !== false;
    return truthOf(mutated, facts) !== before;
  });
}

const compiledKeys = new WeakMap<Rule, ReturnType<typeof compileWhen>>();

function truthOf(rule: Rule, facts: Facts): Truth {
  let keys = compiledKeys.get(rule);
  if (keys === undefined) {
    keys = compileWhen(rule.when, MATCHER_TABLE);
    compiledKeys.set(rule, keys);
  }
  return holds(keys, facts);
}

/** Links only the changed rule: most of the work of an engine is in its compiled matchers. */
function engineWith(
  { compiled, linked }: Bench,
  original: Rule,
  mutated: Rule | undefined,
  fact: FactRow | undefined,
): Engine {
  const { program } = compiled;
  const facts =
    fact === undefined
      ? {}
      : { facts: (program.facts ?? []).map((row) => (row.id === fact.id ? fact : row)) };
  const rules = program.rules.flatMap((rule) =>
    rule !== original ? [rule] : mutated === undefined ? [] : [mutated],
  );
  return createEngine({ ...program, rules, ...facts }, (rule) => {
    const known = linked.get(rule);
    if (known !== undefined) return known;
    const made = linkRule(rule);
    if (rule !== mutated) linked.set(rule, made);
    return made;
  });
}
