import { describe, expect, test } from 'bun:test';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { MAX_LINE_BYTES } from '../../../src/hosts/picoclaw/wire.ts';
import type { Json } from '../../../src/lib/json.ts';
import { decide } from '../../../src/model/decision.ts';
import { eventOf, resultFor, setting } from './open-event.ts';
import { CALL, current, MESSAGES, REQUEST, RESPONSE, RESULT } from './requests.ts';

const MIB = 1_048_576;
const HUGE = 'ä'.repeat(MIB / 2);

describe('a line longer than PicoClaw reads', () => {
  test('denies a rewritten call', () => {
    const answer = resultFor(current('hook.before_tool', CALL), {
      action: 'modify',
      policyId: 'a/b',
      subject: { tool: 'write_file', arguments: { path: 'a', content: HUGE } },
    });
    expect(answer).toEqual({
      action: 'deny_tool',
      reason: 'Refused by a/b: the rewritten call is longer than PicoClaw reads.',
    });
  });

  test('denies a call instead of answering it', () => {
    const answer = resultFor(current('hook.before_tool', CALL), {
      action: 'respond',
      result: { for_llm: HUGE },
    });
    expect(answer).toMatchObject({ action: 'deny_tool' });
  });

  test('withholds a rewritten result', () => {
    const answer = resultFor(current('hook.after_tool', { ...CALL, result: RESULT }), {
      action: 'modify',
      subject: { result: { ...RESULT, for_llm: HUGE } },
    });
    expect(answer).toMatchObject({ action: 'modify', result: { result: { is_error: true, for_user: '' } } });
    expect(JSON.stringify(answer)).not.toContain('token');
  });

  test('withholds a result whose call alone is too long to give back', () => {
    const message = current('hook.after_tool', {
      tool: 'write_file',
      arguments: { content: HUGE },
      result: RESULT,
    });
    const answer = resultFor(message, { action: 'deny', reason: 'no' });
    expect(answer).toMatchObject({ action: 'modify', result: { result: { for_llm: 'no', is_error: true } } });
  });

  test('ends the turn where a request or an answer was to be rewritten', () => {
    const messages = [...MESSAGES, { role: 'user', content: HUGE }];
    const request = current('hook.before_llm', { ...REQUEST, messages });
    expect(
      resultFor(request, { action: 'modify', subject: { ...REQUEST, messages, model: 'b' } }),
    ).toMatchObject({ action: 'abort_turn' });
    const response = { ...RESPONSE, content: HUGE };
    const answer = resultFor(current('hook.after_llm', { response }), {
      action: 'modify',
      subject: { response: { ...response, reasoning: '' } },
    });
    expect(answer).toMatchObject({ action: 'abort_turn' });
  });

  test('leaves the original where something was only to be added', () => {
    const messages = [...MESSAGES, { role: 'user', content: HUGE }];
    const request = current('hook.before_llm', { ...REQUEST, messages });
    const tools = [...(REQUEST['tools'] as Json[]), { type: 'function', function: { name: 'plugin' } }];
    const offer = { action: 'modify', subject: { ...REQUEST, messages, tools } } as const;
    expect(resultFor(request, { ...offer, rewrites: ['add_tools'] }, '0.2.7')).toEqual({
      action: 'continue',
    });
    expect(resultFor(request, { ...offer, rewrites: ['add_tools', 'replace'] }, '0.2.7')).toMatchObject({
      action: 'abort_turn',
    });
    expect(resultFor(request, { action: 'continue', contexts: ['more'] })).toEqual({ action: 'continue' });
    const result = current('hook.after_tool', { ...CALL, result: { ...RESULT, for_llm: HUGE } });
    expect(resultFor(result, { action: 'continue', contexts: ['more'] })).toEqual({ action: 'continue' });
    expect(resultFor(result, { action: 'continue', suppressOutput: true })).toMatchObject({
      action: 'modify',
    });
  });

  test('one that just fits is sent', () => {
    const room = MAX_LINE_BYTES - 4_000;
    const answer = resultFor(current('hook.before_tool', CALL), {
      action: 'respond',
      result: { for_llm: 'x'.repeat(room) },
    });
    expect(answer['action']).toBe('respond');
  });
});

describe('a long reason', () => {
  test.each([
    ['hook.before_tool', 'reason'],
    ['hook.approve_tool', 'reason'],
  ])('is cut for %s, not in the middle of a character', (method, key) => {
    const answer = resultFor(current(method, CALL), { action: 'deny', reason: `${'x'.repeat(8190)}😀😀` });
    const reason = String(answer[key]);
    expect(reason.length).toBeLessThanOrEqual(8192);
    expect(reason.endsWith('x…')).toBe(true);
  });

  test('is cut for an abort and a withheld result', () => {
    const reason = 'r'.repeat(MIB);
    const abort = picoclaw.encode(
      eventOf(current('hook.before_llm', REQUEST)),
      decide({ action: 'abort_turn', reason }),
      setting(),
    );
    expect(abort.stdout.length).toBeLessThan(10_000);
    const withheld = resultFor(current('hook.after_tool', { ...CALL, result: RESULT }), {
      action: 'deny',
      reason,
    });
    expect(JSON.stringify(withheld).length).toBeLessThan(10_000);
  });
});
