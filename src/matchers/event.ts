import { isJsonObject } from '../lib/json.ts';
import { parsePath, valuesAt } from '../lib/json-path.ts';
import { and, type Truth } from '../model/truth.ts';
import { asksForExistence } from './context.ts';
import type { Matcher } from './matcher.ts';
import { prefixed } from './spec-path.ts';
import { compileValueTest, VALUE_TEST_SCHEMA, valueTestProblems } from './value-test.ts';

const testOrScalar = { anyOf: [{ type: ['number', 'boolean', 'null'] }, VALUE_TEST_SCHEMA] } as const;

/** Tests on the host's own event. */
export const event = {
  key: 'event',
  summary: "Each path in the host's own event passes its test; a path that the host did not send is unknown",
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { minLength: 1 },
    additionalProperties: testOrScalar,
  },
  check: (spec) =>
    isJsonObject(spec)
      ? Object.entries(spec).flatMap(([path, test]) => prefixed(path, valueTestProblems(test)))
      : [],
  compile: (spec) => {
    const tests = Object.entries(isJsonObject(spec) ? spec : {}).map(([path, test]) => ({
      path: parsePath(path),
      test: compileValueTest(test),
      absentIsAnswer: asksForExistence(test),
    }));
    return (facts) => {
      let truth: Truth = true;
      for (const { path, test, absentIsAnswer } of tests) {
        const values = valuesAt(facts.event.raw, path);
        truth = and(truth, values.length === 0 && !absentIsAnswer ? 'unknown' : test(values));
        if (truth === false) return false;
      }
      return truth;
    };
  },
} as const satisfies Matcher;
