import { describe, expect, test } from 'bun:test';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { CALL_KEYS } from '../../src/language/calls/call-keys.ts';
import { readCall } from '../../src/language/calls/read-call.ts';
import type { Json } from '../../src/lib/json.ts';
import { EVENT_KINDS } from '../../src/model/event.ts';

function callOf(value: Json) {
  const reading = readCall(value);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.call;
}

describe('readCall', () => {
  test('takes every key that is not its own for an argument', () => {
    expect(callOf({ tool: 'shell', command: 'ls', cwd: '/a' })).toEqual({
      on: 'before_tool',
      tool: 'shell',
      arguments: { command: 'ls', cwd: '/a' },
    });
    expect(callOf({ tool: 'fetch', arguments: { prompt: 'x', tool: 'y' } })).toEqual({
      on: 'before_tool',
      tool: 'fetch',
      arguments: { prompt: 'x', tool: 'y' },
    });
  });

  test('tells the event from the keys', () => {
    const table: readonly (readonly [Json, string])[] = [
      [{ command: 'ls' }, 'before_tool'],
      [{ tool: 'read', path: 'a' }, 'before_tool'],
      [{ command: 'ls', result: 'a' }, 'after_tool'],
      [{ prompt: 'hi' }, 'before_prompt'],
      [{ messages: [] }, 'before_llm'],
      [{ messages: [], prompt: 'hi' }, 'before_llm'],
      [{ response: 'hi' }, 'after_llm'],
      [{ response: 'hi', prompt: 'ho' }, 'after_turn'],
      [{ on: 'session_start' }, 'session_start'],
      [{ on: 'approve_tool', command: 'ls' }, 'approve_tool'],
      [{ on: 'after_turn', response: 'hi' }, 'after_turn'],
    ];
    for (const [value, kind] of table) expect([value, callOf(value).on]).toEqual([value, kind as never]);
  });

  test('prefers the events that it is given', () => {
    expect(readCall({ response: 'done' }, ['after_turn'])).toMatchObject({ call: { on: 'after_turn' } });
    expect(readCall({ prompt: 'hi' }, ['before_llm'])).toMatchObject({ call: { on: 'before_llm' } });
    expect(readCall({ command: 'ls' }, ['before_llm'])).toMatchObject({ ok: false });
  });

  test('every key belongs to some event and means nothing on the others', () => {
    const values: Readonly<Record<string, Json>> = {
      on: 'x',
      tool: 'shell',
      arguments: {},
      model: 'm',
      prompt: 'p',
      messages: [],
      result: 'r',
      response: 'r',
      context: { channel: 'c' },
      event: { a: 1 },
    };
    for (const [key, { events }] of Object.entries(CALL_KEYS)) {
      for (const kind of EVENT_KINDS) {
        const value = key === 'on' ? { on: kind } : { on: kind, [key]: values[key] ?? null };
        expect([key, kind, readCall(value).ok]).toEqual([key, kind, events.includes(kind)]);
      }
    }
  });
});

describe('bareEvent', () => {
  test('takes portable classes and names as they are', () => {
    const { tool, context, host } = bareEvent({ on: 'before_tool', tool: 'write', arguments: { path: 'a' } });
    expect(tool).toEqual({ name: 'write', classes: ['write'], arguments: { path: 'a' }, aliases: {} });
    expect(context).toEqual({ cwd: '/workspace', session: 'session' });
    expect(host).toBe('none');
  });

  test("classifies a host's own tool as that host does", () => {
    const call = { on: 'before_tool', tool: 'write_file', arguments: { file_path: 'a' } } as const;
    expect(bareEvent(call).tool).toMatchObject({ classes: ['write'], aliases: { path: 'file_path' } });
    expect(bareEvent({ on: 'before_tool', tool: 'my_tool', arguments: {} }).tool?.classes).toEqual(['other']);
    const server = bareEvent({ on: 'before_tool', tool: 'mcp_github_create_issue', arguments: {} });
    expect(server.tool?.classes).toEqual(['mcp']);
  });

  test('finds every text with its place', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ text: 'b' }] },
    ];
    expect(bareEvent({ on: 'before_llm', messages }).texts).toEqual([
      { role: 'user', text: 'a', path: ['messages', 0, 'content'] },
      { role: 'assistant', text: 'b', path: ['messages', 1, 'content', 0, 'text'] },
    ]);
    expect(bareEvent({ on: 'after_tool', result: { out: ['x'] } }).texts).toEqual([
      { role: 'tool', text: 'x', path: ['result', 'out', 0] },
    ]);
  });

  test('with another subject it is another call of the same session', () => {
    const event = bareEvent({ on: 'before_tool', arguments: { command: 'ls' }, context: { session: 's' } });
    const changed = event.with({ tool: 'exec', arguments: { command: 'pwd' } });
    expect(changed.tool).toMatchObject({ name: 'exec', arguments: { command: 'pwd' } });
    expect(changed.session).toBe('s');
  });
});
