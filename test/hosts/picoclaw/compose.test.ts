import { describe, expect, test } from 'bun:test';
import type { BareCall } from '../../../src/hosts/host.ts';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { EVENT_KINDS } from '../../../src/model/event.ts';
import { eventOf } from './open-event.ts';

const ABSENT = [
  'session_start',
  'session_end',
  'before_prompt',
  'tool_choice',
  'before_compact',
  'tool_failure',
];

function composed(call: BareCall) {
  return eventOf(picoclaw.compose(call));
}

describe('compose', () => {
  test.each(EVENT_KINDS.filter((on) => !ABSENT.includes(on)))('%s becomes that event', (on) => {
    expect(composed({ on }).kind).toBe(on);
  });

  test.each(EVENT_KINDS.filter((on) => ABSENT.includes(on)))(
    '%s, which PicoClaw does not have, becomes another',
    (on) => {
      expect(['notification', 'after_tool']).toContain(composed({ on }).kind);
      expect(picoclaw.supports(undefined)[on]).toBeUndefined();
    },
  );

  test('carries the call, the context and what is laid over it', () => {
    const people = { chat_type: 'group', sender: 'bob', agent: 'sub' };
    const said = { ...people, session: 's', iteration: 9, channel: 'c', chat_id: 'i' };
    const { tool, context, raw } = composed({
      on: 'before_tool',
      tool: 'read',
      arguments: { path: '.env' },
      context: said,
      event: { meta: { TurnID: 'mine' }, extra: 1 },
    });
    expect(tool).toMatchObject({ name: 'read_file', arguments: { path: '.env' } });
    expect(context).toMatchObject(said);
    expect(raw).toMatchObject({ extra: 1, meta: { TurnID: 'mine', SessionKey: 's' } });
  });

  test('says at which iteration a turn ended', () => {
    expect(composed({ on: 'after_turn', context: { iteration: 9 } }).context).toMatchObject({ iteration: 9 });
  });

  test('leaves unknown what the call does not say', () => {
    expect(composed({ on: 'before_tool' }).context).not.toHaveProperty('chat_type');
    expect(composed({ on: 'before_llm' }).model).toBeUndefined();
  });

  test('carries texts in both forms', () => {
    const textOf = (call: BareCall) => composed(call).texts.map(({ text }) => text);
    expect(textOf({ on: 'after_tool', result: 'out' })).toEqual(['out']);
    expect(textOf({ on: 'after_tool', result: { for_llm: 'a', for_user: 'b' } })).toEqual(['a', 'b']);
    expect(textOf({ on: 'after_tool', result: [1] })).toEqual(['[1]']);
    expect(textOf({ on: 'after_llm', response: 'said' })).toEqual(['said']);
    expect(textOf({ on: 'after_llm', response: { content: 'a', reasoning: 'b' } })).toEqual(['a', 'b']);
    expect(textOf({ on: 'before_llm', prompt: 'hi' })).toEqual(['hi']);
    expect(textOf({ on: 'before_llm', messages: [{ role: 'system', content: 's' }] })).toEqual(['s']);
    expect(textOf({ on: 'prompt_sent', prompt: 'hi' })).toEqual(['hi']);
    expect(textOf({ on: 'after_turn', response: 'done' })).toEqual(['done']);
  });

  test('a failed result is an error', () => {
    expect(composed({ on: 'tool_failure', result: 'no' }).raw).toMatchObject({ result: { is_error: true } });
  });
});
