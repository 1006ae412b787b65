import { isJsonObject, type Json } from '../lib/json.ts';
import { and, or, type Truth } from '../model/truth.ts';
import type { PathUse } from '../reading/reading.ts';
import { callPaths } from './call-paths.ts';
import type { Matcher } from './matcher.ts';
import { compilePathTest, PATH_TEST_KEYS, PATH_TEST_SCHEMA, pathTestProblems } from './path-spec.ts';
import { TOOL_EVENTS } from './tool-events.ts';

const USES: readonly PathUse[] = ['read', 'write', 'delete', 'list', 'execute', 'mention'];
const use = { type: 'string', enum: USES } as const;

function usesIn(spec: Json): ReadonlySet<unknown> {
  const uses = isJsonObject(spec) ? spec['uses'] : undefined;
  if (uses === undefined) return new Set(USES);
  return new Set(Array.isArray(uses) ? uses : [uses]);
}

/** The paths that a call uses, whatever tool it is. */
export const path = {
  key: 'path',
  summary: 'The call uses a path that fits: in the arguments of a file tool or in a shell command',
  schema: {
    anyOf: [
      ...(PATH_TEST_SCHEMA['anyOf'] as readonly Json[]).slice(0, 2),
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          ...PATH_TEST_KEYS,
          uses: {
            anyOf: [use, { type: 'array', minItems: 1, items: use }],
            description:
              'Only what is read, written, deleted, listed, executed or mentioned; all of these unless given',
          },
        },
      },
    ],
  },
  events: TOOL_EVENTS,
  check: pathTestProblems,
  compile: (spec) => {
    const test = compilePathTest(spec);
    const uses = usesIn(spec);
    return (facts) => {
      const { paths, complete } = callPaths(facts);
      let truth: Truth = complete ? false : 'unknown';
      for (const used of paths) {
        if (used.use !== undefined && !uses.has(used.use)) continue;
        const fits = test(used, facts.surroundings);
        truth = or(truth, used.use === undefined && uses.size < USES.length ? and(fits, 'unknown') : fits);
        if (truth === true) return true;
      }
      return truth;
    };
  },
} as const satisfies Matcher;
