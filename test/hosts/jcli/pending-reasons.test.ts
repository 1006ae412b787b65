import { describe, expect, test } from 'bun:test';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Decision, decide, noOpinion } from '../../../src/model/decision.ts';
import type { Event } from '../../../src/model/event.ts';
import { testMemory } from '../../support/builders.ts';
import { settingOf } from '../transcripts.ts';

const SETTING = settingOf();
const SKIPPED = '该工具调用被 hook 跳过';

function read(message: JsonObject): Event {
  const decoded = jcli.decode({ session_id: 's-1', cwd: '/repo', ...message }, SETTING);
  if (decoded.type !== 'event') throw new Error(`not an event: ${JSON.stringify(message)}`);
  return decoded.event;
}

function call(tool: string, session = 's-1'): Event {
  return read({ event: 'pre_tool_execution', tool_name: tool, tool_arguments: '{}', session_id: session });
}

function failure(tool: string, text: string = SKIPPED, session = 's-1'): Event {
  return read({
    event: 'post_tool_execution_failure',
    tool_name: tool,
    tool_error: text,
    session_id: session,
  });
}

function result(tool: string, text: string): Event {
  return read({ event: 'post_tool_execution', tool_name: tool, tool_result: text });
}

/** One conversation: what is sent, and the reasons that come back. */
function conversation() {
  const memory = testMemory();
  return {
    send: (event: Event, decision: Decision = noOpinion()) => jcli.remember(event, decision, memory),
    deny: (event: Event, reason: string) =>
      jcli.remember(event, decide({ action: 'deny', reason, policyId: `test/${reason}` }), memory),
    reason: (event: Event) => jcli.recall(event, memory)?.reason,
  };
}

describe('jcli reasons', () => {
  test('reach the failure event as its error', () => {
    const memory = testMemory();
    jcli.remember(call('Shell'), decide({ action: 'deny', reason: 'No', policyId: 'a/b' }), memory);
    const decision = jcli.recall(failure('Shell'), memory);
    expect(decision).toEqual(decide({ action: 'deny', reason: 'No', policyId: 'a/b' }));
    expect(jcli.encode(failure('Shell'), decision ?? noOpinion(), SETTING).stdout).toBe(
      '{"tool_error":"No"}',
    );
  });

  test('are given once, in the order of the calls, and to their own tool', () => {
    const { deny, reason } = conversation();
    deny(call('Shell'), 'first');
    deny(call('Write'), 'write');
    deny(call('Shell'), 'second');
    expect(reason(failure('Shell'))).toBe('first');
    expect(reason(failure('Shell'))).toBe('second');
    expect(reason(failure('Shell'))).toBeUndefined();
    expect(reason(failure('Write'))).toBe('write');
  });

  test('take the place of a result that is the notice of a skipped call', () => {
    for (const notice of [SKIPPED, '工具调用被 hook 跳过', 'This tool call was skipped by a hook.']) {
      const { deny, reason } = conversation();
      deny(call('Shell'), 'No');
      expect(reason(result('Shell', notice))).toBe('No');
    }
  });

  test('never take the place of the result of a call that ran', () => {
    const { deny, reason } = conversation();
    deny(call('Shell'), 'No');
    for (const text of [
      '',
      'ok',
      `${SKIPPED}\nok`,
      `grep: ${SKIPPED}`,
      '该命令被 .jcli/ 权限配置拒绝',
      'No',
    ]) {
      expect(reason(result('Shell', text))).toBeUndefined();
      expect(reason(failure('Shell', text))).toBeUndefined();
    }
    for (const text of ['pre-commit hook skipped', 'tests/hook.test.ts skipped']) {
      expect(reason(result('Shell', text))).toBeUndefined();
    }
    expect(reason(failure('Shell'))).toBe('No');
  });

  test.each(['工具调用已被钩子跳过', '该工具调用被 Hook 拦截', 'The tool call was skipped by a hook'])(
    'are given for the notice %s',
    (notice) => {
      const { deny, reason } = conversation();
      deny(call('Shell'), 'first');
      deny(call('Shell'), 'second');
      expect(reason(failure('Shell', notice))).toBe('first');
      expect(reason(result('Shell', notice))).toBe('second');
    },
  );

  test('leave a notice alone when there is no reason', () => {
    expect(conversation().reason(failure('Shell'))).toBeUndefined();
  });

  test('stay in their session', () => {
    const { deny, reason } = conversation();
    deny(call('Shell', 's-2'), 'theirs');
    expect(reason(failure('Shell'))).toBeUndefined();
    expect(reason(failure('Shell', SKIPPED, 's-2'))).toBe('theirs');
  });

  test.each(['session_start', 'session_end', 'pre_send_message'])('are forgotten at %s', (event) => {
    const { deny, send, reason } = conversation();
    deny(call('Shell'), 'old');
    send(read({ event, user_input: 'next', messages: [] }));
    expect(reason(failure('Shell'))).toBeUndefined();
  });

  test('are not kept for a call that goes on', () => {
    const { send, reason } = conversation();
    send(call('Shell'));
    send(call('Shell'), decide({ action: 'modify', subject: {}, reason: 'changed' }));
    expect(reason(failure('Shell'))).toBeUndefined();
  });

  test('are not kept where the host does not say the session', () => {
    const memory = testMemory();
    const message = { event: 'pre_tool_execution', tool_name: 'Shell', tool_arguments: '{}', cwd: '/' };
    const decoded = jcli.decode(message, SETTING);
    if (decoded.type === 'event') {
      jcli.remember(decoded.event, decide({ action: 'deny', reason: 'No' }), memory);
    }
    expect(memory.get('pending', 'jcli undefined')).toBeUndefined();
    expect(jcli.recall(failure('Shell'), memory)).toBeUndefined();
  });

  test('are bounded in number, the oldest going first, and in length', () => {
    const { deny, reason } = conversation();
    for (let i = 0; i < 70; i++) deny(call('Shell'), `reason ${i} ${'x'.repeat(20_000)}`);
    const first = reason(failure('Shell')) ?? '';
    expect(first.startsWith('reason 6 ')).toBe(true);
    expect(first.length).toBe(8192);
  });

  test('survive a memory that holds something else', () => {
    const memory = testMemory();
    memory.set('pending', 'jcli s-1', [1, { tool: 'Shell' }, { tool: 'Shell', reason: 'kept' }]);
    expect(jcli.recall(failure('Shell'), memory)?.reason).toBe('kept');
  });
});
