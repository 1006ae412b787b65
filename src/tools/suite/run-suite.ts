import { dirname, join, resolve } from 'node:path';
import { answerEvent } from '../../language/calls/answer-call.ts';
import { type ExampleResult, runExample } from '../../language/calls/examples.ts';
import { createEngine, type Engine } from '../../language/engine/engine.ts';
import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
import { packIn } from '../../language/policy/files/pack-names.ts';
import type { FileText } from '../../language/policy/files/read-file.ts';
import { problem, startOf } from '../../language/policy/yaml/problem.ts';
import { type Diagnostic, errorsIn } from '../../model/diagnostic.ts';
import type { Facts } from '../../model/facts.ts';
import { NO_MEMORY } from '../../model/memory.ts';
import type { Program, Rule } from '../../model/policy.ts';
import type { CaseResult, CaseStatus, SuiteEvent } from './case-result.ts';
import { callLabel } from './cases/call-label.ts';
import { parseTestFile } from './cases/parse-test-file.ts';
import {
  type RecordedVerdicts,
  readVerdicts,
  recordedVerdicts,
  VERDICTS_FILE,
} from './cases/recorded-verdicts.ts';
import type { TestCase, TestFile } from './cases/test-case.ts';
import { answerCase, type CaseAnswers, type CaseSetting, differencesOf } from './run-case.ts';
import { onlyExtends, type PlannedFile, type SuitePlan } from './suite-plan.ts';

/** The parts of the world that a run needs. */
export interface SuitePorts {
  readonly readText: (path: string) => FileText;
  /** Compiles files, folders and packs, named absolutely. */
  readonly load: (names: readonly string[]) => CompiledFiles;
  readonly nowUs: () => number;
}

/** Looks on while cases are run, for coverage. */
export interface SuiteObserver {
  readonly loaded: (compiled: CompiledFiles, engine: Engine) => void;
  readonly answered: (test: TestCase, answers: CaseAnswers, engine: Engine) => void;
  readonly exampleRun: (rule: Rule, facts: Facts, engine: Engine) => void;
}

export interface RunOptions {
  /** True if a case of this full name is to run; all are unless given. */
  readonly wanted?: (name: string) => boolean;
  /** Puts things into the order in which they are run; as they are unless given. */
  readonly order?: <T>(items: readonly T[]) => readonly T[];
  /** True to end the suite with the first failure. */
  readonly bail?: boolean;
  readonly observer?: SuiteObserver;
}

/** Runs one suite. Each result is handed out as soon as it is there; stop asking to stop the run. */
export function* runSuite(plan: SuitePlan, options: RunOptions, ports: SuitePorts): Generator<SuiteEvent> {
  const startUs = ports.nowUs();
  const counts = { passed: 0, failed: 0, skipped: 0, broken: 0 };
  yield { type: 'suite_started', suite: plan.name };
  for (const event of suiteEvents(plan, options, ports)) {
    if (event.type === 'case') counts[event.result.status.type] += 1;
    if (event.type === 'problems' && event.kind === 'tests') counts.broken += 1;
    yield event;
    if (options.bail === true && counts.failed + counts.broken > 0) break;
  }
  const durationUs = ports.nowUs() - startUs;
  yield { type: 'suite_ended', suite: plan.name, counts: { ...counts, durationUs } };
}

/** Policies under test, ready to judge. */
interface Loaded {
  readonly compiled: CompiledFiles;
  readonly engine: Engine;
  /** The files of which something could not be loaded. */
  readonly broken: ReadonlySet<string>;
}

/**
 * The verdicts that are recorded for a suite.
 *
 * @returns a problem if the file with them cannot be used
 */
export function verdictsOf(plan: SuitePlan, { readText }: SuitePorts): RecordedVerdicts | Diagnostic {
  const path = join(plan.folder, VERDICTS_FILE);
  const read = readText(path);
  if (!read.ok) return recordedVerdicts({});
  const table = readVerdicts(read.text);
  if (typeof table !== 'string') return recordedVerdicts(table);
  const message = `Cannot read verdicts "${path}": ${table}`;
  return problem('file', startOf(path), message, 'run policy judge record');
}

function* suiteEvents(plan: SuitePlan, options: RunOptions, ports: SuitePorts): Generator<SuiteEvent> {
  const sets = new Map<string, Loaded>();
  function* load(
    names: readonly string[],
    placed = (problem: Diagnostic) => problem,
  ): Generator<SuiteEvent, Loaded> {
    const key = names.join('\0');
    const known = sets.get(key);
    if (known !== undefined) return known;
    const compiled = ports.load(names);
    const errors = errorsIn(compiled.diagnostics);
    const broken = new Set(errors.map(({ position }) => position.file));
    const loaded = { compiled, engine: createEngine(compiled.program), broken };
    sets.set(key, loaded);
    if (errors.length > 0)
      yield { type: 'problems', suite: plan.name, kind: 'policies', diagnostics: errors.map(placed) };
    options.observer?.loaded(compiled, loaded.engine);
    return loaded;
  }

  const verdicts = verdictsOf(plan, ports);
  if ('code' in verdicts) {
    yield { type: 'problems', suite: plan.name, kind: 'tests', diagnostics: [verdicts] };
    return;
  }
  const files = inOrder(plan.testFiles, options);
  if (plan.policyFiles.length > 0) {
    yield* exampleEvents(plan, yield* load([plan.folder]), options, ports);
  }
  for (const [fileIndex, planned] of files.entries()) {
    const testFile = readTestFile(planned, ports);
    if (!testFile.ok) {
      yield { type: 'problems', suite: plan.name, kind: 'tests', diagnostics: testFile.diagnostics };
      continue;
    }
    const { policies, cases } = testFile.testFile;
    const loaded = yield* load(testedNames(policies, planned.path), (each) =>
      atItsName(each, testFile.testFile, planned),
    );
    if (!canJudge(planned, policies, loaded, plan)) continue;
    for (const [index, test] of inOrder(cases, options).entries()) {
      if (options.wanted?.(fullName(test.position.file, test.name, test.host)) === false) continue;
      const result = runCase(plan, test, { ...loaded, verdict: verdicts.answer }, options, ports);
      yield { type: 'case', result, done: (fileIndex + (index + 1) / cases.length) / files.length };
    }
  }
}

/** The problem of a file that cannot be read, at the place where the test file names it. */
function atItsName(
  problem: Diagnostic,
  { policies = [], policiesAt }: TestFile,
  { file }: PlannedFile,
): Diagnostic {
  const index = policies.findIndex((name) => join(dirname(file), name) === problem.position.file);
  const position = problem.code === 'file' ? policiesAt[index] : undefined;
  return position === undefined ? problem : { ...problem, position };
}

/** True if the policies under test are loaded: those of the file that the test file is named after, else the whole set. */
function canJudge(
  { file }: PlannedFile,
  policies: readonly string[] | undefined,
  { broken }: Loaded,
  { policyFiles }: SuitePlan,
): boolean {
  if (broken.size === 0) return true;
  const start = file.replace(/test\.ya?ml$/, '');
  const own = policyFiles.filter((name) => name === `${start}yaml` || name === `${start}yml`);
  return policies === undefined && own.length > 0 && !own.some((name) => broken.has(name));
}

function inOrder<T>(items: readonly T[], { order }: RunOptions): readonly T[] {
  return order === undefined ? items : order(items);
}

/** The name of a case that `--filter` searches. */
export function fullName(file: string, name: string, host: string | undefined): string {
  return host === undefined ? `${file} ${name}` : `${file} ${name} on ${host}`;
}

function readTestFile(
  { path, file }: PlannedFile,
  { readText }: SuitePorts,
): ReturnType<typeof parseTestFile> {
  const read = readText(path);
  if (read.ok) return parseTestFile(read.text, file);
  const message = `Cannot read test file "${file}": ${read.cause}`;
  return { ok: false, diagnostics: [problem('file', startOf(file), message)] };
}

/** The policies that a test file is about: those that it names, relative to it, else those beside it. */
export function testedNames(names: readonly string[] | undefined, path: string): readonly string[] {
  const folder = dirname(path);
  return names?.map((name) => (packIn(name) === undefined ? resolve(folder, name) : name)) ?? [folder];
}

function runCase(
  plan: SuitePlan,
  test: TestCase,
  setting: CaseSetting,
  options: RunOptions,
  ports: SuitePorts,
): CaseResult {
  const { name, position, host, skip } = test;
  const startUs = ports.nowUs();
  const status: CaseStatus =
    skip === undefined ? statusOf(test, setting, options, ports) : { type: 'skipped', reason: skip };
  return { suite: plan.name, name, position, host, durationUs: ports.nowUs() - startUs, status };
}

function statusOf(
  test: TestCase,
  setting: CaseSetting,
  { observer }: RunOptions,
  { nowUs }: SuitePorts,
): CaseStatus {
  const answers = answerCase(test, setting);
  observer?.answered(test, answers, setting.engine);
  const differences = differencesOf(test, answers);
  if (differences.length === 0) return { type: 'passed' };
  // Judged again to explain it: a trace of every case would be paid by those that pass.
  const { earlier, answer: last } = answerCase(test, { ...setting, trace: { nowUs } });
  const answer = earlier[(differences[0]?.step?.number ?? earlier.length + 1) - 1] ?? last;
  return { type: 'failed', differences, answer };
}

function* exampleEvents(
  plan: SuitePlan,
  loaded: Loaded,
  options: RunOptions,
  ports: SuitePorts,
): Generator<SuiteEvent> {
  const { compiled, engine } = loaded;
  const rules = new Map(compiled.program.rules.map((rule) => [rule.id, rule]));
  // Whoever only extends policies of others wants to know whether these work here.
  const isOthers = onlyExtends(plan, compiled);
  for (const example of compiled.examples) {
    const rule = rules.get(example.ruleId);
    if (rule === undefined || !(isOthers || plan.policyFiles.includes(example.position.file))) continue;
    const startUs = ports.nowUs();
    const run = runExample(rule, example, compiled.program.programs);
    const label = run.call === undefined ? '' : `: ${callLabel(run.call)}`;
    const name = `${example.expect} of ${rule.id}${label}`;
    if (options.wanted?.(fullName(example.position.file, name, undefined)) === false) continue;
    if (run.facts !== undefined) options.observer?.exampleRun(rule, run.facts, engine);
    yield {
      type: 'case',
      done: 0,
      result: {
        suite: plan.name,
        name,
        position: example.position,
        host: undefined,
        durationUs: ports.nowUs() - startUs,
        status: exampleStatus(run, rule, compiled.program, ports),
      },
    };
  }
}

function exampleStatus(
  { example, problem, facts }: ExampleResult,
  rule: Rule,
  program: Program,
  { nowUs }: SuitePorts,
): CaseStatus {
  if (problem === undefined) return { type: 'passed' };
  const { expect } = example;
  if (facts === undefined) {
    const actual = problem.hint === undefined ? problem.message : `${problem.message}; ${problem.hint}`;
    return { type: 'failed', differences: [{ key: 'example', expected: expect, actual }], answer: undefined };
  }
  const difference = { key: 'example', expected: expect, actual: expect === 'hit' ? 'miss' : 'hit' };
  // The answer of its policy alone explains it.
  const engine = createEngine({ ...program, rules: [rule] });
  const answer = answerEvent(facts.event, { engine, memory: NO_MEMORY, trace: { nowUs } });
  return { type: 'failed', differences: [difference], answer };
}
