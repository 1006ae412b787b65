import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { MAX_MESSAGE_DEPTH } from '../../../src/lib/json-depth.ts';
import { mapStrings } from '../../../src/lib/json-path.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { deepFreeze, rewriteInput } from '../input.ts';

const text = fc.oneof(
  fc.constantFrom('npm i', 'token=abc', 'user@example.com 12', '[redacted]', '{{x}}', '$1', '🙂 é', ''),
  fc.string({ maxLength: 40 }),
);
const key = fc.oneof(
  fc.constantFrom('command', 'path', 'file_path', '__proto__', 'constructor', 'text', 'name', '0'),
  fc.string({ maxLength: 6 }),
);

/** Through JSON text, so that `__proto__` is an own key as it is in a message. */
const json: fc.Arbitrary<Json> = fc
  .letrec<{ value: unknown; entries: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('entries'),
    ),
    entries: fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  }))
  .value.map((value): Json => JSON.parse(JSON.stringify(value)));
const object: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(key, json), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries));

const message = fc.record({
  role: fc.constantFrom('user', 'system', 'assistant'),
  content: text,
  extra: json,
});
const toolCall = fc.oneof(
  fc.record({
    id: text,
    function: fc.record({
      name: fc.constantFrom('echo', 'read'),
      arguments: object.map((o) => JSON.stringify(o)),
      x: json,
    }),
  }),
  fc.record({ id: text, name: fc.constantFrom('echo', 'read'), arguments: object }),
  fc.record({ id: text }),
);

const SUBJECTS: Readonly<Partial<Record<EventKind, fc.Arbitrary<JsonObject>>>> = {
  before_tool: fc.record({ tool: text, arguments: object, unknown: json }),
  after_tool: fc.record({ result: object, unknown: json }),
  tool_failure: fc.record({ result: fc.oneof(text, object), unknown: json }),
  before_llm: fc.record(
    {
      model: text,
      messages: fc.array(message, { maxLength: 4 }),
      tools: fc.array(fc.record({ function: fc.record({ name: fc.constantFrom('echo', 'w'), x: json }) })),
      options: object,
      system_prompt: text,
      unknown: json,
    },
    { requiredKeys: ['messages'] },
  ),
  after_llm: fc.record({
    response: fc.record({ content: text, tool_calls: fc.array(toolCall), unknown: json }),
    unknown: json,
  }),
  tool_choice: fc.record(
    {
      mode: fc.constantFrom('AUTO', 'ANY', 'NONE'),
      allow_tools: fc.array(fc.constantFrom('a', 'b')),
      unknown: json,
    },
    { requiredKeys: [] },
  ),
  before_prompt: fc.record({ prompt: text, unknown: json }),
  after_compact: fc.record({ messages: fc.array(message), unknown: json }),
};

/** The form, a spec, and the top-level keys of the subject that it may change. */
const SPECS: readonly (readonly [string, Json, readonly string[]])[] = [
  ['model', 'small', ['model']],
  ['options', { temperature: 0 }, ['options']],
  ['messages', [{ role: 'user', content: 'x' }], ['messages']],
  ['system_prompt', 'New', ['system_prompt', 'messages']],
  ['system_prompt', { prepend: 'A', append: 'Z' }, ['system_prompt', 'messages']],
  ['add_messages', [{ role: 'user', content: 'x' }], ['messages']],
  ['add_tools', [{ name: 'w' }], ['tools']],
  ['remove_tools', ['e*'], ['tools']],
  ['mode', 'ANY', ['mode']],
  ['allow_tools', ['b', 'c'], ['allow_tools', 'mode']],
  ['rename_tool', 'other', ['tool']],
  ['drop_tool_calls', ['ec*'], ['response']],
  [
    'edit_tool_calls',
    [{ name: 'e*', set: { text: 'x', __proto__x: 1 }, remove: ['path'], rename: 'say' }],
    ['response'],
  ],
  ['set', { command: 'x' }, ['arguments', 'result', 'response', 'command']],
  ['set', JSON.parse('{"__proto__": {"a": 1}}'), ['arguments', 'result', 'response', '__proto__']],
  [
    'remove',
    ['command', '__proto__', 'text.*', 'messages.0.extra'],
    ['arguments', 'result', 'response', 'messages'],
  ],
  ['program', { npm: 'pnpm dlx' }, ['arguments']],
  ['flags', [{ run: 'npm', add: ['--silent'] }], ['arguments']],
  [
    'replace',
    [{ regex: 'np?m|\\d', with: 'p$0' }],
    ['arguments', 'result', 'response', 'messages', 'prompt'],
  ],
  [
    'replace',
    [{ at: '*', regex: '[a-m]+', with: '' }],
    'arguments result response messages prompt model tools options system_prompt unknown'.split(' '),
  ],
  [
    'redact',
    ['secrets', { regex: '[\\w.]+@[\\w.]+' }, { regex: '\\d', with: '#' }],
    ['result', 'response', 'messages', 'prompt'],
  ],
  ['redact', [{ regex: '\\bt', with: 't.t' }], ['result', 'response', 'messages', 'prompt']],
  ['truncate', { max_length: 5, keep: 'both' }, ['result']],
];

const RUNS = SPECS.flatMap(([name, spec, mayChange]) =>
  Object.entries(SUBJECTS).flatMap(([kind, subjects]) => {
    const event = rewriteForm(name)?.events.find((known) => known === kind);
    return event === undefined || subjects === undefined
      ? []
      : [[name, event, spec, mayChange, subjects] as const];
  }),
);

describe.each(RUNS)('%s on %s', (name, kind, spec, mayChange, subjects) => {
  const form = rewriteForm(name);

  function applied(subject: JsonObject): JsonObject | undefined {
    try {
      return form?.apply(spec, subject, rewriteInput(kind, subject));
    } catch (error) {
      if (error instanceof Error && error.name === 'RewriteError') return undefined;
      throw error;
    }
  }

  const messages = subjects.map((subject): JsonObject => JSON.parse(JSON.stringify(subject)));

  test(`${JSON.stringify(spec)} never changes its input, keeps all else and is the same object if nothing changed`, () => {
    fc.assert(
      fc.property(messages, (subject) => {
        const written = JSON.stringify(subject);
        const changed = applied(deepFreeze(subject));
        expect(JSON.stringify(subject)).toBe(written);
        if (changed === undefined) return;
        for (const [key, value] of Object.entries(subject)) {
          if (!mayChange.includes(key)) expect(changed[key]).toBe(value);
        }
        for (const key of Object.keys(changed)) {
          expect(Object.hasOwn(subject, key) || mayChange.includes(key)).toBeTrue();
        }
        expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
        if (JSON.stringify(changed) === written) expect(changed).toBe(subject);
      }),
      { numRuns: 60 },
    );
  });

  // What a replacement puts in place may match again by design; every other form settles.
  if (name === 'replace') return;

  test(`${JSON.stringify(spec)} applied twice is applied once`, () => {
    fc.assert(
      fc.property(messages, (subject) => {
        const once = applied(subject);
        if (once !== undefined) expect(applied(once)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });
});

describe('mapStrings', () => {
  test('changes every string and nothing else', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = JSON.stringify(value);
        const marked = mapStrings(deepFreeze(value), (t) => `<${t}>`);
        expect(JSON.stringify(value)).toBe(written);
        expect(mapStrings(marked, (t) => t.slice(1, -1))).toEqual(value);
        expect(mapStrings(value, (t) => t)).toBe(value);
      }),
    );
  });

  test('shares what did not change', () => {
    const value = { a: { b: 'x' }, c: { d: 'y' } };
    const changed = mapStrings(value, (t) => (t === 'y' ? 'z' : t));
    expect(changed).toEqual({ a: { b: 'x' }, c: { d: 'z' } });
    expect(isJsonObject(changed) && changed['a']).toBe(value.a);
  });

  test('goes as deep as a message may', () => {
    const deep: Json = JSON.parse(`${'['.repeat(MAX_MESSAGE_DEPTH)}"x"${']'.repeat(MAX_MESSAGE_DEPTH)}`);
    let here: Json | undefined = mapStrings(deep, () => 'y');
    while (Array.isArray(here)) here = here[0];
    expect(here).toBe('y');
  });
});
