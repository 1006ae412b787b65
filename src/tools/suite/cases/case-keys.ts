import { HOSTS } from '../../../hosts/registry.ts';
import { CALL_KEYS, CONTEXT_SCHEMA } from '../../../language/calls/call-keys.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import { ACTION_NAMES, EXPECT_KEYS } from '../expect/expect-keys.ts';
import { STEP_KEYS } from '../steps/step.ts';
import { JUDGE_SCHEMA } from './read-judge.ts';

const HOST: JsonObject = { type: 'string', enum: HOSTS.map(({ name }) => name) };

function listOf(items: JsonObject, description: string): JsonObject {
  return { description, ...LIST, items };
}

const CALL: JsonObject = { $ref: '#/$defs/call' };
const CALL_OR_NAME: JsonObject = { anyOf: [{ description: 'A name in "calls"', ...TEXT }, CALL] };

export const FILE_KEYS: Readonly<Record<string, JsonObject>> = {
  version: { description: 'Version of the language of tests; 1 unless given', const: 1 },
  description: { description: 'What this file is for', ...TEXT },
  policies: listOf(
    TEXT,
    'The policies under test: files and folders relative to this file, or builtin:NAME; by default those in its folder',
  ),
  calls: {
    description: 'Sample calls by name, for the cases to use',
    type: 'object',
    minProperties: 1,
    additionalProperties: CALL,
  },
  cases: listOf({ $ref: '#/$defs/case' }, 'The tests'),
};

export const CASE_KEYS: Readonly<Record<string, JsonObject>> = {
  name: { description: 'What the policies should do here', ...TEXT },
  call: { description: 'The call that is judged: a name in "calls", or the call itself', ...CALL_OR_NAME },
  calls: listOf(CALL_OR_NAME, 'Several calls, each judged by itself'),
  hosts: listOf(
    HOST,
    "Runs through each of these agents' own messages and answers; without an agent the engine judges alone",
  ),
  model: { description: "The model's name", ...TEXT },
  cwd: { description: 'The directory of the session; /workspace unless given', ...TEXT },
  context: CONTEXT_SCHEMA,
  history: listOf(CALL_OR_NAME, 'Earlier calls of the same session, in order'),
  steps: listOf({ $ref: '#/$defs/step' }, 'Calls in order, each judged with what became of those before it'),
  interactive: { description: 'True if a person is there whom the agent can ask', type: 'boolean' },
  judge: JUDGE_SCHEMA,
  matrix: {
    description: 'Calls, agents and models with what is expected of each combination',
    $ref: '#/$defs/matrix',
  },
  host: { description: 'The agent whose messages "stdin" holds', ...HOST },
  stdin: {
    description: 'What the agent sends: a message as JSON or text, or a list of them',
    anyOf: [{ type: 'object' }, TEXT, { ...LIST, items: { type: ['object', 'string'] } }],
  },
  expect: {
    description: 'The expected result: an action, or more about the answer',
    $ref: '#/$defs/expect',
  },
  skip: { description: 'Why this case is not run for now', ...TEXT },
};

export const MATRIX_KEYS: Readonly<Record<string, JsonObject>> = {
  calls: listOf({ description: 'A name in "calls"', ...TEXT }, 'The calls, by name'),
  hosts: listOf(HOST, 'The agents'),
  models: listOf(TEXT, 'The models'),
  expect: {
    description:
      'The expected results by call, then agent, then model; an expectation instead of a level holds for all of it',
    type: 'object',
    minProperties: 1,
  },
};

const TEST_FILE: JsonObject = { properties: FILE_KEYS, required: ['cases'], additionalProperties: false };

/** The JSON Schema of the shape of test files: of all but the calls, and the keys that a case has beside others. */
export function shapeSchema(): JsonObject {
  return fileSchema(TEST_FILE);
}

/** The same for a file that holds the steps of one case. */
export function stepsSchema(): JsonObject {
  return fileSchema({ properties: { calls: FILE_KEYS['calls'] ?? {}, steps: CASE_KEYS['steps'] ?? {} } });
}

/** The same for cases with the expectation of one cell instead of their own. */
export function cellSchema(): JsonObject {
  const cases = { items: { properties: { expect: CASE_KEYS['expect'] ?? {} } } };
  return fileSchema({ properties: { cases } });
}

export function testSchema(): JsonObject {
  const call = {
    description: 'A call; keys other than these are arguments of the tool',
    type: 'object',
    properties: Object.fromEntries(Object.entries(CALL_KEYS).map(([key, { schema }]) => [key, schema])),
  };
  const forms = {
    oneOf: [
      { required: ['call', 'expect'] },
      { required: ['calls', 'expect'] },
      { required: ['matrix'] },
      { required: ['steps'] },
      { required: ['stdin', 'host'] },
    ],
  };
  const { $defs, ...shape } = fileSchema(TEST_FILE, call, forms);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy test file',
    ...shape,
    $defs: $defs ?? {},
  };
}

function fileSchema(file: JsonObject, call: JsonObject = {}, forms: JsonObject = {}): JsonObject {
  const mapping = CLOSED;
  const expectation = {
    ...mapping,
    minProperties: 1,
    properties: Object.fromEntries(EXPECT_KEYS.map(({ key, schema }) => [key, schema])),
  };
  return {
    type: 'object',
    ...file,
    $defs: {
      call,
      case: { ...mapping, properties: CASE_KEYS, ...forms },
      step: { ...mapping, required: ['call'], properties: STEP_KEYS },
      matrix: { ...mapping, required: ['calls', 'expect'], properties: MATRIX_KEYS },
      expect: { anyOf: [{ type: 'string', enum: ACTION_NAMES }, expectation] },
    },
  };
}
