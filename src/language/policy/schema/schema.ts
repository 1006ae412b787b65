import { HOSTS } from '../../../hosts/registry.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT, TEXTS } from '../../../lib/schema-parts.ts';
import { EVENT_KINDS } from '../../../model/event.ts';
import { ACTION_ALIASES } from '../../actions/action-aliases.ts';
import { COMMON_PARAMS } from '../../actions/common-params.ts';
import { ACTION_SPECS } from '../../actions/registry.ts';
import { FACT_NAME_PATTERN, factSchema } from '../../keys/history/fact-spec.ts';
import { MATCHERS } from '../../keys/registry.ts';
import { appliesToSchema } from './applies-to.ts';
import { exceptionsSchema } from './exception-schema.ts';
import { JUDGE_TYPE } from './judge-draft.ts';
import { JUDGE_POLICY_KEYS, judgesSchema } from './judge-schema.ts';
import { managedSchema } from './managed-schema.ts';
import { parametersSchema, settingsSchema } from './parameters-schema.ts';
import { pluginToolSchema } from './plugin-tool-schema.ts';
import { programDefinitions, programsSchema } from './row-schema.ts';
import { SECTION_KEYS, type SectionKey } from './sections.ts';

const PATTERN_OF_IDS = '^[A-Za-z0-9][A-Za-z0-9._-]*$';
const CANARY: JsonObject = {
  description: 'The share for which the policy is enforced, as in {percent: 10, by: repository}',
  ...CLOSED,
  required: ['percent'],
  properties: {
    percent: {
      description: 'The percentage of machines or repositories that enforce it',
      type: 'number',
      minimum: 0,
      maximum: 100,
    },
    by: { description: 'Of what; machine by default', enum: ['machine', 'repository'] },
  },
};
const MODE: JsonObject = {
  description:
    'enforce; monitor: log what would have happened and do nothing; or canary: enforce for a share and monitor for the rest. enforce unless given',
  anyOf: [
    { type: 'string', enum: ['enforce', 'monitor'] },
    { ...CLOSED, required: ['canary'], properties: { canary: CANARY } },
  ],
};

/** The JSON Schema 2020-12 of policy files, composed from the registries. */
export function policySchema(): JsonObject {
  const schemas = sectionSchemas();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy file',
    ...CLOSED,
    required: ['version'],
    properties: Object.fromEntries(SECTION_KEYS.map((key) => [key, schemas[key]])),
    $defs: {
      policy: singlePolicySchema(),
      when: whenSchema(),
      fact: factSchema(MATCHERS.map(({ key }) => key)),
      tool: pluginToolSchema(),
      ...programDefinitions(),
      ...Object.assign({}, ...MATCHERS.map(({ definitions }) => definitions)),
    },
  };
}

function sectionSchemas(): Readonly<Record<SectionKey, JsonObject>> {
  return {
    version: { description: 'Version of the policy language: 1', const: 1 },
    name: {
      description: "First part of every policy's id; by default, the file's name without its extension",
      type: 'string',
      pattern: PATTERN_OF_IDS,
      maxLength: 128,
    },
    description: { description: 'What this file is for', ...TEXT },
    extends: {
      description: 'Policy files, folders and globs to load too, relative to this file, or builtin:NAME',
      ...TEXTS,
    },
    disable: {
      description:
        'Built-in packs, or single policies of theirs, to turn off: builtin:NAME or NAME/policy-id',
      ...TEXTS,
    },
    defaults: defaultsSchema(),
    applies_to: appliesToSchema(),
    parameters: parametersSchema(),
    settings: settingsSchema(),
    judges: judgesSchema(),
    programs: programsSchema(),
    facts: {
      description: 'Names for calls, for policies that ask whether these came before',
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: FACT_NAME_PATTERN },
      additionalProperties: { $ref: '#/$defs/fact' },
    },
    policies: { description: 'The policies', ...LIST, items: { $ref: '#/$defs/policy' } },
    exceptions: exceptionsSchema(),
    managed: managedSchema(),
    tools: { description: 'Plugin tools', ...LIST, items: { $ref: '#/$defs/tool' } },
  };
}

function defaultsSchema(): JsonObject {
  return {
    description: 'Defaults for this file only',
    ...CLOSED,
    minProperties: 1,
    properties: {
      mode: MODE,
      action: { description: 'The action of policies that give none', enum: actionNames() },
      when_unknown: {
        description: 'How an unknown key counts, for policies that do not say so themselves',
        enum: ['match', 'skip'],
      },
      unmatched: {
        description: 'What happens to a tool call that no policy approves; continue by default',
        enum: ['continue', 'deny'],
      },
      on_error: {
        description: 'What to do if policies cannot be evaluated; refuse by default. Not in project files',
        enum: ['refuse', 'continue'],
      },
    },
  };
}

function matcherProperties(): Record<string, JsonObject> {
  const properties: Record<string, JsonObject> = {};
  for (const { key, summary, schema } of MATCHERS) properties[key] = { description: summary, ...schema };
  properties['hosts'] = { ...properties['hosts'], items: { enum: HOSTS.map((host) => host.name) } };
  return properties;
}

function whenSchema(): JsonObject {
  return {
    description: 'Keys that must all hold',
    ...CLOSED,
    minProperties: 1,
    properties: matcherProperties(),
  };
}

function singlePolicySchema(): JsonObject {
  const params: Record<string, JsonObject> = { ...COMMON_PARAMS };
  for (const spec of ACTION_SPECS) Object.assign(params, spec.params);
  // The conditions say which of the two a key is that both have.
  const shared = Object.keys(JUDGE_POLICY_KEYS).filter((key) => Object.hasOwn(params, key));
  return {
    ...CLOSED,
    required: ['id'],
    properties: {
      id: { description: 'Unique in its file', type: 'string', pattern: PATTERN_OF_IDS, maxLength: 128 },
      description: { description: 'What the policy is for; also the reason if it gives none', ...TEXT },
      on: onSchema(),
      ...Object.fromEntries(MATCHERS.map(({ key }) => [key, { $ref: `#/$defs/when/properties/${key}` }])),
      type: {
        description: 'llm_judge: a model decides; a policy without a type has an action',
        enum: [JUDGE_TYPE],
      },
      action: { description: 'What to do when every key above holds', enum: actionNames() },
      ...params,
      ...JUDGE_POLICY_KEYS,
      ...Object.fromEntries(
        shared.map((key) => [key, { anyOf: [params[key] ?? {}, JUDGE_POLICY_KEYS[key] ?? {}, {}] }]),
      ),
      mode: MODE,
      priority: {
        description: 'Orders rewrites and picks the reason to show; 0 by default',
        type: 'integer',
      },
      when_unknown: {
        description: 'How an unknown key counts: by default match for refusals, skip for the rest',
        enum: ['match', 'skip'],
      },
      locked: { description: 'true: nobody can exempt calls from it', const: true },
      examples: examplesSchema(),
    },
    allOf: [judgeOrAction(params), ...actionNames().map((name) => paramsOf(name, Object.keys(params)))],
  };
}

/** A policy with a judge has a prompt where another has an action, and neither takes the other's keys. */
function judgeOrAction(params: Readonly<Record<string, JsonObject>>): JsonObject {
  /** None of these keys, but for those that the others have as well. */
  const instead = (
    keys: readonly string[],
    others: Readonly<Record<string, JsonObject>>,
  ): Record<string, Json> => Object.fromEntries(keys.map((key) => [key, others[key] ?? false]));
  return {
    if: { properties: { type: { const: JUDGE_TYPE } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      required: ['prompt'],
      properties: instead(['action', ...Object.keys(params)], JUDGE_POLICY_KEYS),
    },
    else: { required: ['action'], properties: instead(Object.keys(JUDGE_POLICY_KEYS), params) },
  };
}

function onSchema(): JsonObject {
  const kind: JsonObject = { enum: EVENT_KINDS };
  return {
    description: 'One or more events; before_tool by default. before_tool covers approve_tool too',
    anyOf: [
      { type: 'string', ...kind },
      { ...LIST, uniqueItems: true, items: { type: 'string', ...kind } },
    ],
  };
}

/** The values of a policy's `action`, aliases included. */
export function actionNames(): readonly string[] {
  return [...ACTION_SPECS.map((spec) => spec.action), ...Object.keys(ACTION_ALIASES)];
}

/** The keys that one action asks for, and those that belong to other actions. */
function paramsOf(name: string, all: readonly string[]): JsonObject {
  const spec = ACTION_SPECS.find(({ action }) => action === (ACTION_ALIASES[name]?.action ?? name));
  const own = new Set([...Object.keys(spec?.params ?? {}), ...Object.keys(COMMON_PARAMS)]);
  const foreign = all.filter((key) => !own.has(key)).map((key): [string, Json] => [key, false]);
  return {
    if: { properties: { action: { const: name } }, required: ['action'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: spec?.required ?? [], properties: Object.fromEntries(foreign) },
  };
}

function examplesSchema(): JsonObject {
  const calls: JsonObject = { ...LIST, items: { type: 'object' } };
  return {
    description: 'Calls that the policy must and must not match; run on every check and test',
    ...CLOSED,
    minProperties: 1,
    properties: {
      hit: { description: 'Tool arguments or bare calls that match', ...calls },
      miss: { description: 'Tool arguments or bare calls that do not match', ...calls },
    },
  };
}
