import { isJsonObject, own } from '../../../lib/json.ts';
import { FACT_SCHEMA } from '../history/fact-spec.ts';
import { factKeyProblems, factReads, WITHIN_SCHEMA, windowProblems } from '../history/match.ts';
import { factUse, windowOf } from '../history/spec.ts';
import type { Matcher } from '../matcher.ts';
import { TOOL_EVENTS } from '../tool-events.ts';
import type { MatcherTable } from '../when.ts';

/** Where what was read may be on its way to. */
export const WAYS_OUT = ['network', 'message', 'mcp'] as const;
export type WayOut = (typeof WAYS_OUT)[number];

const way = { type: 'string', enum: WAYS_OUT } as const;

/** Whether a piece of what an earlier call showed is on its way out. It holds the keys of facts, as `history` does. */
export function carries(table: () => MatcherTable): Matcher {
  return {
    key: 'carries',
    summary: 'A piece of what a fact has shown is on its way out',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['from', 'to', 'within'],
      properties: {
        from: { description: 'What has shown it', ...FACT_SCHEMA },
        to: {
          description: 'Where it would go',
          anyOf: [way, { type: 'array', minItems: 1, uniqueItems: true, items: way }],
        },
        within: WITHIN_SCHEMA,
        across: {
          description: 'sessions: with a time, all sessions of this machine in the same repository count',
          enum: ['sessions'],
        },
      },
    },
    events: TOOL_EVENTS,
    check: (spec) =>
      isJsonObject(spec) ? [...windowProblems(spec), ...factKeyProblems('carries', spec, table())] : [],
    reads: (spec) => factReads('carries', spec, table()),
    compile: (spec) => {
      const from = isJsonObject(spec) ? factUse(own(spec, 'from')) : undefined;
      const window = isJsonObject(spec) ? windowOf(spec) : undefined;
      if (from === undefined || window === undefined) return () => 'unknown';
      return ({ history }) => {
        const found = history.carriedIn(from.fact, window, []);
        return found.type === 'found'
          ? found.by.met || 'unknown'
          : found.type === 'unknown'
            ? 'unknown'
            : false;
      };
    },
    seen: () => [],
  };
}
