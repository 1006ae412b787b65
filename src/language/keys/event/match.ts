import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { parsePath, valuesAt } from '../../../lib/json-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { Event } from '../../../model/event.ts';
import { and, type Truth } from '../../../model/truth.ts';
import { asksForExistence } from '../context/match.ts';
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

const testOrScalar = { anyOf: [{ type: ['number', 'boolean', 'null'] }, VALUE_TEST_SCHEMA] } as const;

export const event = {
  key: 'event',
  summary:
    "Each path in the agent's own event passes its test; a path that the agent did not send is unknown",
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { minLength: 1 },
    additionalProperties: testOrScalar,
  },
  narrows: true,
  reads: () => ['event'],
  definitions: VALUE_TEST_DEFINITION,
  check: (spec) =>
    isJsonObject(spec)
      ? Object.entries(spec).flatMap(([path, test]) => prefixed(path, valueTestProblems(test)))
      : [],
  compile: (spec) => {
    const tests = Object.entries(isJsonObject(spec) ? spec : {}).map(([path, test]) => ({
      name: path,
      path: parsePath(path),
      wanted: test,
      test: compileValueTest(test),
      absentIsAnswer: asksForExistence(test),
    }));
    return (facts, missed?) => {
      let truth: Truth = true;
      for (const [held, { name, path, wanted, test, absentIsAnswer }] of tests.entries()) {
        if (tests.length > 1) checkTime();
        const values = valuesIn(facts.event, path);
        const part = () => ({ path: [name], wanted, seen: () => shownValues(values) });
        const isUnknown = values.length === 0 && !absentIsAnswer;
        truth = and(
          truth,
          askPart(part, held, missed, (tell) => (isUnknown ? 'unknown' : test(values, tell))),
        );
        if (truth === false) return false;
      }
      return truth;
    };
  },
  seen: ({ event }) => Object.keys(event.raw),
} as const satisfies Matcher;

/** At the top of the host's event, else inside the result or answer that it is about. */
function valuesIn({ raw, subject }: Event, path: readonly string[]): readonly Json[] {
  for (const root of [raw, own(subject, 'result'), own(subject, 'response')]) {
    const values = root === undefined ? [] : valuesAt(root, path);
    if (values.length > 0) return values;
  }
  return [];
}
