import { describe, expect, test } from 'bun:test';
import { createEvent, type EventParts } from '../../src/hosts/create-event.ts';

function counted() {
  const calls = { context: 0, texts: 0, tool: 0 };
  const parts: EventParts = {
    kind: 'before_tool',
    host: 'testhost',
    native: 'call',
    requestId: 7,
    raw: { from: 'raw' },
    subject: { tool: 'exec' },
    model: undefined,
    session: 's',
    turn: 't',
    context: (raw) => {
      calls.context += 1;
      return { channel: String(raw['from']) };
    },
    textsOf: (subject, raw) => {
      calls.texts += 1;
      return [{ role: undefined, text: `${subject['tool']} ${raw['from']}`, path: [] }];
    },
    toolOf: (subject) => {
      calls.tool += 1;
      const name = subject['tool'];
      if (typeof name !== 'string') return undefined;
      return { name, classes: ['other'], arguments: {}, aliases: {} };
    },
  };
  return { calls, event: createEvent(parts) };
}

describe('createEvent', () => {
  test('computes nothing until it is asked for', () => {
    const { calls, event } = counted();
    expect(event).toMatchObject({ kind: 'before_tool', requestId: 7, session: 's', turn: 't' });
    expect(calls).toEqual({ context: 0, texts: 0, tool: 0 });
  });

  test('computes each part once', () => {
    const { calls, event } = counted();
    for (let i = 0; i < 3; i++) {
      expect(event.tool?.name).toBe('exec');
      expect(event.texts[0]?.text).toBe('exec raw');
      expect(event.context).toEqual({ channel: 'raw' });
    }
    expect(calls).toEqual({ context: 1, texts: 1, tool: 1 });
  });

  test('remembers that there is no tool', () => {
    const { calls, event } = counted();
    const without = event.with({});
    expect([without.tool, without.tool]).toEqual([undefined, undefined]);
    expect(calls.tool).toBe(1);
  });

  test('with judges another subject and leaves the event as it was', () => {
    const { event } = counted();
    expect(event.tool?.name).toBe('exec');
    const rewritten = event.with({ tool: 'read_file' });
    expect(rewritten.tool?.name).toBe('read_file');
    expect(rewritten.texts[0]?.text).toBe('read_file raw');
    expect(rewritten.raw).toBe(event.raw);
    expect(event.tool?.name).toBe('exec');
    expect(event.with(event.subject)).toBe(event);
  });
});
