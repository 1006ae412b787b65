import { didYouMean } from '../../../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../lib/json.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { YamlPath } from '../yaml/yaml.ts';
import { JUDGE_POLICY_KEYS } from './judge-schema.ts';

/** The key of a mapping that the value of a parameter replaces. */
export const REFERENCE = '$parameter';
/** No parameter sets a policy's id, examples and lock, or the question to a model. */
export const FIXED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'examples',
  'locked',
  ...Object.keys(JUDGE_POLICY_KEYS),
]);

/**
 * A file with the values of its parameters in place of `{$parameter: NAME}` in its policies and facts. A list instead of an
 * item of a list is spliced into it.
 *
 * @param values by name; the defaults of the file for the others
 */
export function withParameters(
  file: Json,
  values: ReadonlyMap<string, Json> | undefined,
): { readonly file: Json; readonly unknown: readonly SpecProblem[] } {
  const policies = isJsonObject(file) ? own(file, 'policies') : undefined;
  const facts = isJsonObject(file) ? own(file, 'facts') : undefined;
  if (!isJsonObject(file) || (!Array.isArray(policies) && facts === undefined)) return { file, unknown: [] };
  const declared = Object.entries(ownObject(file, 'parameters') ?? {});
  const defaults = declared.flatMap(([name, each]) => {
    const value = isJsonObject(each) ? own(each, 'default') : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const filling: Filling = { values: new Map([...defaults, ...(values ?? [])]), unknown: [] };
  const filled = Array.isArray(policies)
    ? policies.map((policy: Json, index) =>
        isJsonObject(policy) ? policyWith(policy, ['policies', index], filling) : policy,
      )
    : policies;
  return {
    file: {
      ...file,
      ...(filled === undefined ? {} : { policies: filled }),
      ...(facts === undefined ? {} : { facts: filledIn(facts, ['facts'], filling) }),
    },
    unknown: filling.unknown,
  };
}

interface Filling {
  readonly values: ReadonlyMap<string, Json>;
  readonly unknown: SpecProblem[];
}

function policyWith(policy: JsonObject, at: YamlPath, filling: Filling): JsonObject {
  return Object.fromEntries(
    Object.entries(policy).map(([key, value]) => [
      key,
      FIXED_KEYS.has(key) ? value : filledIn(value, [...at, key], filling),
    ]),
  );
}

function filledIn(value: Json, at: YamlPath, filling: Filling): Json {
  if (Array.isArray(value))
    return value.flatMap((item: Json, index): readonly Json[] => {
      const filled = filledIn(item, [...at, index], filling);
      return referenceIn(item) !== undefined && Array.isArray(filled) ? filled : [filled];
    });
  if (!isJsonObject(value)) return value;
  const name = referenceIn(value);
  if (name === undefined)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, filledIn(each, [...at, key], filling)]),
    );
  const known = filling.values.get(name);
  if (known !== undefined) return known;
  filling.unknown.push({
    code: 'parameter',
    path: at,
    message: `Cannot use parameter "${name}": the file declares none of that name`,
    hint: didYouMean(name, filling.values.keys(), 'add it under "parameters"'),
  });
  return value;
}

function referenceIn(value: Json): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = own(value, REFERENCE);
  return typeof name === 'string' && Object.keys(value).length === 1 ? name : undefined;
}
