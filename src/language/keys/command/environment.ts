import { compileNameGlob } from '../../../lib/glob/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { TEXT, TEXTS } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { and, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import type { Word } from '../../../reader/reading/word.ts';
import { prefixed } from '../spec-path.ts';
import { VALUE_TEST_SCHEMA, valueTestProblems } from '../types/value-test.ts';
import { compileWordTest, type WordTest } from '../types/word-test.ts';

export const ENVIRONMENT_SCHEMA: JsonObject = {
  anyOf: [
    TEXT,
    TEXTS,
    { type: 'object', minProperties: 1, propertyNames: TEXT, additionalProperties: VALUE_TEST_SCHEMA },
  ],
  description:
    'One of these variables is set for it, to another value than it already has: names, * matches any characters, or from names to tests on the value',
};

/** The problems in a test on variables that its schema cannot express. */
export function environmentProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, nameProblems(each)));
  if (!isJsonObject(spec)) return nameProblems(spec);
  return Object.entries(spec).flatMap(([key, test]) =>
    prefixed(key, [...nameProblems(key), ...valueTestProblems(test)]),
  );
}

/** `$NAME` and `NAME=value` */
function nameProblems(written: Json): readonly SpecProblem[] {
  if (typeof written !== 'string' || !/[$=\s]/.test(written)) return [];
  const [name = '', value] = written.replace(/^\$\{?|\}$/g, '').split('=');
  const hint = value === undefined ? `write ${name.trim()}` : `write {${name.trim()}: {equals: ${value}}}`;
  return [
    { code: 'bad-value', path: [], message: `Cannot test variable "${written}": it is not a name`, hint },
  ];
}

/** Compiles a test on the variables that the script sets for one command. Those that may not reach it excuse nothing. */
export function environmentTest(spec: Json, excuses: boolean): (command: ReadCommand) => Truth {
  const tests = testsOf(spec);
  return ({ assignments }) => {
    let truth: Truth = false;
    for (const assignment of assignments) {
      checkTime();
      // An excuse holds on every way.
      const values = (excuses ? assignment.ways : undefined) ?? [assignment.value];
      for (const { fits, test } of tests) {
        if (assignment.name === '') truth = or(truth, 'unknown');
        else if (fits(assignment.name) && !(excuses && assignment.maybe === true)) {
          const isSo = (all: Truth, value: Word) => and(all, test?.(value) ?? assignment.same !== true);
          truth = or(truth, values.reduce(isSo, true));
        }
      }
    }
    return truth;
  };
}

interface VariableTest {
  readonly fits: (name: string) => boolean;
  /** Undefined where all counts that changes it. */
  readonly test: WordTest | undefined;
}

function testsOf(spec: Json): readonly VariableTest[] {
  if (isJsonObject(spec)) {
    return Object.entries(spec).map(([key, test]) => ({
      fits: compileNameGlob(key),
      test: compileWordTest(test),
    }));
  }
  const names = Array.isArray(spec) ? spec : [spec];
  return names.map((key) => ({ fits: compileNameGlob(String(key)), test: undefined }));
}
