import { describe, expect, test } from 'bun:test';
import { createEngine } from '../../src/language/engine/engine.ts';
import { type EvaluateOptions, evaluate } from '../../src/language/engine/evaluate.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Rule, RuleException } from '../../src/model/policy.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

const NOW_MS = Date.parse('2026-11-20T00:00:00Z');

function exception(when: JsonObject, endsMs = NOW_MS + 1): RuleException {
  const position = { file: 'e.yaml', line: 1, column: 1, length: 1 };
  return { when, endsMs, owner: 'me', reason: 'needed', position };
}

function judge(rules: readonly Rule[], options: Partial<EvaluateOptions> = {}, args?: JsonObject): Outcome {
  const event = toolEvent('run', args ?? { command: 'git push -f' });
  const engine = createEngine(program(rules));
  return evaluate(engine, event, { memory: testMemory(), nowMs: () => NOW_MS, ...options });
}

const EXACT = { arguments: { command: { equals: 'git push -f' } } };

describe('evaluate', () => {
  test('lets a call past the policy that has an exception for it, and past no other', () => {
    const excepted = rule({ id: 'a/x', action: 'deny', exceptions: [exception(EXACT)] });
    const outcome = judge([excepted]);
    expect(outcome.decision.action).toBe('continue');
    expect(outcome.hits.map(({ how }) => how)).toEqual(['excepted']);
    expect(judge([excepted, rule({ id: 'a/y', action: 'deny' })]).decision).toMatchObject({
      action: 'deny',
      policyId: 'a/y',
    });
    expect(judge([excepted], {}, { command: 'git push -f; rm -rf /' }).decision.action).toBe('deny');
  });

  test.each([
    ['has ended', exception(EXACT, NOW_MS)],
    ['cannot be told', exception({ context: { channel: 'telegram' } })],
  ])('does not count an exception that %s', (_name, given) => {
    expect(judge([rule({ action: 'deny', exceptions: [given] })]).decision.action).toBe('deny');
  });

  test('counts no exception without a clock', () => {
    const excepted = rule({ action: 'deny', exceptions: [exception(EXACT)] });
    const event = toolEvent('run', { command: 'git push -f' });
    const outcome = evaluate(createEngine(program([excepted])), event, { memory: testMemory() });
    expect(outcome.decision.action).toBe('deny');
  });

  test('does not except from a policy that has changed since it was trusted', () => {
    const changed = rule({ action: 'deny', trust: 'changed', exceptions: [exception(EXACT)] });
    expect(judge([changed]).decision.action).toBe('deny');
    expect(judge([changed], { allowed: new Set(['test/rule']) }).decision.action).toBe('deny');
  });

  test('looks for exceptions of a rewritten call in the rewritten call', () => {
    const rewriting = rule({
      id: 'a/rewrite',
      action: 'modify',
      when: { arguments: { command: { equals: 'one' } } },
      params: { rewrite: { set: { command: 'two' } } },
    });
    const denying = (text: string) =>
      rule({
        id: 'a/deny',
        action: 'deny',
        when: { arguments: { command: { equals: 'two' } } },
        exceptions: [exception({ arguments: { command: { equals: text } } })],
      });
    expect(judge([rewriting, denying('one')], {}, { command: 'one' }).decision.action).toBe('deny');
    expect(judge([rewriting, denying('two')], {}, { command: 'one' }).decision.action).toBe('modify');
  });

  test('lets a call past the policies that are named, and past no other', () => {
    const rules = [rule({ id: 'a/x', action: 'deny' }), rule({ id: 'a/y', action: 'abort_turn' })];
    expect(judge(rules, { allowed: new Set(['a/y']) }).decision).toMatchObject({ policyId: 'a/x' });
    expect(judge(rules, { allowed: new Set(['a/x', 'a/y']) }).decision.action).toBe('continue');
  });
});
