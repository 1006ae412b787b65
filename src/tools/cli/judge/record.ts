import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askJudge } from '../../../hook/judge/judge.ts';
import { machineJudgePorts } from '../../../hook/machine-judge-ports.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import type { JudgeSpec } from '../../../model/judge.ts';
import { countOf, grouped } from '../../report/layout/quantity.ts';
import { questionKey } from '../../suite/cases/question-key.ts';
import {
  readVerdicts,
  VERDICTS_FILE,
  type VerdictTable,
  verdictsText,
} from '../../suite/cases/recorded-verdicts.ts';
import { type AskToRecord, recordVerdicts as recordSuite } from '../../suite/record/record-verdicts.ts';
import type { SuitePorts } from '../../suite/run-suite.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import { type Arguments, optionValue } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { findSuites } from '../test/find-suites.ts';
import { createProgress, type Progress } from '../test/progress.ts';
import { suitePorts } from '../test/suite-ports.ts';

/** `policy judge record [PATH]...`. */
export async function recordVerdicts(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const ports = portsWith(optionValue(args, 'judges'), io);
  const progress = createProgress(io.stderr);
  const ask = args.switches.has('from-tests') ? undefined : asker(optionValue(args, 'model'), progress, io);
  let failed = false;
  let found = false;
  for (const plan of wholeSuites(operands, io)) {
    const path = join(plan.folder, VERDICTS_FILE);
    const before = verdictsIn(path);
    const recorded = await recordSuite(plan, ports, { before, again: args.switches.has('again'), ask });
    progress.clear();
    const { table, added, kept, dropped, problems } = recorded;
    for (const problem of problems) io.stderr.write(`policy judge: Cannot record a verdict: ${problem}\n`);
    failed ||= problems.length > 0;
    if (added + kept + dropped === 0) continue;
    found = true;
    writeFileSync(path, verdictsText(table));
    io.stdout.write(
      `${plan.name}  ${countOf(added, 'verdict')} recorded, ${grouped(kept)} kept, ${grouped(dropped)} dropped\n`,
    );
  }
  if (!found && !failed) io.stderr.write('policy judge: no test asks a judge\n');
  return failed ? EXIT_CODE.findings : EXIT_CODE.ok;
}

/** Verdicts belong to a folder, so all of its tests are looked at. */
function wholeSuites(operands: readonly string[], { cwd }: Io): readonly SuitePlan[] {
  const named = findSuites(operands, cwd);
  const whole = new Map(
    named.flatMap(({ folder }) => findSuites([folder], cwd)).map((plan) => [plan.folder, plan]),
  );
  return named.map((plan) => whole.get(plan.folder) ?? plan).filter(({ testFiles }) => testFiles.length > 0);
}

function verdictsIn(path: string): VerdictTable {
  const read = readPolicyFile(path, undefined);
  if (!read.ok) return {};
  const table = readVerdicts(read.text);
  if (typeof table !== 'string') return table;
  throw new UsageError(`Cannot use "${path}": ${table}; delete it to record anew`);
}

/** Asks the judges of the policies, which the file with judges has set up. */
function asker(model: string | undefined, progress: Progress, io: Io): AskToRecord {
  const ports = machineJudgePorts(io.env);
  const never = new AbortController().signal;
  let asked = 0;
  return async (question) => {
    const spec: JudgeSpec = { ...question.judge, model: model ?? question.judge.model, cache: null };
    const answer = await askJudge({ ...question, judge: spec }, spec.timeoutMs, never, ports);
    progress.show(0, ++asked, 'questions');
    if (answer.type === 'unasked') return 'it was not asked';
    if (answer.type === 'failed') return answer.cause;
    const { verdict, confidence, reason } = answer;
    return { verdict, confidence, reason, by: spec.model ?? '', about: questionKey(question).values };
  };
}

/** The policies of tests together with a file that says where judges are. */
function portsWith(judges: string | undefined, io: Io): SuitePorts {
  const ports = suitePorts(io);
  if (judges === undefined) return ports;
  const file = resolve(io.cwd, judges);
  return { ...ports, load: (names) => ports.load([...names, file]) };
}
