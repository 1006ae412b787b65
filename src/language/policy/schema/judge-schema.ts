import type { JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT, TEXTS } from '../../../lib/schema-parts.ts';
import { ACTIONS, type Action } from '../../../model/action.ts';
import { JUDGE_PROVIDERS, VERDICTS } from '../../../model/judge.ts';
import { DETECTOR_NAMES } from '../../../reader/secrets/detectors.ts';
import { COMMON_PARAMS } from '../../actions/common-params.ts';
import { ACTION_SPECS, actionSpec } from '../../actions/registry.ts';

const PATTERN_OF_JUDGE_NAMES = '^[A-Za-z0-9][A-Za-z0-9._-]*$';
/** A verdict is not for an answer with an action of its own for each event. */
const VERDICT_ACTIONS: readonly Action[] = ACTIONS.filter((action) => action !== 'respond');
/** Actions that may replace a missing verdict. */
const FALLBACK_ACTIONS: readonly Action[] = ['continue', 'ask', 'deny', 'abort_turn', 'hard_abort'];

/** The address of a judge: taken from one place as a whole, so that a key never goes to another's address. */
export const ENDPOINT_SETTINGS: Readonly<Record<string, JsonObject>> = {
  provider: { description: 'The wire format that the judge speaks', enum: JUDGE_PROVIDERS },
  base_url: {
    description: "Address of the judge's API, up to and without /chat/completions or the like",
    ...TEXT,
  },
  api_key_env: { description: "Name of the environment variable that holds the judge's key", ...TEXT },
  structured_output: {
    description: 'Whether the server takes a JSON Schema for the answer; it is tried unless false',
    type: 'boolean',
  },
  ca_file: { description: 'PEM file with further certificate authorities; an absolute path', ...TEXT },
};

/** Settings beside the endpoint that only files of the user, the organisation or --policies have a say in. */
export const TRUSTED_SETTINGS: Readonly<Record<string, JsonObject>> = {
  on_error: {
    description: 'What to do when the judge gives no verdict; deny unless given',
    enum: FALLBACK_ACTIONS,
  },
  on_low_confidence: {
    description: 'What to do at least when the verdict is not to be relied on; ask unless given',
    enum: FALLBACK_ACTIONS,
  },
  redact: {
    description: 'Secret detectors for the text that is sent; by default all, false for none',
    anyOf: [{ const: false }, { ...LIST, uniqueItems: true, items: { enum: DETECTOR_NAMES } }],
  },
  budget: {
    description: 'What may be used up; a judge over its budget gives no verdict',
    ...CLOSED,
    minProperties: 1,
    properties: { session: limitSchema('in one session'), day: limitSchema('in one day, by UTC') },
  },
};

/** Settings that any file may give for its own policies. */
const OPEN_SETTINGS: Readonly<Record<string, JsonObject>> = {
  model: {
    description: "The model's name, as the provider has it",
    type: 'string',
    minLength: 1,
    maxLength: 256,
  },
  timeout: {
    description:
      "Seconds a verdict may take, retries included; 30 unless given, and never more than the agent's own deadline leaves",
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 600,
  },
  retry: {
    description: 'How often to ask again after an error that may pass; 1 unless given',
    type: 'integer',
    minimum: 0,
    maximum: 5,
  },
  samples: {
    description: 'How many answers to ask for, an odd number; the majority counts; 1 unless given',
    enum: [1, 3, 5, 7, 9],
  },
  threshold: {
    description: 'Least confidence for a verdict to count, from 0 to 1; 0 unless given',
    type: 'number',
    minimum: 0,
    maximum: 1,
  },
  max_chars: {
    description: 'The longest value that is shown to the judge whole, in characters; 16000 unless given',
    type: 'integer',
    minimum: 200,
    maximum: 1_000_000,
  },
  max_tokens: {
    description: 'Most tokens of one answer, thinking included; 2048 unless given',
    type: 'integer',
    minimum: 64,
    maximum: 65_536,
  },
  cache: {
    description: 'Where verdicts are kept and for how long; in the state file for a day unless given',
    anyOf: [
      { const: false },
      TEXT,
      {
        ...CLOSED,
        minProperties: 1,
        properties: {
          ttl: {
            description: 'Seconds a verdict is kept; 86400 unless given',
            type: 'number',
            exclusiveMinimum: 0,
            maximum: 31_536_000,
          },
          key: {
            description: 'Template paths whose values must be the same, in addition to the prompt',
            ...TEXTS,
          },
          store: { description: 'Address of a Redis server', ...TEXT },
          password_env: {
            description: 'Name of the environment variable that holds the password of the Redis server',
            ...TEXT,
          },
        },
      },
    ],
  },
};

/** Every setting of a judge, with its schema. */
export const JUDGE_SETTINGS: Readonly<Record<string, JsonObject>> = {
  ...ENDPOINT_SETTINGS,
  ...OPEN_SETTINGS,
  ...TRUSTED_SETTINGS,
};

/** The keys of a policy with `type: llm_judge`, beside its matchers. */
export const JUDGE_POLICY_KEYS: Readonly<Record<string, JsonObject>> = {
  judge: {
    description: 'The judge among `judges` to ask; default unless given',
    type: 'string',
    pattern: PATTERN_OF_JUDGE_NAMES,
    maxLength: 128,
  },
  prompt: { description: 'The question; a template whose values reach the judge fenced', ...TEXT },
  format: {
    description: "verdict: the answer names a verdict; jcli: it is what jcli's llm hooks answer",
    enum: ['verdict', 'jcli'],
  },
  verdicts: verdictsSchema(),
  ...JUDGE_SETTINGS,
};

export function judgesSchema(): JsonObject {
  return {
    description: 'Judges by name, for policies with type llm_judge. Not in project files',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: PATTERN_OF_JUDGE_NAMES, maxLength: 128 },
    additionalProperties: { description: 'One judge', ...CLOSED, properties: JUDGE_SETTINGS },
  };
}

function limitSchema(when: string): JsonObject {
  const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  return {
    description: `Most ${when}`,
    ...CLOSED,
    minProperties: 1,
    properties: {
      calls: { description: `Most questions ${when}`, ...count },
      tokens: { description: `Most tokens ${when}, of questions and answers`, ...count },
    },
  };
}

function verdictsSchema(): JsonObject {
  const params: Record<string, JsonObject> = { ...COMMON_PARAMS };
  for (const spec of ACTION_SPECS) Object.assign(params, spec.params);
  for (const key of Object.keys(actionSpec('respond').params)) delete params[key];
  const action: JsonObject = { description: 'What the verdict does', enum: VERDICT_ACTIONS };
  const names: JsonObject = { enum: VERDICTS };
  return {
    description: 'The verdicts that the judge may choose and what each does; approve and deny unless given',
    anyOf: [
      { ...LIST, uniqueItems: true, items: { type: 'string', ...names } },
      {
        type: 'object',
        minProperties: 1,
        propertyNames: names,
        additionalProperties: {
          anyOf: [
            { type: 'string', ...action },
            { ...CLOSED, properties: { action, ...params } },
          ],
        },
      },
    ],
  };
}
