import type { Facts } from '../../model/facts.ts';
import type { Outcome, PendingOutcome } from '../../model/outcome.ts';
import type { Program, Rule } from '../../model/policy.ts';
import { type CombinePorts, combine } from './combine.ts';
import { createJudgeRounds, type JudgeRounds } from './judges.ts';
import { mayRetry } from './retries.ts';

/** Combines as often as judges raise questions, each time with all that is known. */
export function decideWithJudges(
  program: Program,
  facts: Facts,
  matched: Pick<Outcome, 'hits' | 'skipped' | 'trace' | 'times'>,
  ports: CombinePorts,
  resetRetry: (rule: Rule) => void,
): Outcome | PendingOutcome {
  const rounds = createJudgeRounds(program, facts);
  const steady: CombinePorts = {
    judgeAgain: (rewritten) => {
      const again = ports.judgeAgain(rewritten);
      return { facts: again.facts, hits: rounds.settle(again.hits, again.facts) };
    },
    retryLeft: once(ports.retryLeft),
  };
  const proceed = (): Outcome | PendingOutcome => {
    const hits = rounds.settle(matched.hits, facts);
    const pending = ask(rounds, proceed);
    if (pending !== undefined) return pending;
    const decision = combine(program, facts, hits, steady);
    const further = ask(rounds, proceed);
    if (further !== undefined) return further;
    for (const { rule } of hits) if (isContent(rule)) resetRetry(rule);
    return { ...matched, decision, hits, judged: rounds.notes() };
  };
  return proceed();
}

/** True if a judge that may send the model back to work had no reason to. */
function isContent(rule: Rule): boolean {
  return rule.judged?.type === 'verdict' && rule.action !== 'retry_feedback' && mayRetry(rule);
}

function ask(rounds: JudgeRounds, proceed: () => Outcome | PendingOutcome): PendingOutcome | undefined {
  const open = rounds.takeQuestions();
  if (open === undefined) return undefined;
  return {
    questions: open.questions,
    conclude: (answers) => {
      open.learn(answers);
      return proceed();
    },
  };
}

/** Combining again must not count a retry again. */
function once(retryLeft: CombinePorts['retryLeft']): CombinePorts['retryLeft'] {
  const known = new Map<string, boolean>();
  return (rule, maxRetries) => {
    const left = known.get(rule.id) ?? retryLeft(rule, maxRetries);
    known.set(rule.id, left);
    return left;
  };
}
