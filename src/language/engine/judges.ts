import type { JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Facts } from '../../model/facts.ts';
import {
  type JudgeAnswer,
  type JudgeNote,
  type JudgeQuestion,
  type JudgeSpec,
  NOBODY_ASKED,
} from '../../model/judge.ts';
import type { Hit } from '../../model/outcome.ts';
import { type Program, type Rule, refusesUnjudged } from '../../model/policy.ts';
import { rulesRefuse } from './combine.ts';
import { decidedAction, doubtOf, NO_SUCH_VERDICT } from './decided-action.ts';
import { valuesFor } from './template-values.ts';

/** The answers of judges about one event so far, and the open questions. */
export interface JudgeRounds {
  /** Replaces the judges among the matching policies by their answers. */
  settle(hits: readonly Hit[], facts: Facts): readonly Hit[];
  /** Questions that `settle` had no answer to since this was last asked; undefined if there are none. */
  takeQuestions(): OpenQuestions | undefined;
  notes(): readonly JudgeNote[];
}

/** Questions that wait for answers. */
export interface OpenQuestions {
  readonly questions: readonly JudgeQuestion[];
  /** Takes one answer to each; the last call counts. */
  readonly learn: (answers: readonly JudgeAnswer[]) => void;
}

/** Makes the rounds of one event. The same policy is asked once about the call as it came and once as it was rewritten. */
export function createJudgeRounds(program: Program, original: Facts): JudgeRounds {
  const known = new Map<string, JudgeNote>();
  let open: { readonly key: string; readonly question: JudgeQuestion }[] = [];

  const settleOne = (hit: Hit, facts: Facts): Hit => {
    const { rule } = hit;
    if (!isAsked(hit) || rule.judge === undefined) return hit;
    const key = `${facts === original ? 'original' : 'rewritten'}\0${rule.id}`;
    const answer = known.get(key)?.answer;
    if (answer === undefined) {
      open.push({ key, question: questionOf(rule, facts) });
      return hit;
    }
    return answer.type === 'unasked' ? { rule, how: 'unasked' } : { ...hit, rule: decidedRule(rule, answer) };
  };

  return {
    settle(hits, facts) {
      if (!hits.some(isAsked)) return hits;
      const rules = hits.filter((hit) => counts(hit) && !isAsked(hit)).map(({ rule }) => rule);
      const judges = hits.filter(isAsked).map(({ rule }) => rule);
      if (rulesRefuse(program, facts, rules, judges)) {
        return hits.map((hit) => (isAsked(hit) ? { rule: hit.rule, how: 'unasked' } : hit));
      }
      return hits.map((hit) => settleOne(hit, facts));
    },
    takeQuestions() {
      if (open.length === 0) return undefined;
      const asked = open;
      open = [];
      const before = [...known];
      return {
        questions: asked.map(({ question }) => question),
        learn: (answers) => {
          // These answers may lead elsewhere than the earlier ones.
          known.clear();
          for (const [key, note] of before) known.set(key, note);
          for (const [index, { key, question }] of asked.entries()) {
            known.set(key, { ruleId: question.ruleId, answer: answers[index] ?? NOBODY_ASKED });
          }
        },
      };
    },
    notes: () => [...known.values()],
  };
}

/** A judge in force. One that changed since it was trusted, or is invalid, refuses without being asked. */
function isAsked(hit: Hit): boolean {
  return (
    hit.rule.judge !== undefined && hit.rule.judged === undefined && counts(hit) && !refusesUnjudged(hit.rule)
  );
}

function counts({ how }: Hit): boolean {
  return how === 'matched' || how === 'unknown';
}

function questionOf(rule: Rule, facts: Facts): JudgeQuestion {
  const { judge } = rule;
  if (judge === undefined) throw new Error(`Cannot ask "${rule.id}": it has no judge`);
  const { host, session } = facts.event;
  const canWait = canBeAskedLater(rule, judge);
  return { ruleId: rule.id, judge, host, session, canWait, value: valuesFor(rule, facts) };
}

/** A later event of the call carries the same call but not the same event, and nothing can be rewritten then. */
function canBeAskedLater({ reads }: Rule, { verdicts }: JudgeSpec): boolean {
  return (
    reads?.includes('event') !== true && !Object.values(verdicts).some(({ action }) => action === 'modify')
  );
}

/** Makes a judge's policy a rule like any other, once the judge has answered. */
function decidedRule(rule: Rule, answer: JudgeAnswer): Rule {
  const { judge } = rule;
  if (judge === undefined || answer.type === 'unasked') return rule;
  if (answer.type === 'failed') {
    const reason = `the judge ${judge.name} gave no verdict: ${answer.cause}`;
    return { ...rule, judged: answer, action: judge.onError, params: paramsFor(judge.onError, reason) };
  }
  const effect = judge.verdicts[answer.verdict] ?? NO_SUCH_VERDICT;
  const action = decidedAction(judge, answer);
  if (action === effect.action) {
    return { ...rule, judged: answer, action, params: withReason(action, effect.params) };
  }
  const reason = `the judge ${judge.name} is not sure: ${doubtOf(judge, answer)}`;
  return { ...rule, judged: answer, action, params: paramsFor(action, reason) };
}

/** The parameters of an action that says why. The text is ours, so it holds no template. */
function paramsFor(action: Action, reason: string): JsonObject {
  return action === 'retry_feedback' ? { feedback: reason } : { reason };
}

/** If the author gives no text, the judge's own words are used. */
function withReason(action: Action, params: JsonObject): JsonObject {
  const key = action === 'retry_feedback' ? 'feedback' : 'reason';
  return Object.hasOwn(params, key) ? params : { ...params, [key]: '{{judge.reason}}' };
}
