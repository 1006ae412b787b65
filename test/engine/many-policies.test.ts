import { describe, expect, test } from 'bun:test';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { whenLiterals } from '../../src/language/keys/when.ts';
import { requirementsOf } from '../../src/language/policy/parse/normalise-policy.ts';
import { OutOfTime, withTimeLimit } from '../../src/lib/time-limit.ts';
import type { Event } from '../../src/model/event.ts';
import type { Rule } from '../../src/model/policy.ts';
import { BROKEN_MEMORY, program, rule, testMemory, toolEvent } from '../support/builders.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

/** So many that looking at each together with each other would take many seconds. */
const MANY = 30_000;
const deny = rule({ action: 'deny', id: 'house/no', params: { reason: 'no' } });

function ruleWith(when: Rule['when'], parts: Partial<Rule> & Pick<Rule, 'action'>): Rule {
  return rule({ when, literals: whenLiterals(when, MATCHER_TABLE) ?? null, ...parts });
}

function many(count: number, make: (index: number) => Rule): readonly Rule[] {
  return Array.from({ length: count }, (_, index) => ({ ...make(index), id: `hostile/p${index}` }));
}

/** What a cloned repository may bring along to make the answer late, and so let the call through. */
const HOSTILE: readonly (readonly [string, () => readonly Rule[], Event])[] = [
  [
    'policies whose retries are counted',
    () => many(MANY, () => rule({ action: 'retry_feedback', params: { feedback: 'again' } })),
    toolEvent('tool', { command: 'ls' }, { session: 's' }),
  ],
  [
    'policies that look for something in many arguments',
    () =>
      many(MANY / 4, (index) =>
        ruleWith({ arguments: { command: { contains: `needle${index}` } } }, { action: 'deny' }),
      ),
    toolEvent('tool', { command: 'ls', more: Array.from({ length: MANY }, (_, index) => `straw${index}`) }),
  ],
  [
    'alternatives that look for something in many arguments',
    () =>
      many(1, () => {
        const any = Array.from({ length: MANY / 4 }, (_, index) => ({
          arguments: { '*': { contains: `needle${index}` } },
        }));
        return ruleWith({ any }, { action: 'deny' });
      }),
    toolEvent('tool', { command: 'ls', more: Array.from({ length: MANY }, (_, index) => `straw${index}`) }),
  ],
  [
    'a list of values for many arguments',
    () =>
      many(1, () => {
        const options = Array.from({ length: MANY }, (_, index) => index);
        return ruleWith({ arguments: { 'more.*': { one_of: options } } }, { action: 'deny' });
      }),
    toolEvent('tool', { command: 'ls', more: Array.from({ length: MANY }, (_, index) => -1 - index) }),
  ],
];

describe.each(HOSTILE)('%s', (_what, rules, event) => {
  test('do not keep a call from being denied in time', () => {
    const engine = createEngine(program([deny, ...rules()]));
    const { decision } = withinProcessorTime(2_000, () => evaluate(engine, event, { memory: testMemory() }));
    expect(decision.policyId).toBe('house/no');
  });
});

test('what a policy with thousands of alternatives needs is found in time', () => {
  const path = Array.from({ length: 10_000 }, (_, index) => `**/a${index}/*.x`);
  const any = path.map((run) => ({ command: { run } }));
  expect(withinProcessorTime(1_000, () => [{ path }, { any }].map(requirementsOf))).toHaveLength(2);
});

test('policies whose retries are used up are weighed in time', () => {
  const params = { feedback: 'again', on_exhausted: 'continue' };
  const engine = createEngine(program(many(MANY, () => rule({ action: 'retry_feedback', params }))));
  const event = toolEvent('tool', {});
  const { decision } = withinProcessorTime(2_000, () => evaluate(engine, event, { memory: BROKEN_MEMORY }));
  expect(decision.action).toBe('continue');
});

/** Tests that one policy can hold very many of, so that nothing outside of them looks at the time between two. */
const LONG_WORK: readonly (readonly [string, Rule['when'], string])[] = [
  ['path', { path: ['**/a', '**/b'] }, 'cat x'],
  [
    'command',
    {
      command: [
        { run: 'ls', args: { min: 1 } },
        { run: 'ls', args: { min: 2 } },
      ],
    },
    'ls',
  ],
  ['command.flags', { command: { flags: { any: ['-a', '-b'] } } }, 'cat -x'],
  ['command.environment', { command: { environment: ['A', 'B'] } }, 'X=1 cat'],
  ['command.pipes_to', { command: { pipes_to: ['tee', 'b'] } }, 'cat | tee'],
  ['command.reads', { command: { reads: ['**/a', '**/b'] } }, 'cat x'],
  ['url', { url: ['a.example', 'b.example'] }, 'curl http://c.example'],
  ['event', { event: { a: 'x', b: 'y' } }, 'ls'],
  ['any', { any: [{ tool: 'read' }, { tool: 'write' }] }, 'ls'],
];

test.each(LONG_WORK)('%s ends where the time is over', (_key, when, text) => {
  const engine = createEngine(program([ruleWith(when, { action: 'deny' })]));
  const event = toolEvent('tool', { command: text });
  const judge = () => evaluate(engine, event, { memory: testMemory() });
  expect(judge).not.toThrow();
  expect(() => withTimeLimit(() => true, judge)).toThrow(OutOfTime);
});
