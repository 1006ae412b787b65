import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { BareCall, Host, Reply } from '../../src/hosts/host.ts';
import { nativeCall } from '../../src/hosts/portable-call.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { type Json, type JsonObject, ownObject } from '../../src/lib/json.ts';
import { ACTIONS, prevents } from '../../src/model/action.ts';
import { type Decision, decide } from '../../src/model/decision.ts';
import { EVENT_KINDS, type EventKind } from '../../src/model/event.ts';
import { settingOf } from './transcripts.ts';

const DOCUMENT_HOSTS = HOSTS.filter(({ framing }) => framing === 'document');
const VERSIONS = [undefined, 'A', 'B', 'C', 'D', 'E'];

/** A message for every event of a host. */
function messages(host: Host): readonly JsonObject[] {
  return EVENT_KINDS.filter((on) => Object.values(host.events).includes(on)).map(
    (on) =>
      host.compose({
        on,
        tool: 'shell',
        arguments: { command: 'ls' },
        prompt: 'Hi',
        result: 'ok',
        response: 'Hello',
      }) as JsonObject,
  );
}

function eventOf(host: Host, message: Json) {
  const decoded = host.decode(message, settingOf());
  if (decoded.type !== 'event') throw new Error(`${host.name} cannot read ${JSON.stringify(message)}`);
  return decoded.event;
}

/** Any message of a host with some of its values replaced by anything. */
function damaged(host: Host): fc.Arbitrary<Json> {
  return fc
    .tuple(
      fc.constantFrom(...messages(host)),
      fc.dictionary(fc.constantFrom(...messages(host).flatMap(Object.keys)), fc.jsonValue(), { maxKeys: 3 }),
    )
    .map(([message, changes]) => ({ ...message, ...(changes as JsonObject) }));
}

const decisions: fc.Arbitrary<Decision> = fc
  .record({
    action: fc.constantFrom(...ACTIONS),
    reason: fc.option(fc.string(), { nil: undefined }),
    feedback: fc.option(fc.string(), { nil: undefined }),
    result: fc.option(fc.record({ for_llm: fc.string() }), { nil: undefined }),
    messages: fc.array(fc.string(), { maxLength: 2 }),
    contexts: fc.array(fc.string(), { maxLength: 2 }),
    subject: fc.option(fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>, {
      nil: undefined,
    }),
  })
  .map((parts) => decide(parts));

describe.each(DOCUMENT_HOSTS.map((host) => [host.name, host] as const))('%s', (_name, host) => {
  test('decode never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), damaged(host)),
        fc.constantFrom(...VERSIONS),
        (message, version) => {
          const decoded = host.decode(message as Json, settingOf({ version }));
          if (decoded.type !== 'event') return;
          expect(decoded.event.texts.every(({ text }) => typeof text === 'string')).toBe(true);
          expect(decoded.event.tool?.classes.length).not.toBe(0);
          expect(decoded.event.context.host).toBe(host.name);
        },
      ),
    );
  });

  test('decode reads every text at the place it names', () => {
    for (const message of messages(host)) {
      const { texts, subject } = eventOf(host, message);
      const there = texts.map(({ path }) => {
        let here: unknown = subject;
        for (const step of path) here = (here as Record<string, unknown>)[step];
        return here;
      });
      expect(there).toEqual(texts.map(({ text }) => text));
    }
  });

  test('encode gives JSON, an object or null, never silence, and on stderr nothing but the reason of a refusal', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...messages(host)),
        decisions,
        fc.constantFrom(...VERSIONS),
        fc.boolean(),
        (message, decision, version, interactive) => {
          const reply = host.encode(eventOf(host, message), decision, settingOf({ version, interactive }));
          if (reply.exitCode === 0) expect(reply.stderr).toBe('');
          expect([0, 2]).toContain(reply.exitCode);
          if (reply.stdout !== 'null') expect(JSON.parse(reply.stdout)).toBeObject();
        },
      ),
    );
  });

  test('encode of a call lets it through only if the decision does', () => {
    const call = eventOf(host, host.compose({ on: 'before_tool', tool: 'shell', arguments: {} }));
    fc.assert(
      fc.property(decisions, fc.constantFrom(...VERSIONS), (decision, version) => {
        const reply = host.encode(call, decision, settingOf({ version }));
        if (prevents(decision.action)) expect(refuses(reply)).toBe(true);
        if (decision.action === 'continue' || decision.action === 'approve')
          expect(refuses(reply)).toBe(false);
      }),
    );
  });

  test('refuse prevents a call, whatever of its message can be read', () => {
    fc.assert(
      fc.property(fc.option(fc.jsonValue(), { nil: undefined }), fc.string(), (rest, cause) => {
        const message: Json | undefined =
          typeof rest === 'object' && rest !== null && !Array.isArray(rest)
            ? { ...(rest as JsonObject), hook_event_name: 'BeforeTool', event: 'pre_tool_execution' }
            : undefined;
        expect(refuses(host.refuse(message, cause, settingOf()))).toBe(true);
      }),
    );
  });

  test('compose and decode agree on the event, the tool and the model', () => {
    for (const on of Object.keys(host.supports(undefined)) as EventKind[]) {
      const call: BareCall = { on, tool: 'edit', arguments: { path: 'a', old_text: 'b' }, model: 'm-1' };
      const event = eventOf(host, host.compose(call));
      expect(event.kind).toBe(on);
      if (event.tool !== undefined) expect(event.tool.classes).toContain('edit');
      if (on === 'before_llm') expect(event.model).toBe('m-1');
      if (on === 'before_tool') {
        expect(event.tool?.arguments).toEqual(nativeCall(host.tools, call).arguments);
      }
    }
  });

  test('compose lays the own fields of a call over the message', () => {
    const message = host.compose({ on: 'before_llm', event: { extra: { deep: 1 }, cwd: '/x' } });
    expect(message).toMatchObject({ extra: { deep: 1 }, cwd: '/x' });
  });

  test('compose of an event that the host does not have is answered with nothing to say', () => {
    const absent = EVENT_KINDS.filter((on) => !Object.values(host.events).includes(on));
    expect(absent).not.toBeEmpty();
    for (const on of absent) {
      expect(host.decode(host.compose({ on }), settingOf()).type).toBe('reply');
    }
  });

  test('supports names every event of the host and nothing else', () => {
    expect(new Set(Object.keys(host.supports(undefined)))).toEqual(new Set(Object.values(host.events)));
  });

  test('supports has rewrites exactly where it has modify', () => {
    for (const version of VERSIONS) {
      for (const support of Object.values(host.supports(version))) {
        expect(support.actions.includes('modify')).toBe(support.rewrites.length > 0);
        expect(support.actions).toContain('continue');
      }
    }
  });
});

/** True if the host would not run the call. */
function refuses({ stdout, stderr, exitCode }: Reply): boolean {
  const body = JSON.parse(stdout) as JsonObject;
  const specific = ownObject(body, 'hookSpecificOutput') ?? {};
  return (
    ['deny', 'block', 'force_ask'].includes(String(body['decision'])) ||
    ['deny', 'ask'].includes(String(specific['permissionDecision'])) ||
    body['permission'] === 'deny' ||
    body['action'] === 'skip' ||
    body['abort'] === true ||
    body['cancel'] === true ||
    (exitCode === 2 && stderr !== '')
  );
}
