import { describe, expect, test } from 'bun:test';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { ACTIONS } from '../../../src/model/action.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import { eventOf, memory } from './open-event.ts';
import { CALL, current, notice, request } from './requests.ts';

const REWRITTEN: JsonObject = { action: 'run', command: 'git push' };

/** What approve_tool recalls of a call after before_tool has decided. */
function recalled(decision: Decision, approval: JsonObject = CALL): Decision | undefined {
  const kept = memory();
  picoclaw.remember(eventOf(current('hook.before_tool', CALL)), decision, kept);
  return picoclaw.recall(eventOf(current('hook.approve_tool', approval)), kept);
}

describe('the verdict of before_tool', () => {
  test.each(['continue', 'approve'] as const)('%s stands for the same call', (action) => {
    expect(recalled(decide({ action, policyId: 'a/b' }))).toEqual(
      decide({ action: 'approve', policyId: 'a/b' }),
    );
  });

  test('a rewrite stands for the rewritten call only', () => {
    const decision = decide({ action: 'modify', subject: { tool: 'exec', arguments: REWRITTEN } });
    expect(recalled(decision, { tool: 'exec', arguments: REWRITTEN })?.action).toBe('approve');
    expect(recalled(decision, CALL)).toBeUndefined();
  });

  test('the order of arguments does not matter, everything else does', () => {
    const decision = decide({ action: 'continue' });
    const { action, command } = CALL['arguments'] as JsonObject;
    expect(recalled(decision, { tool: 'exec', arguments: { command, action } as JsonObject })).toBeDefined();
    expect(
      recalled(decision, { tool: 'exec', arguments: { action, command, cwd: '/' } as JsonObject }),
    ).toBeUndefined();
    expect(recalled(decision, { tool: 'other', arguments: CALL['arguments'] as JsonObject })).toBeUndefined();
    expect(recalled(decision, { tool: 'exec' })).toBeUndefined();
  });

  test.each(ACTIONS.filter((action) => !['continue', 'approve', 'modify'].includes(action)))(
    '%s lets nothing through later',
    (action) => {
      expect(recalled(decide({ action, reason: 'no' }))).toBeUndefined();
    },
  );

  test('a later refusal takes back an earlier verdict on the same call', () => {
    const kept = memory();
    const before = eventOf(current('hook.before_tool', CALL));
    picoclaw.remember(before, decide({ action: 'continue' }), kept);
    picoclaw.remember(before, decide({ action: 'deny', reason: 'no' }), kept);
    expect(picoclaw.recall(eventOf(current('hook.approve_tool', CALL)), kept)).toBeUndefined();
  });

  test('counts in its own turn only', () => {
    const kept = memory();
    const inTurn = (method: string, turn: string, session = 's') =>
      eventOf(request(method, { meta: { TurnID: turn, SessionKey: session }, ...CALL }));
    picoclaw.remember(inTurn('hook.before_tool', 'turn-1'), decide({ action: 'continue' }), kept);
    expect(picoclaw.recall(inTurn('hook.approve_tool', 'turn-2'), kept)).toBeUndefined();
    expect(picoclaw.recall(inTurn('hook.approve_tool', 'turn-1', 'other'), kept)).toBeUndefined();
    expect(picoclaw.recall(inTurn('hook.approve_tool', 'turn-1'), kept)).toBeDefined();
  });

  test('is used once', () => {
    const kept = memory();
    const approval = eventOf(current('hook.approve_tool', CALL));
    picoclaw.remember(eventOf(current('hook.before_tool', CALL)), decide({ action: 'continue' }), kept);
    picoclaw.remember(approval, decide({ action: 'approve' }), kept);
    expect(picoclaw.recall(approval, kept)).toBeUndefined();
  });

  test('is not kept where the turn is not known, and not asked for by other events', () => {
    const kept = memory();
    picoclaw.remember(eventOf(request('hook.before_tool', CALL)), decide({ action: 'continue' }), kept);
    expect(kept.size()).toBe(0);
    picoclaw.remember(eventOf(current('hook.before_tool', CALL)), decide({ action: 'continue' }), kept);
    expect(picoclaw.recall(eventOf(current('hook.before_tool', CALL)), kept)).toBeUndefined();
    expect(picoclaw.recall(eventOf(current('hook.after_tool', CALL)), kept)).toBeUndefined();
  });

  test.each([
    ['hook.runtime_event', { kind: 'agent.turn.end', scope: { session_key: 's', turn_id: 't' } }],
    ['hook.event', { Kind: 1, Meta: { SessionKey: 's', TurnID: 't' } }],
  ])('is forgotten at the end of the turn (%s)', (method, end) => {
    const kept = memory();
    const meta = { SessionKey: 's', TurnID: 't' };
    picoclaw.remember(
      eventOf(request('hook.before_tool', { meta, ...CALL })),
      decide({ action: 'continue' }),
      kept,
    );
    expect(kept.size()).toBe(1);
    picoclaw.remember(eventOf(notice(method, end)), decide({ action: 'continue' }), kept);
    expect(kept.size()).toBe(0);
  });
});
