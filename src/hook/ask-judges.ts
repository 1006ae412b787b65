import { decidedAction } from '../language/engine/decided-action.ts';
import { own } from '../lib/json.ts';
import { refuses } from '../model/action.ts';
import type { JudgeAnswer, JudgeQuestion, JudgeSpec } from '../model/judge.ts';
import type { HookIo } from './hook-options.ts';
import { askJudge } from './judge/judge.ts';
import type { JudgePorts } from './judge/judge-ports.ts';
import { machineJudgePorts } from './machine-judge-ports.ts';

/** The share of the time that judges may take; the rest is for carrying out their verdicts. */
const JUDGES_SHARE = 0.95;
const RESERVED_MS = 50;

/** Asks the judges of one event in parallel and has all answers when the time is up. Never rejects. */
export type AskJudges = (
  questions: readonly JudgeQuestion[],
  budgetMs: number,
) => Promise<readonly JudgeAnswer[]>;

export function createAskJudges(io: HookIo): AskJudges {
  const ports = machineJudgePorts(io.env);
  return (questions, budgetMs) => askAll(ports, questions, budgetMs * JUDGES_SHARE - RESERVED_MS);
}

/** True if the judge's verdict may have no effect, because the host does not have the action. */
function mayStepBack({ verdicts }: JudgeSpec): boolean {
  return Object.values(verdicts).some(({ params }) => own(params, 'on_unsupported') === 'continue');
}

/** One refusal is enough: it ends the questions that are still open. */
function askAll(
  ports: JudgePorts,
  questions: readonly JudgeQuestion[],
  budgetMs: number,
): Promise<readonly JudgeAnswer[]> {
  const stop = new AbortController();
  return Promise.all(
    questions.map(async (question) => {
      const answer = await askJudge(question, budgetMs, stop.signal, ports);
      if (refuses(decidedAction(question.judge, answer)) && !mayStepBack(question.judge)) stop.abort();
      return answer;
    }),
  );
}
