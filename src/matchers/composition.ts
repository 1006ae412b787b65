import type { Json, JsonObject } from '../lib/json.ts';
import { checkTime } from '../lib/time-limit.ts';
import { and, not as negate, or, type Truth } from '../model/truth.ts';
import { strongerNeeds, unionOfNeeds } from './call-needs.ts';
import { moreSelective, unionOf } from './literals.ts';
import type { Matcher } from './matcher.ts';
import { prefixed } from './spec-path.ts';
import {
  compileWhen,
  holds,
  type MatcherTable,
  whenCaptures,
  whenLiterals,
  whenNeeds,
  whenProblems,
} from './when.ts';

const branch: JsonObject = { $ref: '#/$defs/when' };
const branches: JsonObject = { type: 'array', minItems: 1, items: branch };

function listOf(spec: Json): readonly Json[] {
  return Array.isArray(spec) ? spec : [];
}

/**
 * `any`, `all` and `not`. They hold the same keys as a policy, so they are made with a way to look those up.
 */
export function composition(table: () => MatcherTable): readonly Matcher[] {
  const problemsOf = (spec: Json) =>
    listOf(spec).flatMap((when, index) => prefixed(index, whenProblems(when, table())));
  const capturesOf: NonNullable<Matcher['captures']> = (spec, facts) => {
    for (const when of listOf(spec)) {
      const captures =
        holds(compileWhen(when, table()), facts) === true ? whenCaptures(when, facts, table()) : undefined;
      if (captures !== undefined) return captures;
    }
    return undefined;
  };
  return [
    {
      key: 'all',
      summary: 'Every one of these holds',
      schema: branches,
      check: problemsOf,
      literals: (spec) =>
        listOf(spec)
          .map((when) => whenLiterals(when, table()))
          .reduce(moreSelective, undefined),
      needs: (spec) =>
        listOf(spec)
          .map((when) => whenNeeds(when, table()))
          .reduce(strongerNeeds, undefined),
      compile: (spec) => {
        const parts = listOf(spec).map((when) => compileWhen(when, table()));
        return (facts) => {
          let truth: Truth = true;
          for (const keys of parts) {
            checkTime();
            truth = and(truth, holds(keys, facts));
            if (truth === false) return false;
          }
          return truth;
        };
      },
      captures: capturesOf,
    },
    {
      key: 'any',
      summary: 'At least one of these holds',
      schema: branches,
      check: problemsOf,
      literals: (spec) => unionOf(listOf(spec).map((when) => whenLiterals(when, table()))),
      needs: (spec) => unionOfNeeds(listOf(spec).map((when) => whenNeeds(when, table()))),
      compile: (spec) => {
        const alternatives = listOf(spec).map((when) => compileWhen(when, table()));
        return (facts) => {
          let truth: Truth = false;
          for (const keys of alternatives) {
            checkTime();
            truth = or(truth, holds(keys, facts));
            if (truth === true) return true;
          }
          return truth;
        };
      },
      captures: capturesOf,
    },
    {
      key: 'not',
      summary: 'This does not hold',
      schema: branch,
      check: (spec) => whenProblems(spec, table()),
      compile: (spec) => {
        const keys = compileWhen(spec, table());
        return (facts) => negate(holds(keys, facts));
      },
    },
  ];
}
