import { describe, expect, test } from 'bun:test';
import { ACTION_ALIASES } from '../../src/language/actions/action-aliases.ts';
import { COMMON_PARAMS } from '../../src/language/actions/common-params.ts';
import { ACTION_SPECS, actionSpec } from '../../src/language/actions/registry.ts';
import { REWRITE_FORMS } from '../../src/language/actions/rewrite/registry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts';
import { jsonSchemaProblems } from '../../src/lib/json-schema/json-schema.ts';
import { ACTIONS, type Action } from '../../src/model/action.ts';
import { EVENT_KINDS, type EventKind } from '../../src/model/event.ts';
import { actionInput } from './input.ts';

test('ACTION_SPECS has every action once, strongest first', () => {
  expect(ACTION_SPECS.map(({ action }) => action)).toEqual([...ACTIONS]);
  for (const action of ACTIONS) expect(actionSpec(action).action).toBe(action);
});

const IN_A_TURN: readonly EventKind[] = [
  'before_prompt',
  'before_llm',
  'after_llm',
  'before_tool',
  'approve_tool',
  'after_tool',
  'tool_failure',
  'after_turn',
];
const CHANGEABLE: readonly EventKind[] = [
  ...IN_A_TURN.filter((kind) => kind !== 'after_turn'),
  'tool_choice',
];
const EVENTS: Readonly<Record<Action, readonly EventKind[]>> = {
  continue: EVENT_KINDS,
  approve: ['before_tool', 'approve_tool'],
  ask: ['before_tool', 'approve_tool'],
  respond: ['before_llm', 'before_tool'],
  deny: [...CHANGEABLE, 'before_compact'],
  modify: [...CHANGEABLE, 'after_compact'],
  retry_feedback: IN_A_TURN,
  abort_turn: IN_A_TURN,
  hard_abort: IN_A_TURN,
};

describe.each(ACTION_SPECS.map((spec) => [spec.action, spec] as const))('spec %s', (action, spec) => {
  test('may be used on its events, in the order of a turn', () => {
    const inOrder = EVENT_KINDS.filter((kind) => spec.events.includes(kind));
    expect(inOrder).toEqual(EVENT_KINDS.filter((kind) => EVENTS[action].includes(kind)));
    expect(new Set(spec.events).size).toBe(spec.events.length);
  });

  test('names its required parameters among its parameters, none of them a common one', () => {
    const names = Object.keys(spec.params);
    expect(spec.required.filter((key) => !names.includes(key))).toEqual([]);
    expect(names.filter((key) => Object.hasOwn(COMMON_PARAMS, key))).toEqual([]);
  });
});

const SCHEMAS: readonly (readonly [string, JsonObject])[] = [
  ...Object.entries(COMMON_PARAMS),
  ...ACTION_SPECS.flatMap(({ action, params }) =>
    Object.entries(params).map(([key, schema]) => [`${action}.${key}`, schema] as const),
  ),
  ...REWRITE_FORMS.map(({ key, schema }) => [`rewrite.${key}`, schema] as const),
];

describe.each(SCHEMAS)('schema of %s', (name, schema) => {
  test('is a JSON Schema', () => {
    expect(jsonSchemaProblems(schema)).toEqual([]);
  });

  // A form has its summary for that.
  test.skipIf(name.startsWith('rewrite.'))('describes itself', () => {
    expect(schema['description']).toBeString();
  });

  test('names and describes every key of its objects and closes them', () => {
    expect(openObjects(schema)).toEqual([]);
  });
});

/** Objects with named keys that let other keys in or do not describe their keys. */
function openObjects(schema: Json): readonly Json[] {
  if (Array.isArray(schema)) return schema.flatMap((item: Json) => openObjects(item));
  if (!isJsonObject(schema)) return [];
  const inside = Object.values(schema).flatMap(openObjects);
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return inside;
  const undescribed = Object.entries(properties).filter(
    ([key, value]) => key !== 'type' && !(isJsonObject(value) && Object.hasOwn(value, 'description')),
  );
  const isClosed = schema['additionalProperties'] === false && undescribed.length === 0;
  return isClosed ? inside : [...inside, schema];
}

test('ACTION_ALIASES stand for actions on events that the action has', () => {
  expect(Object.keys(ACTION_ALIASES)).toEqual(['deny_tool']);
  for (const { action, events } of Object.values(ACTION_ALIASES)) {
    const all = actionSpec(action).events;
    expect(events.filter((kind) => !all.includes(kind))).toEqual([]);
    expect(events.length).toBeLessThan(all.length);
  }
});

const DECIDED: readonly (readonly [Action, JsonObject, Json])[] = [
  ['continue', {}, {}],
  ['approve', {}, {}],
  ['modify', { rewrite: { set: { a: 1 } } }, {}],
  [
    'deny',
    { reason: 'Not here', instead: 'There' },
    { reason: 'Refused by pack/rule: not here. Instead: there.' },
  ],
  ['ask', { reason: 'Costs money' }, { reason: 'Approval needed by pack/rule: costs money.' }],
  ['abort_turn', { reason: 'Enough' }, { reason: 'Refused by pack/rule: enough.' }],
  ['hard_abort', {}, { reason: 'Refused by pack/rule.' }],
];

test.each(DECIDED)('%s decides %j', (action, params, expected) => {
  expect<unknown>(actionSpec(action).decide(params, actionInput())).toEqual(expected);
});

test.each(['deny', 'ask', 'abort_turn', 'hard_abort'] as const)(
  '%s finds a broken template in its reason',
  (action) => {
    expect(actionSpec(action).check?.({ reason: 'a {{' })).toMatchObject([
      { code: 'template', path: ['reason'] },
    ]);
  },
);

test('modify finds the problems of each form and says where', () => {
  const rewrite = { replace: [{ regex: '(', with: '' }], set: { 'a..b': '{{' }, redact: ['secrts'] };
  expect(actionSpec('modify').check?.({ rewrite })).toMatchObject([
    { code: 'regex', path: ['rewrite', 'replace', 0, 'regex'] },
    { code: 'bad-value', path: ['rewrite', 'set', 'a..b'] },
    { code: 'template', path: ['rewrite', 'set', 'a..b'] },
    { code: 'bad-value', path: ['rewrite', 'redact', 0], hint: 'did you mean "secrets"?' },
  ]);
});
