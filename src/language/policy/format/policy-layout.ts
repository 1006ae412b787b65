import { type JsonObject, ownObject } from '../../../lib/json.ts';
import { COMMON_PARAMS } from '../../actions/common-params.ts';
import { ACTION_SPECS } from '../../actions/registry.ts';
import { FACT_ASKS } from '../../keys/history/fact-places.ts';
import { MATCHER_TABLE, MATCHERS } from '../../keys/registry.ts';
import { exceptionSchema } from '../schema/exception-schema.ts';
import { JUDGE_POLICY_KEYS } from '../schema/judge-schema.ts';
import { pluginToolSchema } from '../schema/plugin-tool-schema.ts';
import { SECTION_KEYS } from '../schema/sections.ts';
import type { Layout } from './layout.ts';

/** People read a policy in this order: its name, its events, its subject, and its action. */
function policyKeys(): readonly string[] {
  const params = ACTION_SPECS.flatMap((spec) => Object.keys(spec.params));
  return [
    'id',
    'description',
    'mode',
    'priority',
    'on',
    ...MATCHERS.map(({ key }) => key),
    'when_unknown',
    'locked',
    'type',
    ...Object.keys(JUDGE_POLICY_KEYS),
    'action',
    'reason',
    'instead',
    ...params,
    ...Object.keys(COMMON_PARAMS),
    'examples',
  ].filter((key, index, all) => all.indexOf(key) === index);
}

/** The keys of a mapping in the order of its schema. */
function keysOfSchema(schema: JsonObject): readonly string[] {
  return Object.keys(ownObject(schema, 'properties') ?? {});
}

/** The canonical form of policy files. */
export function policyLayout(): Layout {
  const keys = policyKeys();
  const toolKeys = keysOfSchema(pluginToolSchema());
  const exceptionKeys = keysOfSchema(exceptionSchema());
  return {
    keysAt: (path) => {
      const [section, index, key] = path;
      const last = path.at(-1);
      const ofFacts = FACT_ASKS.find((each) => each === last);
      if (path.length > 2 && ofFacts !== undefined)
        return keysOfSchema(MATCHER_TABLE.get(ofFacts)?.schema ?? {});
      if (path.length === 2 && section === 'facts') return [...MATCHER_TABLE.keys(), 'outcome'];
      if (path.length === 0) return SECTION_KEYS;
      if (path.length === 2 && typeof index === 'number') {
        if (section === 'policies') return keys;
        if (section === 'tools') return toolKeys;
        if (section === 'exceptions') return exceptionKeys;
      }
      return path.length === 3 && section === 'policies' && key === 'examples' ? ['hit', 'miss'] : undefined;
    },
    isSpaced: (path) => path.length === 1 && (path[0] === 'policies' || path[0] === 'tools'),
  };
}
