import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate, startEvaluation } from '../../src/language/engine/evaluate.ts';
import { ACTIONS, type Action, isStronger, rankOf } from '../../src/model/action.ts';
import type { JudgeAnswer, JudgeQuestion, JudgeSpec, VerdictName } from '../../src/model/judge.ts';
import { isPending, type Outcome, type PendingOutcome } from '../../src/model/outcome.ts';
import type { Rule } from '../../src/model/policy.ts';
import { judgeSpec } from '../judge/questions.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

const EVENT = toolEvent('exec', { command: 'make all' }, { session: 's' });

function judging(judge: Partial<JudgeSpec> = {}, parts: Partial<Rule> = {}): Rule {
  return rule({ id: 'test/judged', action: 'deny', judge: judgeSpec(judge), ...parts });
}

function saying(verdict: VerdictName, parts: Partial<JudgeAnswer> = {}): JudgeAnswer {
  return {
    type: 'verdict',
    verdict,
    confidence: 0.9,
    reason: 'it said so',
    doubt: null,
    cached: false,
    ...parts,
  } as JudgeAnswer;
}

const FAILED: JudgeAnswer = { type: 'failed', failure: 'timeout', cause: 'it did not answer in time' };

function start(rules: readonly Rule[], event = EVENT, memory = testMemory()): Outcome | PendingOutcome {
  return startEvaluation(createEngine(program(rules)), event, { memory });
}

function decided(rules: readonly Rule[], answer: JudgeAnswer | ((question: JudgeQuestion) => JudgeAnswer)) {
  const give = typeof answer === 'function' ? answer : () => answer;
  return evaluate(createEngine(program(rules)), EVENT, { memory: testMemory() }, give).decision;
}

describe('a policy with a judge', () => {
  test('waits for the judge and does what its verdict does', () => {
    const pending = start([judging()]);
    if (!isPending(pending)) throw new Error('it did not wait');
    expect(pending.questions.map(({ ruleId }) => ruleId)).toEqual(['test/judged']);
    expect(pending.questions[0]?.value('arguments.command')).toBe('make all');
    const outcome = pending.conclude([saying('approve')]);
    if (isPending(outcome)) throw new Error('it still waits');
    expect(outcome.decision).toMatchObject({ action: 'approve', policyId: 'test/judged' });
    expect(outcome.judged).toEqual([{ ruleId: 'test/judged', answer: saying('approve') }]);
  });

  test("refuses with the judge's words, unless the policy has its own", () => {
    expect(decided([judging()], saying('deny'))).toMatchObject({
      action: 'deny',
      reason: 'Refused by test/judged: it said so.',
    });
    const own = {
      deny: { action: 'deny', params: { reason: 'not today ({{judge.confidence}})', instead: 'rest' } },
    } as const;
    expect(decided([judging({ verdicts: own })], saying('deny')).reason).toBe(
      'Refused by test/judged: not today (0.9). Instead: rest.',
    );
  });

  test('never expands what the judge says', () => {
    const { reason } = decided(
      [judging()],
      saying('deny', { reason: '{{arguments.command}} {{judge.name}}' }),
    );
    expect(reason).toBe('Refused by test/judged: {{arguments.command}} {{judge.name}}.');
  });

  test('maps verdicts to actions', () => {
    const verdicts: JudgeSpec['verdicts'] = {
      approve: { action: 'continue', params: {} },
      modify: { action: 'modify', params: { rewrite: { set: { command: 'make check' } } } },
      retry_feedback: { action: 'retry_feedback', params: { feedback: 'again: {{judge.reason}}' } },
      ask: { action: 'ask', params: {} },
      deny: { action: 'hard_abort', params: {} },
      abort_turn: { action: 'abort_turn', params: {} },
    };
    const actionOf = (verdict: VerdictName) =>
      decided([judging({ verdicts })], ({ value }) =>
        saying(value('arguments.command') === 'make check' ? 'approve' : verdict),
      );
    expect(actionOf('approve').action).toBe('continue');
    expect(actionOf('ask').action).toBe('ask');
    expect(actionOf('deny').action).toBe('hard_abort');
    expect(actionOf('abort_turn').action).toBe('abort_turn');
    expect(actionOf('retry_feedback')).toMatchObject({
      action: 'retry_feedback',
      feedback: 'again: it said so',
    });
    expect(actionOf('modify')).toMatchObject({
      action: 'modify',
      subject: { arguments: { command: 'make check' } },
    });
  });

  test('does what on_error says when the judge fails, and names the judge and the failure', () => {
    expect(decided([judging()], FAILED)).toMatchObject({
      action: 'deny',
      reason: 'Refused by test/judged: the judge default gave no verdict: it did not answer in time.',
    });
    expect(decided([judging({ onError: 'abort_turn' })], FAILED).action).toBe('abort_turn');
    expect(decided([judging({ onError: 'continue' })], FAILED).action).toBe('continue');
  });

  test('refuses where nobody asks the judge', () => {
    expect(
      evaluate(createEngine(program([judging()])), EVENT, { memory: testMemory() }).decision.action,
    ).toBe('deny');
    const pending = start([judging()]);
    if (!isPending(pending)) throw new Error('it did not wait');
    const outcome = pending.conclude([]);
    expect(isPending(outcome) ? undefined : outcome.decision.action).toBe('deny');
  });

  test('refuses a verdict that it does not know', () => {
    expect(decided([judging()], saying('ask')).action).toBe('deny');
  });

  test('is stronger, never weaker, for a verdict in doubt', () => {
    const judge = { threshold: 0.7 };
    expect(decided([judging(judge)], saying('approve', { confidence: 0.7 })).action).toBe('approve');
    expect(decided([judging(judge)], saying('approve', { confidence: 0.69 }))).toMatchObject({
      action: 'ask',
      reason: 'Approval needed by test/judged: the judge default is not sure: its confidence is too low.',
    });
    expect(decided([judging(judge)], saying('deny', { confidence: 0.1 })).action).toBe('deny');
    expect(decided([judging()], saying('approve', { doubt: 'its answers do not agree' })).action).toBe('ask');
    const careless = { ...judge, onLowConfidence: 'continue' } as const;
    expect(decided([judging(careless)], saying('deny', { confidence: 0.1 })).action).toBe('deny');
  });

  test('is asked when the rule that refuses may step back where the host cannot do its action', () => {
    const params = { on_unsupported: 'continue' };
    expect(isPending(start([rule({ id: 'test/no', action: 'hard_abort', params }), judging()]))).toBe(true);
  });

  test('is not asked when a rule refuses already', () => {
    for (const action of ['deny', 'abort_turn', 'hard_abort'] as const) {
      const outcome = start([rule({ id: 'test/no', action }), judging()]);
      if (isPending(outcome)) throw new Error('it waits');
      expect(outcome.decision).toMatchObject({ action, policyId: 'test/no' });
      expect(outcome.hits.map(({ how }) => how)).toEqual(['matched', 'unasked']);
    }
  });

  test('is asked when rules only ask, send back or approve', () => {
    for (const action of ['ask', 'approve', 'continue'] as const) {
      expect(isPending(start([rule({ id: 'test/other', action }), judging()]))).toBe(true);
    }
  });

  test('is not asked in monitor mode, untrusted, or where it does not match', () => {
    for (const parts of [
      { mode: 'monitor' },
      { trust: 'untrusted' },
      { when: { arguments: { command: '^ls' } } },
    ] as const) {
      const outcome = start([judging({}, parts)]);
      if (isPending(outcome)) throw new Error('it waits');
      expect(outcome.decision.action).toBe('continue');
    }
  });

  test('refuses unasked if it has changed since its project was trusted', () => {
    const outcome = start([judging({}, { trust: 'changed' })]);
    if (isPending(outcome)) throw new Error('it waits');
    expect(outcome.decision.reason).toContain('have changed since they were trusted');
  });

  test('can give the approval that a layer demands, and is asked only if it can', () => {
    const demanding = (judge: Rule) =>
      startEvaluation(
        createEngine(program([judge], { unmatchedDeny: [{ layer: 'user', file: 'user.yaml' }] })),
        EVENT,
        { memory: testMemory() },
      );
    const approving = demanding(judging({}, { layer: 'user' }));
    if (!isPending(approving)) throw new Error('it did not wait');
    const outcome = approving.conclude([saying('approve')]);
    expect(isPending(outcome) ? undefined : outcome.decision.action).toBe('approve');

    expect(isPending(demanding(judging({}, { layer: 'project' })))).toBe(false);
    const silent = { approve: { action: 'continue', params: {} } } as const;
    expect(isPending(demanding(judging({ verdicts: silent }, { layer: 'user' })))).toBe(false);
  });

  test('is asked again about the call that rules make of it', () => {
    const rewriting = rule({
      id: 'test/rewrite',
      action: 'modify',
      params: { rewrite: { set: { command: 'rm x' } } },
    });
    const asked: unknown[] = [];
    const decision = decided([rewriting, judging()], ({ value }) => {
      asked.push(value('arguments.command'));
      return saying(value('arguments.command') === 'rm x' ? 'deny' : 'approve');
    });
    expect(asked).toEqual(['make all', 'rm x']);
    expect(decision).toMatchObject({ action: 'deny', policyId: 'test/judged' });
  });

  test('is asked about the rewritten call in every way that its first answer leads there', () => {
    const rewriting = rule({
      action: 'modify',
      id: 'test/rewriting',
      when: { arguments: { command: 'all' } },
      params: { rewrite: { set: { command: 'make check' } } },
    });
    const approving = rule({ action: 'approve', id: 'test/ok', when: { arguments: { command: 'all' } } });
    const set = program([rewriting, approving, judging()], {
      unmatchedDeny: [{ layer: 'named', file: 'house.yaml' }],
    });
    const first = startEvaluation(createEngine(set), EVENT, { memory: testMemory() });
    if (!isPending(first)) throw new Error('it did not wait');
    // What would come of it if nobody were asked.
    let unasked = first.conclude([{ type: 'unasked' }]);
    while (isPending(unasked)) unasked = unasked.conclude([{ type: 'unasked' }]);
    expect(unasked.decision.action).toBe('deny');
    const second = first.conclude([saying('approve')]);
    if (!isPending(second)) throw new Error('it did not wait for the rewritten call');
    const outcome = second.conclude([saying('approve')]);
    expect(isPending(outcome) ? undefined : outcome.decision.action).toBe('modify');
  });

  test('counts a retry once however often it is combined', () => {
    const memory = testMemory();
    const verdicts: JudgeSpec['verdicts'] = {
      retry_feedback: { action: 'retry_feedback', params: { max_retries: 2, on_exhausted: 'continue' } },
      approve: { action: 'approve', params: {} },
    };
    const engine = createEngine(program([judging({ verdicts })]));
    const actionFor = (verdict: VerdictName) => {
      const pending = startEvaluation(engine, EVENT, { memory });
      if (!isPending(pending)) throw new Error('it did not wait');
      pending.conclude([saying(verdict)]);
      const outcome = pending.conclude([saying(verdict)]);
      return isPending(outcome) ? undefined : outcome.decision.action;
    };
    expect([actionFor('retry_feedback'), actionFor('retry_feedback'), actionFor('retry_feedback')]).toEqual([
      'retry_feedback',
      'retry_feedback',
      'continue',
    ]);
    expect(actionFor('approve')).toBe('approve');
    // An approval is the end of the retries.
    expect(actionFor('retry_feedback')).toBe('retry_feedback');
  });

  test('may wait for approval unless it looks at the event or rewrites', () => {
    const canWait = (judge: Rule) => {
      const pending = start([judge]);
      return isPending(pending) && pending.questions[0]?.canWait;
    };
    expect(canWait(judging({}, { when: { arguments: { command: 'make' } } }))).toBe(true);
    expect(canWait(judging({}, { when: { not: { event: { a: 'b' } } }, reads: ['event'] }))).toBe(false);
    const verdicts = {
      modify: { action: 'modify', params: { rewrite: { set: { command: 'x' } } } },
    } as const;
    expect(canWait(judging({ verdicts }))).toBe(false);
  });

  const actions: fc.Arbitrary<Action> = fc.constantFrom(...ACTIONS.filter((action) => action !== 'respond'));
  const answers: fc.Arbitrary<JudgeAnswer> = fc.oneof(
    fc.constant(FAILED),
    fc
      .record({
        verdict: fc.constantFrom('approve', 'ask', 'deny', 'abort_turn'),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        doubt: fc.option(fc.constant('doubtful')),
      })
      .map(({ verdict, ...parts }) => saying(verdict as VerdictName, parts)),
  );
  const verdictMaps = fc
    .record({ approve: actions, ask: actions, deny: actions, abort_turn: actions })
    .map((map): JudgeSpec['verdicts'] =>
      Object.fromEntries(
        Object.entries(map).map(([name, action]) => [name, { action, params: paramsOf(action) }]),
      ),
    );

  function paramsOf(action: Action): Rule['params'] {
    return action === 'modify' ? { rewrite: { set: { command: 'make check' } } } : {};
  }

  test('never weakens a refusal of the rules', () => {
    fc.assert(
      fc.property(
        fc.array(actions, { maxLength: 4 }),
        verdictMaps,
        answers,
        fc.nat(4),
        (others, verdicts, answer, at) => {
          const rules = others.map((action, index) =>
            rule({
              id: `test/${index}`,
              action,
              params: action === 'retry_feedback' ? { feedback: 'x' } : paramsOf(action),
            }),
          );
          const alone = decided(rules, answer);
          const together = decided(rules.toSpliced(at, 0, judging({ verdicts })), answer);
          if (rankOf(alone.action) <= rankOf('deny')) expect(together.action).toBe(alone.action);
          expect(isStronger(alone.action, together.action) && alone.action !== 'modify').toBe(false);
        },
      ),
    );
  });
});
