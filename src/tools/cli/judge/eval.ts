import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { askJudge } from '../../../hook/judge/judge.ts';
import type { JudgePorts } from '../../../hook/judge/judge-ports.ts';
import { machineJudgePorts } from '../../../hook/machine-judge-ports.ts';
import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { parseJson } from '../../../lib/json.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import type { Program, Rule } from '../../../model/policy.ts';
import { isNamed } from '../../../model/rule-id.ts';
import { judgeEvalJson, judgeEvalText } from '../../report/test/judge-eval.ts';
import { type EvalResult, type EvalRun, hasFailed } from '../../suite/judge-eval/eval-result.ts';
import { evaluateCall, type MeteredJudge } from '../../suite/judge-eval/evaluate-call.ts';
import {
  type LabelledCall,
  readLabelledLines,
  readLabelledTests,
} from '../../suite/judge-eval/labelled-calls.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { numberOption } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { paintFor, printJson } from '../print.ts';
import { readNamed } from '../read-input.ts';
import { isTestName } from '../test/find-suites.ts';
import { createProgress, type Progress } from '../test/progress.ts';
import { writing } from '../write-text.ts';

const DEFAULT_JOBS = 4;
const MAX_JOBS = 64;

const MAX_CALLS_BYTES = 64 * 1024 * 1024;

/** `policy judge eval FILE`. */
export async function evaluateJudges(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const [file, ...others] = operands;
  if (file === undefined || others.length > 0) {
    throw new UsageError('Cannot tell which calls to judge: write eval FILE, with JSON lines or a test file');
  }
  const price = priceOf(optionValue(args, 'price'));
  const jobs = numberOption(args, 'jobs', { from: 1, to: MAX_JOBS }) ?? DEFAULT_JOBS;
  const calls = labelledCalls(file, io);
  const program = judgeProgram(args, io);
  const kept = keptResults(optionValue(args, 'results'), io.cwd);
  const progress = createProgress(io.stderr);
  const runs: EvalRun[] = [];
  const models = modelsOf(args);
  for (const [index, model] of models.entries()) {
    const asked = withModel(program, model, args.switches.has('fresh'));
    const results = await judgeAll({
      calls,
      engine: createEngine(asked),
      env: io.env,
      jobs,
      kept,
      progress,
      from: index / models.length,
      share: 1 / models.length,
    });
    runs.push({ model: modelName(asked), results, price });
  }
  progress.clear();
  if (args.switches.has('json')) printJson(io.stdout, judgeEvalJson(runs));
  else io.stdout.write(judgeEvalText(runs, paintFor(io.stdout, io.env)));
  const isComplete = !runs.some(({ results }) => results.some(hasFailed));
  return isComplete ? EXIT_CODE.ok : EXIT_CODE.findings;
}

function labelledCalls(file: string, io: Io): readonly LabelledCall[] {
  const text = readNamed(file, 'calls', MAX_CALLS_BYTES, io).toString('utf8');
  const read = isTestName(file) ? readLabelledTests(text, file) : readLabelledLines(text);
  if (!read.ok) throw new UsageError(`Cannot use the calls in "${file}": ${read.problem}`);
  if (read.calls.length === 0) throw new UsageError(`Cannot use "${file}": it has no labelled calls`);
  return read.calls;
}

/** The policies with judges, and nothing else: rules would answer in their place. */
function judgeProgram(args: Arguments, io: Io): Program {
  const { program, diagnostics } = compileFor(io, optionValues(args, 'policies'));
  const [error] = errorsIn(diagnostics);
  if (error !== undefined) {
    const { file, line } = error.position;
    throw new UsageError(`Cannot load the policies: ${file}:${line} ${error.message}; run policy check`);
  }
  const wanted = optionValue(args, 'policy');
  const isWanted = ({ id }: Rule) => wanted === undefined || isNamed(id, wanted);
  const rules = program.rules
    .filter((rule) => rule.judge !== undefined && isWanted(rule))
    .map((rule): Rule => ({ ...rule, mode: 'enforce', trust: 'active' }));
  if (rules.length === 0) {
    const which = wanted === undefined ? 'no policy has a judge' : `no policy "${wanted}" has a judge`;
    throw new UsageError(`Cannot judge the calls: ${which}; name policies with --policies`);
  }
  return { ...program, rules, unmatchedDeny: [] };
}

function modelsOf(args: Arguments): readonly (string | undefined)[] {
  const compared = optionValues(args, 'compare');
  const model = optionValue(args, 'model');
  if (compared.length > 0 && model !== undefined) throw new UsageError('Cannot use --model with --compare');
  return compared.length > 0 ? compared : [model];
}

function withModel(program: Program, model: string | undefined, fresh: boolean): Program {
  const rules = program.rules.map((rule): Rule => {
    if (rule.judge === undefined) return rule;
    const judge = { ...rule.judge, model: model ?? rule.judge.model };
    return { ...rule, judge: fresh ? { ...judge, cache: null } : judge };
  });
  return { ...program, rules };
}

function modelName({ rules }: Program): string {
  return [...new Set(rules.map(({ judge }) => judge?.model ?? 'no model'))].join(', ');
}

function priceOf(text: string | undefined): EvalRun['price'] {
  if (text === undefined) return undefined;
  const [input, output, ...others] = text.split(',').map(Number);
  if (input === undefined || output === undefined || others.length > 0 || !(input >= 0) || !(output >= 0)) {
    throw new UsageError(`Cannot use --price "${text}": write two numbers, such as 0.15,0.60`);
  }
  return { input, output };
}

interface Judging {
  readonly calls: readonly LabelledCall[];
  readonly engine: Engine;
  readonly env: Io['env'];
  readonly jobs: number;
  readonly kept: EvalResults;
  readonly progress: Progress;
  /** The start of the bar, from 0 to 1, and the share of these calls in it. */
  readonly from: number;
  readonly share: number;
}

/** All results in the order of the calls, some at a time. */
async function judgeAll(judging: Judging): Promise<readonly EvalResult[]> {
  const { calls, engine, env, jobs, kept, progress, from, share } = judging;
  const ports = machineJudgePorts(env);
  const what = JSON.stringify(engine.program.rules.map(({ when, judge }) => [when, judge]));
  const results: EvalResult[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < calls.length; index = next++) {
      const labelled = calls[index];
      if (labelled === undefined) continue;
      const key = sha256Hex([what, JSON.stringify(labelled)]);
      const before = kept.find(key);
      const result =
        before ?? (await evaluateCall(labelled, engine, meteredJudge(ports), () => performance.now()));
      if (before === undefined && !hasFailed(result)) {
        kept.add(key, result);
      }
      results[index] = result;
      progress.show(from + (++done / calls.length) * share, done, 'calls');
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, calls.length) }, work));
  return results;
}

function meteredJudge(ports: JudgePorts): MeteredJudge {
  let requests = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  const metered: JudgePorts = {
    ...ports,
    askModel: async (request, signal) => {
      requests += 1;
      const reply = await ports.askModel(request, signal);
      inputTokens += reply.inputTokens;
      outputTokens += reply.outputTokens;
      return reply;
    },
  };
  const never = new AbortController().signal;
  return {
    ask: (questions) =>
      Promise.all(questions.map((question) => askJudge(question, question.judge.timeoutMs, never, metered))),
    spent: () => ({ requests, inputTokens, outputTokens }),
  };
}

/** The bound of a file of results. */
const MAX_RESULTS_BYTES = 256 * 1024 * 1024;

interface EvalResults {
  readonly find: (key: string) => EvalResult | undefined;
  readonly add: (key: string, result: EvalResult) => void;
}

/** The results in a file, to which further ones are added at once; without a file nothing is kept. */
function keptResults(file: string | undefined, cwd: string): EvalResults {
  if (file === undefined) return { find: () => undefined, add: () => {} };
  const path = resolve(cwd, file);
  const known = new Map<string, EvalResult>();
  for (const line of existsSync(path)
    ? readNamed(path, 'results', MAX_RESULTS_BYTES, { cwd }).toString('utf8').split('\n')
    : []) {
    const entry = parseKept(line);
    if (entry !== undefined) known.set(entry.key, entry.result);
  }
  return {
    find: (key) => known.get(key),
    add: (key, result) => {
      writing(file, () => appendFileSync(path, `${JSON.stringify({ key, result })}\n`));
    },
  };
}

/** The last line may be cut off where a run was ended. */
function parseKept(line: string): { readonly key: string; readonly result: EvalResult } | undefined {
  const entry = parseJson(line) as { key?: unknown; result?: EvalResult } | undefined;
  return typeof entry?.key === 'string' && entry.result !== undefined
    ? { key: entry.key, result: entry.result }
    : undefined;
}
