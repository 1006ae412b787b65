import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject, ownObject, ownString } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { TESTED_HOSTS, type TestedHost } from './host-reading.ts';
import { anyText } from './messages.ts';
import { DENY_ALL, respondWith } from './strict-responder.ts';

const RUNS = 500;

/** What a text is to the host that sent it, as far as this can be told without the adapters. */
function kindsOf({ host, preventable }: TestedHost, text: string): readonly EventKind[] {
  const message = parsed(text);
  const name = isJsonObject(message)
    ? (ownString(message, EVENT_FIELD[host.name] ?? 'hook_event_name') ?? camelName(host.name, message))
    : undefined;
  if (UNNAMED.includes(host.name) && name === undefined && isJsonObject(message)) {
    const decoded = host.decode(message, { version: undefined, env: {}, cwd: '/work', interactive: false });
    if (decoded.type === 'event') return [decoded.event.kind];
  }
  // Nobody knows what is about to happen, so all of it must be prevented.
  if (name === undefined) return preventable;
  const kind = Object.hasOwn(host.events, name) ? host.events[name] : undefined;
  return kind === undefined ? [] : [kind];
}

/** Hosts that tell an event by its fields where they do not name it. */
const UNNAMED: readonly string[] = ['copilot', 'vscode'];

function camelName(host: string, message: JsonObject): string | undefined {
  return UNNAMED.includes(host) ? ownString(message, 'hookEventName') : undefined;
}

const EVENT_FIELD: Readonly<Record<string, string>> = {
  cline: 'hookName',
  jcli: 'event',
  windsurf: 'agent_action_name',
  goose: 'event',
  crush: 'event',
};

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

describe.each(TESTED_HOSTS.filter(({ host }) => host.framing === 'document'))('$title', (tested) => {
  const nativeName = (kind: EventKind) =>
    Object.entries(tested.host.events).find(([, each]) => each === kind)?.[0] ?? kind;

  test('any text gets one well-formed answer, and never one that lets a refused event happen', () => {
    const responders = new Map(
      tested.preventable.map((kind) => [
        kind,
        // jcli names the event in the environment as well.
        respondWith(tested, [DENY_ALL], { ...tested.env, JCLI_HOOK_EVENT: nativeName(kind) }),
      ]),
    );
    fc.assert(
      fc.property(anyText(tested.host), (text) => {
        for (const kind of kindsOf(tested, text)) {
          const respond = responders.get(kind);
          const answer = (respond ?? respondWith(tested, [DENY_ALL]))(text);
          const reading = tested.read(kind, answer);
          if (respond !== undefined) expect([kind, reading]).toEqual([kind, 'prevented']);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** The id and the method of a request, as far as they can be read of a line that is no JSON. */
function requestIn(text: string): { readonly id: number | string; readonly method: string } | undefined {
  const message = parsed(text);
  if (message === undefined) {
    const [, id, method = ''] =
      /^\{"jsonrpc":"2\.0","id":([1-9]\d*),(?:"method":"([\w.]+)")?/.exec(text) ?? [];
    return id === undefined ? undefined : { id: Number(id), method };
  }
  if (!isJsonObject(message)) return undefined;
  const id = Object.hasOwn(message, 'id') ? message['id'] : undefined;
  const isId = typeof id === 'number' || (typeof id === 'string' && JSON.stringify(id).length <= 1_024);
  return isId ? { id: id as number | string, method: ownString(message, 'method') ?? '' } : undefined;
}

describe.each(TESTED_HOSTS.filter(({ host }) => host.framing === 'lines'))('$title', (tested) => {
  test('any line gets one well-formed answer if it asks for one, and never one that lets a refused event happen', () => {
    const respond = respondWith(tested, [DENY_ALL]);
    fc.assert(
      fc.property(anyText(tested.host), (text) => {
        const asked = requestIn(text);
        const answer = respond(text);
        if (asked === undefined) {
          // Spaces in the head of a broken line may still let its id be read.
          if (parsed(text) !== undefined || answer.stdout === '') return expect(answer.stdout).toBe('');
          return expect(parsed(answer.stdout)).toBeDefined();
        }
        const { id, method } = asked;
        expect(parsed(answer.stdout)).toMatchObject({ id });
        // Of a broken line less may be read here than there.
        if (parsed(text) === undefined && method === '') return;
        const kind = Object.hasOwn(tested.host.events, method) ? tested.host.events[method] : undefined;
        if (kind !== undefined && tested.preventable.includes(kind)) {
          // The host itself counts; those who speak like it may call their requests otherwise.
          const stdout = `${JSON.stringify({ ...JSON.parse(answer.stdout), id: 1 })}\n`;
          expect([kind, tested.read(kind, { ...answer, stdout })]).toEqual([kind, 'prevented']);
        } else if (kind === undefined && method !== 'hook.hello') {
          const result = ownObject(JSON.parse(answer.stdout), 'result');
          expect(result).toEqual({ action: 'deny_tool', approved: false });
        }
      }),
      { numRuns: RUNS },
    );
  });
});
