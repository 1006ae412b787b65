import { describe, expect, test } from 'bun:test';
import { recogniseHost, senderOf } from '../../src/hook/recognise-host.ts';
import type { Host } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { messagesOf, settingOf } from './transcripts.ts';

/** What a host has sent: the messages of its table that it can read. */
function sentBy(host: Host): readonly JsonObject[] {
  return messagesOf(host)
    .filter(isJsonObject)
    .filter((message) => host.decode(message, settingOf()).type === 'event');
}

describe.each(HOSTS)('a message of $name', (host) => {
  test('is recognised as one of no other host', () => {
    for (const message of sentBy(host)) {
      const takers = HOSTS.filter((each) => each.recognise(message)).map(({ name }) => name);
      expect([message, takers.filter((name) => name !== host.name)]).toEqual([message, []]);
    }
  });

  test('is recognised if it is about a call', () => {
    const calls = sentBy(host).filter((message) => {
      const decoded = host.decode(message, settingOf());
      return decoded.type === 'event' && decoded.event.kind === 'before_tool';
    });
    expect(calls.length).toBeGreaterThan(0);
    for (const message of calls)
      expect([message, recogniseHost(message)]).toEqual([message, { ok: true, host }]);
  });
});

/** Hosts whose messages a hook of another can get: all that send one to a process. */
const DOCUMENT_HOSTS = HOSTS.filter(({ framing }) => framing === 'document');

describe.each(DOCUMENT_HOSTS)('a hook that was started for $name', (named) => {
  test('keeps its messages', () => {
    for (const message of sentBy(named))
      expect([message, senderOf(message, named)]).toEqual([message, named]);
  });

  test('knows a call that is shown by another host', () => {
    for (const host of DOCUMENT_HOSTS) {
      const calls = sentBy(host).filter((message) => {
        const decoded = host.decode(message, settingOf());
        return decoded.type === 'event' && decoded.event.kind === 'before_tool';
      });
      for (const message of calls)
        expect([message, senderOf(message, named).name]).toEqual([message, host.name]);
    }
  });
});

test('a message that any of several hosts may have sent is nobody’s', () => {
  const shared = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
  for (const message of [undefined, {}, shared, { event: 'x' }])
    expect(recogniseHost(message)).toMatchObject({ ok: false });
});
