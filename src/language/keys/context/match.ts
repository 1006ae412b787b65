import { isJsonObject, type Json } from '../../../lib/json.ts';
import { CLOSED } from '../../../lib/schema-parts.ts';
import { CONTEXT_KEYS, type ContextKey, MACHINE_CONTEXT } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { and, type Truth } from '../../../model/truth.ts';
import type { Matcher } from '../matcher.ts';
import { askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import {
  compileValueTest,
  shownValues,
  VALUE_TEST_DEFINITION,
  VALUE_TEST_SCHEMA,
  valueTestProblems,
} from '../types/value-test.ts';

const scalar: readonly string[] = ['string', 'number', 'boolean'];

/** Facts about the conversation, as far as the host says them. */
export const context = {
  key: 'context',
  summary:
    'Facts about the conversation pass their tests; a plain value means equality, a missing fact is unknown',
  schema: {
    ...CLOSED,
    minProperties: 1,
    properties: Object.fromEntries(
      CONTEXT_KEYS.map((key) => [key, { anyOf: [{ type: scalar }, VALUE_TEST_SCHEMA] }]),
    ),
  },
  exempts: true,
  definitions: VALUE_TEST_DEFINITION,
  check: (spec) =>
    isJsonObject(spec)
      ? Object.entries(spec).flatMap(([key, test]) => prefixed(key, valueTestProblems(test, 'equals')))
      : [],
  compile: (spec) => {
    const tests = Object.entries(isJsonObject(spec) ? spec : {}).map(([key, test]) => ({
      key: key as ContextKey,
      wanted: test,
      // Forges take names of repositories in any case.
      test: compileValueTest(key === 'repository' ? withoutCase(test) : test, 'equals'),
      absentIsAnswer: asksForExistence(test),
    }));
    return (facts, missed?) => {
      let truth: Truth = true;
      for (const [held, { key, wanted, test, absentIsAnswer }] of tests.entries()) {
        const value = factOf(key, facts);
        const values = value === undefined || value === null ? [] : [value];
        const part = () => ({ path: [key], wanted, seen: () => shownValues(values) });
        const isUnknown = value === undefined && !absentIsAnswer;
        truth = and(
          truth,
          askPart(part, held, missed, (tell) => (isUnknown ? 'unknown' : test(values, tell))),
        );
        if (truth === false) return false;
      }
      return truth;
    };
  },
  seen: ({ event }) => Object.entries(event.context).map(([key, value]) => `${key} ${value}`),
} as const satisfies Matcher;

/** Null if it is certain that there is none, undefined if nobody says. */
function factOf(
  key: ContextKey,
  { event, surroundings }: Facts,
): string | number | boolean | null | undefined {
  if (key === 'host') return event.host;
  const said = event.context[key];
  if (said !== undefined || !MACHINE_CONTEXT.includes(key))
    return key === 'repository' && typeof said === 'string' ? said.toLowerCase() : said;
  const repository = surroundings.repository?.();
  if (repository === undefined || repository === null) return repository;
  if (key === 'branch') return repository.branch;
  return key === 'repository' ? repository.name : repository.root;
}

/** A test for existence alone has an answer for a missing value. */
export function asksForExistence(test: Json): boolean {
  return isJsonObject(test) && Object.hasOwn(test, 'exists');
}

/** A value test for texts in lower case that takes its own words, in any letter case, for the same. */
function withoutCase(test: Json): Json {
  if (!isJsonObject(test)) return lowered(test);
  return Object.fromEntries(
    Object.entries(test).map(([key, value]) => [
      key,
      key === 'regex' || key === 'not_regex' ? `(?i)${value}` : lowered(value),
    ]),
  );
}

function lowered(value: Json): Json {
  if (Array.isArray(value)) return value.map(lowered);
  return typeof value === 'string' ? value.toLowerCase() : value;
}
