import { isJsonObject, type Json } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';
import { compileRegex } from '../../../lib/regex/regex.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import { type Event, TOOL_EVENTS } from '../../../model/event.ts';
import type { Literals } from '../../../model/policy.ts';
import { and, type Truth } from '../../../model/truth.ts';
import { moreSelective } from '../literals.ts';
import type { Matcher } from '../matcher.ts';
import { askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import {
  compileValueTest,
  shownValues,
  VALUE_TEST_DEFINITION,
  VALUE_TEST_SCHEMA,
  valueTestLiterals,
  valueTestProblems,
} from '../types/value-test.ts';
import { argumentValues, textsOf } from './values.ts';

function entriesOf(spec: Json): readonly (readonly [string, Json])[] {
  return isJsonObject(spec) ? Object.entries(spec) : [];
}

/** The arguments of a call for people, each with its name. */
export function seenArguments({ tool }: Event): readonly string[] {
  return Object.entries(tool?.arguments ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
}

function wantsAbsence(test: Json): boolean {
  return isJsonObject(test) && (test['not_regex'] !== undefined || test['exists'] === false);
}

export const argumentsMatcher = {
  key: 'arguments',
  summary:
    'Each path in the arguments passes its test; a path is a name, a.b.0 for nested values, * for every string',
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { minLength: 1 },
    additionalProperties: VALUE_TEST_SCHEMA,
  },
  narrows: true,
  steady: true,
  exempts: true,
  definitions: VALUE_TEST_DEFINITION,
  events: TOOL_EVENTS,
  check: (spec) => entriesOf(spec).flatMap(([path, test]) => prefixed(path, valueTestProblems(test))),
  literals: (spec) =>
    entriesOf(spec).reduce<Literals | undefined>((best, [, test]) => {
      const found = valueTestLiterals(test);
      return found === undefined ? best : moreSelective(best, { scope: 'arguments', ...found });
    }, undefined),
  compile: (spec) => {
    const tests = entriesOf(spec).map(([path, test]) => ({
      name: path,
      path: parsePath(path),
      wanted: test,
      test: compileValueTest(test),
      // Every string is found in any case, under any argument.
      isComplete: path === '*',
      isTurned: wantsAbsence(test),
    }));
    return ({ event }, missed?) => {
      const call = event.tool;
      if (call === undefined) return false;
      if (call.arguments === undefined) return 'unknown';
      let truth: Truth = true;
      for (const [held, { name, path, wanted, test, isComplete, isTurned }] of tests.entries()) {
        if (tests.length > 1) checkTime();
        const values = argumentValues(call, path);
        const part = () => ({ path: [name], wanted, seen: () => shownValues(values) });
        const found = askPart(part, held, missed, (tell) => test(values, tell));
        // A value that was not found can make a yes of a no, or a no of a yes to a value that must not be there.
        const isOpen = call.unsure === true && !isComplete && (isTurned || found === false);
        truth = and(truth, isOpen ? 'unknown' : found);
        if (truth === false) return false;
      }
      return truth;
    };
  },
  seen: ({ event }) => seenArguments(event),
  captures: (spec, { event }) => {
    const call = event.tool;
    if (call === undefined) return undefined;
    for (const [path, test] of entriesOf(spec)) {
      const source = isJsonObject(test) ? test['regex'] : test;
      if (typeof source !== 'string') continue;
      const regex = compileRegex(source);
      for (const text of argumentValues(call, parsePath(path)).flatMap(textsOf)) {
        const captures = regex.captures(text);
        if (captures !== undefined) return captures;
      }
    }
    return undefined;
  },
} as const satisfies Matcher;
