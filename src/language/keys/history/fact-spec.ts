import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { CLOSED } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { FACT_OUTCOMES, type FactOutcome } from '../../../model/history.ts';
import { prefixed } from '../spec-path.ts';
import { type MatcherTable, whenProblems } from '../when.ts';
import { FACT_ASKS } from './fact-places.ts';

const NAME = '[A-Za-z0-9][A-Za-z0-9._-]*';

/** The schema of a fact where a key names it: its name, that of another file with the file's, or its keys. */
export const FACT_SCHEMA: JsonObject = {
  anyOf: [
    {
      type: 'string',
      pattern: `^${NAME}(/${NAME})?$`,
      description: 'A name under "facts", or file-name/fact for one of another file',
    },
    { $ref: '#/$defs/fact' },
  ],
};

export const FACT_NAME_PATTERN = `^${NAME}$`;

export function factSchema(matcherKeys: readonly string[]): JsonObject {
  const own = matcherKeys.filter((key) => !FACT_ASKS.includes(key));
  return {
    description: 'Calls by their matching keys, and their outcome',
    ...CLOSED,
    minProperties: 1,
    properties: {
      ...Object.fromEntries(own.map((key) => [key, { $ref: `#/$defs/when/properties/${key}` }])),
      outcome: {
        description:
          'passed: it was not refused here; done: its result came back; succeeded, failed: so did its own status; by default passed, and done for not_seen and carries',
        enum: FACT_OUTCOMES,
      },
    },
  };
}

/** A fact as a policy has it until its set is known. */
export interface FactDefinition {
  /** Its name in its file; undefined if it is written in place. */
  readonly name: string | undefined;
  readonly when: JsonObject;
  readonly outcome: FactOutcome | undefined;
}

/** The keys of a fact taken apart. */
export function factDefinition(spec: JsonObject, name?: string): FactDefinition {
  const { outcome, ...when } = spec;
  return { name, when, outcome: FACT_OUTCOMES.find((each) => each === outcome) };
}

/** A definition as a spec in the keys of a policy. */
export function definitionSpec({ name, when, outcome }: FactDefinition): JsonObject {
  return { ...(name === undefined ? {} : { name }), when, ...(outcome === undefined ? {} : { outcome }) };
}

/** The definition in a spec that `definitionSpec` made; undefined for anything else. */
export function definitionIn(spec: Json): FactDefinition | undefined {
  const when = isJsonObject(spec) ? own(spec, 'when') : undefined;
  if (!isJsonObject(spec) || when === undefined || !isJsonObject(when)) return undefined;
  const outcome = own(spec, 'outcome');
  return { name: ownString(spec, 'name'), when, outcome: FACT_OUTCOMES.find((each) => each === outcome) };
}

export function factProblems(spec: Json, table: MatcherTable): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return [];
  const { when } = factDefinition(spec);
  if (Object.keys(when).length === 0) {
    const message = 'Cannot use the fact: it does not say which calls it is about';
    return [{ code: 'missing-key', path: [], message, hint: 'add a matching key such as command or path' }];
  }
  return [...historyProblems(when, table), ...whenProblems(when, table)];
}

/** Facts are about calls alone: one that asked for history could end up asking for itself. */
function historyProblems(value: Json, table: MatcherTable): readonly SpecProblem[] {
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => prefixed(index, historyProblems(item, table)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, spec]): readonly SpecProblem[] => {
    if (FACT_ASKS.includes(key)) {
      const message = `Cannot use key "${key}" in a fact: facts that ask for history could ask for each other in a circle`;
      return [{ code: 'bad-value', path: [key], message, hint: 'ask for it in the policy' }];
    }
    return table.get(key)?.joins ? prefixed(key, historyProblems(spec, table)) : [];
  });
}
