import { describe, expect, test } from 'bun:test';
import { ACTIONS, type Action } from '../../src/model/action.ts';
import { decide } from '../../src/model/decision.ts';
import {
  type ComparedVerdict,
  changeBetween,
  changedParts,
  verdictOf,
} from '../../src/tools/compare/verdict.ts';

function verdict(action: Action, policy?: string, effect: ComparedVerdict['effect'] = {}): ComparedVerdict {
  return { action, policy, effect };
}

describe('changeBetween', () => {
  test.each<readonly [Action, Action, ReturnType<typeof changeBetween>]>([
    ['deny', 'continue', 'loosened'],
    ['deny', 'ask', 'loosened'],
    ['abort_turn', 'deny', 'loosened'],
    ['modify', 'continue', 'loosened'],
    ['continue', 'approve', 'loosened'],
    ['approve', 'continue', 'tightened'],
    ['continue', 'modify', 'tightened'],
    ['ask', 'deny', 'tightened'],
    ['deny', 'deny', undefined],
  ])('calls %s to %s %p', (before, after, wanted) => {
    expect(changeBetween(verdict(before), verdict(after))).toBe(wanted);
  });

  test('is the opposite the other way round, for every two actions', () => {
    const opposite = { loosened: 'tightened', tightened: 'loosened', changed: 'changed' } as const;
    for (const a of ACTIONS) {
      for (const b of ACTIONS) {
        const there = changeBetween(verdict(a), verdict(b));
        const back = changeBetween(verdict(b), verdict(a));
        expect(back).toBe(there === undefined ? undefined : opposite[there]);
        expect(there === undefined).toBe(a === b);
      }
    }
  });

  test('sees another policy and another effect, and no effect that is not known', () => {
    expect(changeBetween(verdict('deny', 'a'), verdict('deny', 'b'))).toBe('changed');
    expect(changeBetween(verdict('modify', 'a', { x: 1 }), verdict('modify', 'a', { x: 2 }))).toBe('changed');
    expect(changeBetween(verdict('modify', 'a', null), verdict('modify', 'a', { x: 2 }))).toBeUndefined();
  });
});

describe('changedParts', () => {
  const effects = (parts: Parameters<typeof decide>[0]) =>
    verdictOf({ event: undefined, outcome: undefined, replies: [], decision: decide(parts) });

  test('names what differs', () => {
    const before = effects({ action: 'modify', policyId: 'a', subject: { x: 1 }, messages: ['m'] });
    const after = effects({ action: 'modify', policyId: 'a', subject: { x: 2 }, contexts: ['c'] });
    expect(changedParts(before, after)).toEqual(['rewrite', 'message', 'add_context']);
  });

  test('does not name a reason that differs because the policy does', () => {
    const before = effects({ action: 'deny', policyId: 'a', reason: 'Refused by a: no.' });
    const after = effects({ action: 'deny', policyId: 'b', reason: 'Refused by b: no.' });
    expect(changedParts(before, after)).toEqual(['policy']);
  });
});
