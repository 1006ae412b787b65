import { decidedAction } from '../language/engine/decided-action.ts';
import { own } from '../lib/json.ts';
import { refuses } from '../model/action.ts';
import type { JudgeAnswer, JudgeQuestion, JudgeSpec } from '../model/judge.ts';
import type { HookIo } from './hook-options.ts';
import { createJudge, type Judge } from './judge/judge.ts';
import { machineJudgePorts } from './judge-ports.ts';

/** The share of the time that judges may take; the rest is for carrying out what they say. */
const JUDGES_SHARE = 0.95;
const RESERVED_MS = 50;

/** Asks the judges of one event in parallel and has all answers when the time is up. Never rejects. */
export type AskJudges = (
  questions: readonly JudgeQuestion[],
  budgetMs: number,
) => Promise<readonly JudgeAnswer[]>;

/** Judges for the hook. */
export function createAskJudges(io: HookIo): AskJudges {
  const judge = createJudge(machineJudgePorts(io.env));
  return (questions, budgetMs) => askAll(judge, questions, budgetMs * JUDGES_SHARE - RESERVED_MS);
}

/** True if what the judge says may have no effect, because the host does not have the action. */
function mayStepBack({ verdicts }: JudgeSpec): boolean {
  return Object.values(verdicts).some(({ params }) => own(params, 'on_unsupported') === 'continue');
}

/** One refusal is enough: it ends the questions that are still open. */
function askAll(
  judge: Judge,
  questions: readonly JudgeQuestion[],
  budgetMs: number,
): Promise<readonly JudgeAnswer[]> {
  const stop = new AbortController();
  return Promise.all(
    questions.map(async (question) => {
      const answer = await judge.ask(question, budgetMs, stop.signal);
      if (refuses(decidedAction(question.judge, answer)) && !mayStepBack(question.judge)) stop.abort();
      return answer;
    }),
  );
}
