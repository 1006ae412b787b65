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
  /** The questions without an answer since the last call; undefined if there are none. */
  takeQuestions(): OpenQuestions | undefined;
  notes(): readonly JudgeNote[];
}

/** Questions without answers. */
export interface OpenQuestions {
  readonly questions: readonly JudgeQuestion[];
  /** Takes an answer to each; a later call replaces the answers. */
  readonly learn: (answers: readonly JudgeAnswer[]) => void;
}

/** Makes the rounds of one event. A policy is asked once about the original call and once about the rewritten one. */
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
          // These answers may lead to other questions.
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

/** True for a valid and trusted judge; others refuse without a question. */
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

/** True if a later event of the call may ask: it carries the same call, but not all of the event, and cannot rewrite. */
function canBeAskedLater({ reads }: Rule, { verdicts }: JudgeSpec): boolean {
  return (
    reads?.includes('event') !== true && !Object.values(verdicts).some(({ action }) => action === 'modify')
  );
}

/** The rule of a judge's policy after its answer. */
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

/** The parameters with a reason. It is our text, so it must not be read as a template. */
function paramsFor(action: Action, reason: string): JsonObject {
  return action === 'retry_feedback' ? { feedback: reason } : { reason };
}

/** The parameters with the judge's words, unless the author gives a text. */
function withReason(action: Action, params: JsonObject): JsonObject {
  const key = action === 'retry_feedback' ? 'feedback' : 'reason';
  return Object.hasOwn(params, key) ? params : { ...params, [key]: '{{judge.reason}}' };
}
