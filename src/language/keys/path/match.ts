import { isJsonObject, type Json } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import { and, or, type Truth } from '../../../model/truth.ts';
import type { PathUse } from '../../../reader/reading/reading.ts';
import { showWord } from '../../../reader/reading/word.ts';
import { callPaths } from '../call/paths.ts';
import { TRAITS } from '../call/traits.ts';
import type { Matcher } from '../matcher.ts';
import { prefixed } from '../spec-path.ts';
import { pathNeeds } from './path-needs.ts';
import { SET_VARIABLES_SCHEMA, setVariablesTest } from './set-variables.ts';
import { compilePathTest, GLOBS, PATH_TEST_KEYS, type PathTest, pathTestProblems } from './spec.ts';
import { WRITTEN_FIELDS_SCHEMA, writtenFieldsTest } from './written-fields.ts';

const USES: readonly PathUse[] = ['read', 'write', 'empty', 'delete', 'list', 'execute', 'mention'];
const use = { type: 'string', enum: USES } as const;

function usesIn(spec: Json): readonly PathUse[] {
  const written = isJsonObject(spec) ? spec['uses'] : undefined;
  const isAboutText = isJsonObject(spec) && (spec['sets'] ?? spec['fields']) !== undefined;
  if (written === undefined && isAboutText) return ['write'];
  if (written === undefined) return USES;
  return USES.filter((use) => (Array.isArray(written) ? written.includes(use) : written === use));
}

/** Tests the written text, if a policy asks for it. */
function writtenTest(spec: Json): PathTest {
  const { sets, fields } = isJsonObject(spec) ? spec : {};
  const tests = [
    ...(sets === undefined ? [] : [setVariablesTest(sets)]),
    ...(fields === undefined ? [] : [writtenFieldsTest(fields)]),
  ];
  return (used, surroundings) =>
    tests.reduce<Truth>((truth, each) => and(truth, each(used, surroundings)), true);
}

/** Tests if one path fits a spec, by its use and by the text that is written there. */
export function usedPathTest(spec: Json): PathTest {
  const uses = usesIn(spec);
  let test: PathTest | undefined;
  let written: PathTest | undefined;
  return (used, surroundings) => {
    if (used.use !== undefined && !uses.includes(used.use)) return false;
    test ??= compilePathTest(spec);
    let fits = test(used, surroundings);
    if (fits !== false) {
      // The written text is read only if it counts.
      written ??= writtenTest(spec);
      fits = and(fits, written(used, surroundings));
    }
    return used.use === undefined && uses.length < USES.length ? and(fits, 'unknown') : fits;
  };
}

export const path = {
  key: 'path',
  summary: 'The call uses a matching path, through a file tool or a shell command',
  schema: {
    anyOf: [
      ...GLOBS.anyOf,
      {
        ...CLOSED,
        minProperties: 1,
        properties: {
          ...PATH_TEST_KEYS,
          uses: {
            anyOf: [use, { ...LIST, items: use }],
            description:
              'Only paths that are read, written, emptied, deleted, listed, executed or mentioned; by default all',
          },
          sets: SET_VARIABLES_SCHEMA,
          fields: WRITTEN_FIELDS_SCHEMA,
        },
      },
    ],
  },
  narrows: true,
  steady: true,
  events: TOOL_EVENTS,
  check: (spec) => [
    ...pathTestProblems(spec),
    ...['sets', 'fields'].flatMap((key) => {
      const from = atPath(spec, [key, 'from']);
      return from === undefined ? [] : prefixed(key, prefixed('from', pathTestProblems(from)));
    }),
  ],
  needs: (spec) => {
    const uses = usesIn(spec);
    const { paths, around } = pathNeeds(spec);
    return [
      {
        traits: [uses.reduce<number>((bits, use) => bits | TRAITS[use], TRAITS.argument)],
        ...(paths === undefined ? {} : { paths }),
        // To list a folder is not to look into the files in it.
        ...(around === undefined || uses.every((use) => use === 'list') ? {} : { around }),
      },
    ];
  },
  compile: (spec) => {
    const uses = usesIn(spec);
    const fits = usedPathTest(spec);
    return (facts) => {
      const found = callPaths(facts);
      let truth: Truth = found.complete ? false : 'unknown';
      if (!uses.some((use) => found.uses.has(use)) && !found.uses.has(undefined)) return truth;
      for (const used of found.paths) {
        if (facts.file !== undefined && used.file !== undefined && used.file !== facts.file) continue;
        truth = or(truth, fits(used, facts.surroundings));
        if (truth === true) return true;
      }
      return truth;
    };
  },
  seen: (facts, spec) => {
    const uses = usesIn(spec);
    return callPaths(facts).paths.flatMap(({ use, path }) =>
      use === undefined || uses.includes(use) ? [`${showWord(path)} (${use ?? 'any use'})`] : [],
    );
  },
} as const satisfies Matcher;
