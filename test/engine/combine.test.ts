import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Support } from '../../src/hosts/host.ts';
import { degrade } from '../../src/language/engine/degrade.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { whenLiterals } from '../../src/language/keys/when.ts';
import type { Json } from '../../src/lib/json.ts';
import { ACTIONS, type Action, isStronger, rankOf } from '../../src/model/action.ts';
import type { Event } from '../../src/model/event.ts';
import type { Program, Rule } from '../../src/model/policy.ts';
import { BROKEN_MEMORY, program, rule, testMemory, toolEvent } from '../support/builders.ts';

const NO_SUPPORT: Support = { actions: [], rewrites: ['set'], beside: [], context: [], model: 'never' };
const WORDS = ['git push', 'git status', 'rm -rf x', 'npm test', 'curl http://a'] as const;

const commands = fc.constantFrom(...WORDS);
const whens = fc.oneof(
  fc.constant({}),
  fc.constantFrom('shell', 'read').map((tool) => ({ tool })),
  fc
    .constantFrom('git\\s+push', 'rm', 'curl|npm', '(?i)GIT', '^npm')
    .map((command) => ({ arguments: { command } })),
  fc.constant({ model_prefix: 'weak-' }),
  fc.constantFrom('git', 'status').map((contains) => ({ not: { arguments: { command: { contains } } } })),
  fc.constant({ any: [{ arguments: { command: 'push' } }, { arguments: { command: 'test' } }] }),
);

function paramsOf(action: Action, value: string): Rule['params'] {
  switch (action) {
    case 'modify':
      return { rewrite: { set: { command: value } } };
    case 'respond':
      return { result: 'canned' };
    case 'retry_feedback':
      return { feedback: 'again' };
    default:
      return {};
  }
}

/** A policy that puts a command in the place of those that match. */
function rewriting(id: string, from: string, to: string): Rule {
  const params = { rewrite: { set: { command: to } } };
  return rule({ action: 'modify', id: `test/${id}`, when: { arguments: { command: from } }, params });
}

const rules: fc.Arbitrary<Rule> = fc
  .record({
    action: fc.constantFrom(...ACTIONS),
    when: whens,
    value: commands,
    mode: fc.constantFrom('enforce', 'enforce', 'enforce', 'monitor'),
    trust: fc.constantFrom('active', 'active', 'active', 'untrusted'),
    priority: fc.integer({ min: -2, max: 2 }),
    layer: fc.constantFrom('organisation', 'user', 'project'),
    serial: fc.nat(),
  })
  .map(({ action, when, value, serial, ...rest }) => ({
    ...rule({ action }),
    ...(rest as Partial<Rule>),
    id: `test/${action}-${serial}`,
    when,
    literals: whenLiterals(when, MATCHER_TABLE) ?? null,
    params: paramsOf(action, value),
  }));

const events: fc.Arbitrary<Event> = fc
  .record({
    command: fc.option(commands, { nil: undefined }),
    classes: fc.constantFrom(['shell'] as const, ['read'] as const),
    model: fc.constantFrom('weak-1', 'strong-1', undefined),
  })
  .map(({ command, classes, model }) =>
    toolEvent('tool', command === undefined ? undefined : { command }, {
      classes,
      session: 's',
      ...(model === undefined ? {} : { model }),
    }),
  );

function judge(set: Program, event: Event) {
  return evaluate(createEngine(set), event, { memory: testMemory() }).decision;
}

describe('combine', () => {
  test('a further deny never makes anything more permissive', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), rules, fc.nat(6), events, (others, extra, at, event) => {
        const denial: Rule = { ...extra, action: 'deny', params: {} };
        const before = judge(program(others), event);
        const after = judge(program([...others.slice(0, at), denial, ...others.slice(at)]), event);
        expect(rankOf(after.action)).toBeLessThanOrEqual(rankOf(before.action));
      }),
    );
  });

  test('a further refusal never makes anything more permissive, whatever the host can do', () => {
    const refusals = fc.constantFrom<Action>('hard_abort', 'abort_turn', 'deny');
    const optional = fc.constantFrom({}, { on_unsupported: 'continue' });
    const supports = fc
      .tuple(fc.subarray([...ACTIONS]), refusals)
      .map(([some, refusal]): Support => ({ ...NO_SUPPORT, actions: [...some, refusal] }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(rules, optional), { maxLength: 6 }),
        fc.tuple(rules, refusals, optional),
        events,
        supports,
        fc.boolean(),
        (others, [extra, action, params], event, support, interactive) => {
          const set = others.map(([each, more]): Rule => ({ ...each, params: { ...each.params, ...more } }));
          // What stops the call is as good as what ends the run.
          const laxity = (all: readonly Rule[]) => {
            const { action: done } = degrade(judge(program(all), event), event, support, { interactive });
            return Math.max(rankOf(done), rankOf('deny'));
          };
          const refusing: Rule = { ...extra, id: 'test/extra', action, params };
          expect(laxity([refusing, ...set])).toBeLessThanOrEqual(laxity(set));
        },
      ),
      { numRuns: 250 },
    );
  });

  test('a policy that steps back where the host cannot do its action leaves the others in force', () => {
    const optional = { on_unsupported: 'continue', message: 'told', add_context: 'read' };
    const set = program([
      rule({ action: 'hard_abort', id: 'test/abort', params: optional }),
      rule({ action: 'ask', id: 'test/ask', params: optional }),
      rule({ action: 'deny', id: 'test/deny', params: { reason: 'never' } }),
    ]);
    const call = toolEvent('tool', {});
    const fitted = (actions: Support['actions'], beside: Support['beside'] = ['message', 'add_context']) =>
      degrade(judge(set, call), call, { ...NO_SUPPORT, actions, beside }, { interactive: false });
    expect(fitted(['hard_abort', 'deny']).policyId).toBe('test/abort');
    expect(fitted(['hard_abort', 'deny']).messages).toEqual(['told', 'told']);
    expect(fitted(['deny'])).toMatchObject({ action: 'deny', policyId: 'test/deny', messages: ['told'] });
  });

  test('no approve undoes a refusal', () => {
    let stronger = 0;
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), rules, events, (others, extra, event) => {
        const approval: Rule = { ...extra, action: 'approve', params: {} };
        const before = judge(program(others), event);
        const after = judge(program([approval, ...others]), event);
        if (!isStronger(before.action, 'approve')) return;
        stronger += 1;
        expect(after.action).toBe(before.action);
      }),
      { numRuns: 250 },
    );
    expect(stronger).toBeGreaterThan(20);
  });

  test('the strongest action wins whatever the order of the policies', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), events, (set, event) => {
        const strong = set.filter(({ action }) => isStronger(action, 'modify'));
        expect(judge(program([...strong].reverse()), event).action).toBe(
          judge(program(strong), event).action,
        );
      }),
    );
  });

  test('monitored and untrusted policies have no effect', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), events, (set, event) => {
        const inForce = set.filter(({ mode, trust }) => mode === 'enforce' && trust === 'active');
        expect(judge(program(set), event)).toEqual(judge(program(inForce), event));
      }),
    );
  });

  test('the rule index leaves out only policies that cannot match', () => {
    fc.assert(
      fc.property(
        fc.array(rules, { maxLength: 8 }),
        fc.array(events, { minLength: 1, maxLength: 40 }),
        (set, calls) => {
          const engine = createEngine(program(set));
          for (const event of calls) {
            const indexed = evaluate(engine, event, { memory: testMemory() });
            const traced = evaluate(engine, event, { memory: testMemory(), trace: { nowUs: () => 0 } });
            expect(indexed.decision).toEqual(traced.decision);
            expect(indexed.hits).toEqual(traced.hits);
            expect(indexed.skipped).toEqual(traced.skipped);
          }
        },
      ),
    );
  });

  test('the rule index finds what a regex finds in values that are no strings', () => {
    const wanted: readonly (readonly [Json, string])[] = [
      [null, '^null$'],
      [true, '^true$'],
      [1234, '^1234$'],
      [JSON.parse('1e999'), '^Infinity$'],
      [['x', 'needle'], '^needle$'],
    ];
    for (const [value, regex] of wanted) {
      const when = { arguments: { command: regex } };
      const denial = rule({ action: 'deny', when, literals: whenLiterals(when, MATCHER_TABLE) ?? null });
      expect([value, judge(program([denial]), toolEvent('tool', { command: value })).action]).toEqual([
        value,
        'deny',
      ]);
    }
  });

  test('a rewrite never turns a call into one that is denied', () => {
    let rewritten = 0;
    const some = fc.tuple(commands, commands).map(([from, to]) => rewriting(`from ${from}`, from, to));
    const sets = fc
      .tuple(fc.array(some, { minLength: 1, maxLength: 4 }), fc.array(rules, { maxLength: 2 }))
      .map((parts) => parts.flat());
    fc.assert(
      fc.property(sets, events, (set, event) => {
        const decision = judge(program(set), event);
        if (decision.action !== 'modify' || decision.subject === undefined) return;
        rewritten++;
        const again = judge(program(set), event.with(decision.subject));
        expect(['modify', 'approve', 'continue']).toContain(again.action);
      }),
      { numRuns: 250 },
    );
    expect(rewritten).toBeGreaterThan(20);
  });

  test('a state that cannot be read never makes a decision more permissive', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), events, (set, event) => {
        const engine = createEngine(program(set));
        const broken = evaluate(engine, event, { memory: BROKEN_MEMORY }).decision;
        const working = evaluate(engine, event, { memory: testMemory() }).decision;
        expect(rankOf(broken.action)).toBeLessThanOrEqual(rankOf(working.action));
      }),
    );
  });

  test('a built-in refusal has the reason of the most specific layer beside it', () => {
    const deny = (id: string, layer: Rule['layer'], reason: string, action: Action = 'deny') =>
      rule({ id, action, layer, params: { reason } });
    const base = deny('base/push', 'builtin', 'history is lost');
    const reasonOf = (...set: Rule[]) => judge(program(set), toolEvent('tool', { command: 'ls' })).reason;
    const own = deny('team/push', 'project', 'open a pull request');
    expect(reasonOf(base, deny('mine/push', 'user', 'not now'), own)).toBe(
      'Refused by base/push: history is lost. Refused by team/push: open a pull request.',
    );
    expect(judge(program([base, own]), toolEvent('tool', { command: 'ls' })).policyId).toBe('base/push');
    const alone = 'Refused by base/push: history is lost.';
    expect(reasonOf(base, deny('base/other', 'builtin', 'no'))).toBe(alone);
    expect(reasonOf(base, deny('team/ask', 'project', 'sure?', 'ask'))).toBe(alone);
    expect(reasonOf(base, deny('team/long', 'project', 'x'.repeat(5_000)))).toBe(alone);
  });

  test('unmatched: deny is satisfied only by an approval of that layer or above', () => {
    const call = toolEvent('tool', { command: 'ls' });
    const approvedBy = (layer: Rule['layer']) =>
      judge(
        program([rule({ action: 'approve', layer })], { unmatchedDeny: [{ layer: 'user', file: 'strict' }] }),
        call,
      );
    expect(judge(program([], { unmatchedDeny: [{ layer: 'user', file: 'strict' }] }), call).action).toBe(
      'deny',
    );
    expect(approvedBy('project').action).toBe('deny');
    expect(approvedBy('user').action).toBe('approve');
    expect(approvedBy('organisation').action).toBe('approve');
  });

  test('unmatched: deny does not step back with a denial that does', () => {
    const denial = rule({ action: 'deny', params: { on_unsupported: 'continue' } });
    const strict = { unmatchedDeny: [{ layer: 'named', file: 'strict' }] } as const;
    const call = toolEvent('tool', {});
    const support = { ...NO_SUPPORT, actions: ['hard_abort'] } as const;
    const answered = (set: Program) =>
      degrade(judge(set, call), call, support, { interactive: false }).action;
    expect(answered(program([denial], strict))).toBe('hard_abort');
    expect(answered(program([denial]))).toBe('continue');
  });

  test('a monitored approval does not satisfy unmatched: deny', () => {
    const set = program([rule({ action: 'approve', mode: 'monitor' })], {
      unmatchedDeny: [{ layer: 'named', file: 'strict' }],
    });
    expect(judge(set, toolEvent('tool', {})).action).toBe('deny');
  });

  test('unmatched: deny holds for the call as it was rewritten', () => {
    const rewrite = rewriting('rewrite', '^git', 'rm -rf x');
    const approving = (command: string) =>
      rule({ action: 'approve', id: `test/${command}`, when: { arguments: { command } } });
    const strict = { unmatchedDeny: [{ layer: 'named', file: 'strict' }] } as const;
    const call = toolEvent('tool', { command: 'git status' });
    const decision = judge(program([rewrite, approving('git')], strict), call);
    expect(decision.action).toBe('deny');
    expect(decision.reason).toContain('test/rewrite');
    expect(decision.reason).toContain('strict');
    expect(judge(program([rewrite, approving('git'), approving('rm')], strict), call).action).toBe('modify');
  });

  test('a changed policy of a trusted project refuses the call as it was rewritten', () => {
    const set = program([
      rewriting('rewrite', 'git', 'rm -rf x'),
      rule({ action: 'approve', id: 'project/rm', when: { arguments: { command: 'rm' } }, trust: 'changed' }),
    ]);
    const decision = judge(set, toolEvent('tool', { command: 'git status' }));
    expect(decision).toMatchObject({ action: 'deny', policyId: 'project/rm' });
  });

  test('a changed policy of a trusted project refuses what it matches, by name', () => {
    const set = program([rule({ action: 'approve', id: 'project/ok', trust: 'changed' })]);
    const decision = judge(set, toolEvent('tool', {}));
    expect(decision.action).toBe('deny');
    expect(decision.reason).toContain('project/ok');
  });

  test.each(['abort_turn', 'hard_abort'] as const)(
    'a changed policy of a trusted project makes nothing less of %s',
    (action) => {
      const set = program([
        rule({ action, id: 'user/stop' }),
        rule({ action: 'approve', id: 'project/ok', trust: 'changed' }),
      ]);
      expect(judge(set, toolEvent('tool', {}))).toMatchObject({ action, policyId: 'user/stop' });
    },
  );

  test('a call that would be rewritten again to something else is denied with the names', () => {
    const set = program([rewriting('npm', '^npm', 'pnpm test'), rewriting('pnpm', '^pnpm', 'npm test')]);
    const decision = judge(set, toolEvent('tool', { command: 'npm test' }));
    expect(decision.action).toBe('deny');
    expect(decision.reason).toContain('test/npm');
    expect(decision.reason).toContain('test/pnpm');
  });

  test('a rewritten call that is denied is denied with both names', () => {
    const set = program([
      rewriting('rewrite', '^ls', 'git push -f'),
      rule({ action: 'deny', id: 'test/no-push', when: { arguments: { command: 'git push' } }, params: {} }),
    ]);
    const decision = judge(set, toolEvent('tool', { command: 'ls' }));
    expect(decision.action).toBe('deny');
    expect(decision.reason).toContain('test/rewrite');
    expect(decision.reason).toContain('test/no-push');
  });

  test('a rewritten call that would end the run is denied, as it would be by any further denial', () => {
    const set = [
      rule({ action: 'modify', id: 'test/rewrite', params: { rewrite: { set: { command: 'curl x' } } } }),
      rule({ action: 'hard_abort', id: 'test/abort', when: { arguments: { command: 'curl' } } }),
    ];
    expect(judge(program(set), toolEvent('tool', { command: 'ls' })).action).toBe('deny');
    expect(judge(program(set), toolEvent('tool', { command: 'curl y' })).action).toBe('hard_abort');
  });

  test('the reason comes from the highest priority, the action from the strongest', () => {
    const set = program([
      rule({ action: 'deny', id: 'test/low', params: { reason: 'low' } }),
      rule({ action: 'deny', id: 'test/high', priority: 5, params: { reason: 'high' } }),
      rule({ action: 'approve', id: 'test/yes', priority: 9 }),
    ]);
    expect(judge(set, toolEvent('tool', {})).policyId).toBe('test/high');
  });
});

describe('retry_feedback', () => {
  const actionsOn = (calls: readonly Event[], more: Rule['params'] = {}, memory = testMemory()) => {
    const params = { feedback: 'do better', max_retries: 2, ...more };
    const when = { arguments: { command: 'bad' } };
    const engine = createEngine(program([rule({ action: 'retry_feedback', when, params })]));
    return calls.map((call) => evaluate(engine, call, { memory }).decision.action);
  };
  const bad = toolEvent('tool', { command: 'bad' }, { session: 's' });
  const good = toolEvent('tool', { command: 'good' }, { session: 's' });

  test('is sent max_retries times and then denies', () => {
    expect(actionsOn([bad, bad, bad])).toEqual(['retry_feedback', 'retry_feedback', 'deny']);
  });

  test('takes on_exhausted when it is given', () => {
    expect(actionsOn([bad, bad, bad], { on_exhausted: 'continue' })[2]).toBe('continue');
  });

  test('starts anew when the policy stops matching', () => {
    const actions = actionsOn([bad, bad, good, bad]);
    expect(actions).toEqual(['retry_feedback', 'retry_feedback', 'continue', 'retry_feedback']);
  });

  test('counts sessions apart', () => {
    const other = toolEvent('tool', { command: 'bad' }, { session: 'other' });
    expect(actionsOn([bad, other], { max_retries: 1 })[1]).toBe('retry_feedback');
  });

  test('counts as exhausted when the count cannot be read', () => {
    expect(actionsOn([bad], {}, BROKEN_MEMORY)).toEqual(['deny']);
  });
});
