import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { MAX_LINE_BYTES } from '../../../src/hosts/picoclaw/wire.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { ACTIONS, prevents } from '../../../src/model/action.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import { goDecode, goParse } from '../../e2e/picoclaw/go-json.ts';
import { ANSWERS, type Interceptor } from '../../e2e/picoclaw/messages.ts';
import { setting } from './open-event.ts';
import { CALL, current, NAMED_CALL, old, REQUEST, RESPONSE, RESULT } from './requests.ts';

const METHODS = Object.keys(ANSWERS) as Interceptor[];
const PARAMS: Readonly<Record<Interceptor, JsonObject>> = {
  'hook.before_llm': REQUEST,
  'hook.after_llm': { model: 'm', response: { ...RESPONSE, tool_calls: [NAMED_CALL] } },
  'hook.before_tool': CALL,
  'hook.approve_tool': CALL,
  'hook.after_tool': { ...CALL, result: RESULT, duration: 5 },
};

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const fields = fc.dictionary(
  fc.constantFrom(
    'meta',
    'context',
    'tool',
    'arguments',
    'result',
    'response',
    'model',
    'messages',
    'tools',
    'options',
    '__proto__',
    'later',
  ),
  json,
  { maxKeys: 3 },
);
const method = fc.constantFrom(...METHODS);
/** Well-formed requests, and such with some fields replaced by anything. */
const message = fc
  .tuple(method, fc.boolean(), fc.oneof(fc.constant({}), fields), fc.integer({ min: 1, max: 1e9 }))
  .map(
    ([name, isOld, over, id]): JsonObject => ({
      ...(isOld ? old : current)(name, { ...PARAMS[name], ...over }),
      id,
    }),
  );
const version = fc.option(fc.constantFrom(...picoclaw.versions), { nil: undefined });
const text = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
const decision: fc.Arbitrary<Partial<Decision> & Pick<Decision, 'action'>> = fc.record(
  {
    action: fc.constantFrom(...ACTIONS),
    reason: text,
    subject: fc.option(fc.oneof(fields, fc.constantFrom(...Object.values(PARAMS))), { nil: undefined }),
    result: fc.option(fc.record({ for_llm: fc.string() }), { nil: undefined }),
    call: fc.option(fields, { nil: undefined }),
    contexts: fc.array(fc.string(), { maxLength: 2 }),
    messages: fc.array(fc.string(), { maxLength: 2 }),
    suppressOutput: fc.boolean(),
    onUnsupported: fc.constantFrom('refuse' as const, 'continue' as const),
  },
  { requiredKeys: ['action'] },
);

/** What PicoClaw makes of a reply; throws where it would drop the answer. */
function asRead(request: JsonObject, stdout: string): JsonObject {
  expect(stdout.endsWith('\n')).toBe(true);
  const line = stdout.slice(0, -1);
  expect(line).not.toContain('\n');
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(MAX_LINE_BYTES);
  const envelope = goParse(line) as { id: number; result: unknown };
  expect(envelope.id).toBe(Number(request['id']));
  return goDecode(ANSWERS[request['method'] as Interceptor], envelope.result) as JsonObject;
}

/** Whether PicoClaw would go on with what the event is about, as it came. */
function letsThrough(request: JsonObject, answer: JsonObject): boolean {
  const params = request['params'] as JsonObject;
  switch (request['method']) {
    case 'hook.approve_tool':
      return answer['approved'] === true;
    case 'hook.after_tool': {
      const given = isJsonObject(answer['result'] ?? null)
        ? (answer['result'] as JsonObject)['result']
        : null;
      const before = isJsonObject(params['result'] ?? null)
        ? (params['result'] as JsonObject)['for_llm']
        : undefined;
      if (!isJsonObject(given ?? null)) return !String(answer['action']).includes('abort');
      return (given as JsonObject)['for_llm'] === before;
    }
    default:
      return answer['action'] === 'continue' || answer['action'] === '';
  }
}

describe('PicoClaw, whatever arrives', () => {
  test('decode never throws, and answers every request that it does not hand on', () => {
    fc.assert(
      fc.property(fc.oneof(json, message), version, (received, v) => {
        const decoded = picoclaw.decode(received, setting(v));
        if (decoded.type === 'event') {
          void decoded.event.tool;
          void decoded.event.context;
          for (const { path } of decoded.event.texts) expect(Array.isArray(path)).toBe(true);
        } else if (
          decoded.type === 'malformed' &&
          isJsonObject(received) &&
          METHODS.includes(received['method'] as Interceptor)
        ) {
          const answer = asRead(received, decoded.reply.stdout);
          expect(letsThrough(received, answer)).toBe(false);
        }
      }),
    );
  });

  test('every text stands where its path says', () => {
    let found = 0;
    fc.assert(
      fc.property(message, (received) => {
        const decoded = picoclaw.decode(received, setting());
        if (decoded.type !== 'event') return;
        const { subject, texts } = decoded.event;
        for (const { path, text: said } of texts) {
          const there = path.reduce<unknown>(
            (at, key) => (at as Record<string | number, unknown>)[key],
            subject,
          );
          found += 1;
          expect(there).toBe(said);
        }
      }),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(50);
  });

  test('every answer is one that PicoClaw takes, and a refusal lets nothing through', () => {
    let refused = 0;
    fc.assert(
      fc.property(message, decision, version, (received, parts, v) => {
        const decoded = picoclaw.decode(received, setting(v));
        if (decoded.type !== 'event') return;
        const decided = decide(parts);
        const answer = asRead(received, picoclaw.encode(decoded.event, decided, setting(v)).stdout);
        if (prevents(decided.action)) {
          refused += 1;
          expect(letsThrough(received, answer)).toBe(false);
        }
        if (decided.action === 'approve') expect(answer['approved'] ?? true).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  test('refuse never throws and lets nothing through', () => {
    fc.assert(
      fc.property(fc.oneof(json, message), fc.string(), (received, cause) => {
        const { stdout } = picoclaw.refuse(received, cause);
        if (!isJsonObject(received) || !METHODS.includes(received['method'] as Interceptor)) return;
        expect(letsThrough(received, asRead(received, stdout))).toBe(false);
      }),
    );
  });

  test('a message that was not even JSON has no answer', () => {
    expect(picoclaw.refuse(undefined, 'broken').stdout).toBe('');
  });
});
