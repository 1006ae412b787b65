import { createProcessMemory } from '../../../hook/state/process-memory.ts';
import { surroundingsOf } from '../../../language/calls/answer-call.ts';
import { bareEvent } from '../../../language/calls/bare-event.ts';
import type { Engine } from '../../../language/engine/engine.ts';
import { startEvaluation } from '../../../language/engine/evaluate.ts';
import type { JudgeAnswer, JudgeQuestion } from '../../../model/judge.ts';
import { isPending } from '../../../model/outcome.ts';
import type { EvalResult } from './eval-result.ts';
import type { LabelledCall } from './labelled-calls.ts';

/** The requests and tokens that were used so far. */
export interface SpentBudget {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How judges are asked, with a meter that counts requests and tokens. */
export interface MeteredJudge {
  readonly ask: (questions: readonly JudgeQuestion[]) => Promise<readonly JudgeAnswer[]>;
  readonly spent: () => SpentBudget;
}

/**
 * Judges one labelled call by the judges of a program.
 *
 * @param judge of this call alone
 */
export async function evaluateCall(
  labelled: LabelledCall,
  engine: Engine,
  judge: MeteredJudge,
  nowMs: () => number,
): Promise<EvalResult> {
  const startMs = nowMs();
  const options = { memory: createProcessMemory(), surroundings: surroundingsOf };
  let outcome = startEvaluation(engine, bareEvent(labelled.call), options);
  const asked = isPending(outcome);
  while (isPending(outcome)) outcome = outcome.conclude(await judge.ask(outcome.questions));
  return {
    labelled,
    asked,
    action: outcome.decision.action,
    answers: outcome.judged ?? [],
    tookMs: nowMs() - startMs,
    ...judge.spent(),
  };
}
