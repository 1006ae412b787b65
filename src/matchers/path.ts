import { isJsonObject, type Json } from '../lib/json.ts';
import { and, or, type Truth } from '../model/truth.ts';
import type { PathUse } from '../reading/reading.ts';
import { callPaths } from './call-paths.ts';
import type { Matcher } from './matcher.ts';
import { compilePathTest, GLOBS, PATH_TEST_KEYS, type PathTest, pathTestProblems } from './path-spec.ts';
import { TOOL_EVENTS } from './tool-events.ts';

const USES: readonly PathUse[] = ['read', 'write', 'empty', 'delete', 'list', 'execute', 'mention'];
const use = { type: 'string', enum: USES } as const;

function usesIn(spec: Json): readonly PathUse[] {
  const written = isJsonObject(spec) ? spec['uses'] : undefined;
  if (written === undefined) return USES;
  return USES.filter((use) => (Array.isArray(written) ? written.includes(use) : written === use));
}

/** The paths that a call uses, whatever tool it is. */
export const path = {
  key: 'path',
  summary: 'The call uses a path that fits: in the arguments of a file tool or in a shell command',
  schema: {
    anyOf: [
      ...GLOBS.anyOf,
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          ...PATH_TEST_KEYS,
          uses: {
            anyOf: [use, { type: 'array', minItems: 1, items: use }],
            description:
              'Only what is read, written, emptied, deleted, listed, executed or mentioned; all of these unless given',
          },
        },
      },
    ],
  },
  events: TOOL_EVENTS,
  check: pathTestProblems,
  compile: (spec) => {
    const uses = usesIn(spec);
    let test: PathTest | undefined;
    return (facts) => {
      const found = callPaths(facts);
      let truth: Truth = found.complete ? false : 'unknown';
      if (!uses.some((use) => found.uses.has(use)) && !found.uses.has(undefined)) return truth;
      test ??= compilePathTest(spec);
      for (const used of found.paths) {
        if (used.use !== undefined && !uses.includes(used.use)) continue;
        const fits = test(used, facts.surroundings);
        truth = or(truth, used.use === undefined && uses.length < USES.length ? and(fits, 'unknown') : fits);
        if (truth === true) return true;
      }
      return truth;
    };
  },
} as const satisfies Matcher;
