import { offeredVerdicts } from '../../../hook/judge/prompt.ts';
import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import type { JudgeAnswer, JudgeQuestion, JudgeVerdict } from '../../../model/judge.ts';
import { parseTestFile } from '../cases/parse-test-file.ts';
import { questionKey } from '../cases/question-key.ts';
import { type RecordedVerdict, recordedVerdicts, type VerdictTable } from '../cases/recorded-verdicts.ts';
import type { TestCase } from '../cases/test-case.ts';
import { answerCase, type CaseSetting, differencesOf } from '../run-case.ts';
import { type SuitePorts, testedNames } from '../run-suite.ts';
import type { SuitePlan } from '../suite-plan.ts';

/** Asks for a verdict that a test needs; a message if there is none. */
export type AskToRecord = (question: JudgeQuestion) => Promise<RecordedVerdict | string>;

export interface RecordedSuite {
  readonly table: VerdictTable;
  readonly added: number;
  readonly kept: number;
  /** Verdicts that no test of the suite needs any more. */
  readonly dropped: number;
  readonly problems: readonly string[];
}

export interface RecordOptions {
  readonly before: VerdictTable;
  /** True to ask also where a verdict is recorded. */
  readonly again: boolean;
  /** The source of verdicts; undefined takes those with which the tests pass. */
  readonly ask: AskToRecord | undefined;
}

/** A case may lead from one question to the next, when a verdict rewrites the call. */
const MAX_ROUNDS = 4;
/** Cases with more questions at once are not solved by trying. */
const MAX_TRIED = 1_000;

export async function recordVerdicts(
  plan: SuitePlan,
  ports: SuitePorts,
  { before, again, ask }: RecordOptions,
): Promise<RecordedSuite> {
  const table: Record<string, Record<string, RecordedVerdict>> = {};
  const problems: string[] = [];
  let added = 0;
  const needed = recordedVerdicts(table);
  const earlier = recordedVerdicts(again ? {} : before);
  const put = (question: JudgeQuestion, verdict: RecordedVerdict): void => {
    const ofPolicy = table[question.ruleId] ?? {};
    table[question.ruleId] = ofPolicy;
    ofPolicy[questionKey(question).digest] = verdict;
  };

  for (const { test, engine } of casesOf(plan, ports, problems)) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const open = openQuestions(test, { engine }, needed.answer);
      if (open.length === 0) break;
      const tried = ask === undefined ? passingVerdicts(test, { engine }, open, needed.answer) : undefined;
      for (const [index, question] of open.entries()) {
        if (earlier.has(question)) {
          put(question, verdictIn(before, question));
          continue;
        }
        const verdict = ask === undefined ? tried?.[index] : await ask(question);
        if (verdict === undefined)
          problems.push(`${placeOf(test)}: no verdict of ${question.ruleId} lets the test pass`);
        else if (typeof verdict === 'string')
          problems.push(`${placeOf(test)}: ${question.ruleId}: ${verdict}`);
        else {
          put(question, verdict);
          added += 1;
        }
      }
      if (problems.length > 0) break;
    }
  }
  const count = (counted: VerdictTable) =>
    Object.values(counted).reduce((total, verdicts) => total + Object.keys(verdicts).length, 0);
  const kept = count(table) - added;
  return { table, added, kept, dropped: Math.max(count(before) - kept - (again ? added : 0), 0), problems };
}

function* casesOf(
  plan: SuitePlan,
  ports: SuitePorts,
  problems: string[],
): Generator<{ readonly test: TestCase; readonly engine: Engine }> {
  for (const planned of plan.testFiles) {
    const read = ports.readText(planned.path);
    const parsed = read.ok ? parseTestFile(read.text, planned.file) : undefined;
    if (parsed?.ok !== true) {
      problems.push(`${planned.file} cannot be read; run policy test`);
      continue;
    }
    const { policies, cases } = parsed.testFile;
    const { program, diagnostics } = ports.load(testedNames(policies, planned.path));
    const [error] = errorsIn(diagnostics);
    if (error !== undefined) {
      problems.push(`${error.position.file}:${error.position.line} ${error.message}`);
      continue;
    }
    const engine = createEngine(program);
    if (!engine.hasJudges) continue;
    for (const test of cases) if (test.skip === undefined) yield { test, engine };
  }
}

/** The questions of a case that have no answer yet, each once. */
function openQuestions(
  test: TestCase,
  setting: CaseSetting,
  answer: (question: JudgeQuestion) => JudgeAnswer,
): readonly JudgeQuestion[] {
  const open = new Map<string, JudgeQuestion>();
  const verdict = (question: JudgeQuestion): JudgeAnswer => {
    const given = answer(question);
    if (given.type === 'failed') open.set(`${question.ruleId}\0${questionKey(question).digest}`, question);
    return given;
  };
  answerCase(test, { ...setting, verdict });
  return [...open.values()];
}

/** The first verdicts with which a case passes, trying the most permissive first; undefined if there are none. */
function passingVerdicts(
  test: TestCase,
  setting: CaseSetting,
  open: readonly JudgeQuestion[],
  answer: (question: JudgeQuestion) => JudgeAnswer,
): readonly RecordedVerdict[] | undefined {
  const choices = open.map(({ judge }) => offeredVerdicts(judge));
  const total = choices.reduce((product, names) => product * names.length, 1);
  const keys = open.map((question) => `${question.ruleId}\0${questionKey(question).digest}`);
  for (let nth = 0; nth < Math.min(total, MAX_TRIED); nth++) {
    let rest = nth;
    const names = choices.map((offered) => {
      const name = offered[rest % offered.length] ?? 'deny';
      rest = Math.floor(rest / offered.length);
      return name;
    });
    const verdict = (question: JudgeQuestion): JudgeAnswer => {
      const name = names[keys.indexOf(`${question.ruleId}\0${questionKey(question).digest}`)];
      return name === undefined ? answer(question) : verdictOf(name);
    };
    if (differencesOf(test, answerCase(test, { ...setting, verdict })).length > 0) continue;
    return open.map((question, index) => ({
      ...recordable(verdictOf(names[index] ?? 'deny')),
      by: 'tests',
      about: questionKey(question).values,
    }));
  }
  return undefined;
}

function verdictOf(verdict: JudgeVerdict['verdict']): JudgeVerdict {
  return {
    type: 'verdict',
    verdict,
    confidence: 1,
    reason: 'the tests expect it',
    doubt: null,
    cached: true,
  };
}

function recordable({ verdict, confidence, reason }: JudgeVerdict): Omit<RecordedVerdict, 'by' | 'about'> {
  return { verdict, confidence, reason };
}

function verdictIn(table: VerdictTable, question: JudgeQuestion): RecordedVerdict {
  const found = table[question.ruleId]?.[questionKey(question).digest];
  if (found === undefined) throw new Error(`Cannot find the verdict of "${question.ruleId}"`);
  return found;
}

function placeOf({ position, name }: TestCase): string {
  return `${position.file}:${position.line} "${name}"`;
}
