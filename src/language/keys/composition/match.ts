import { itemsOf, type Json, type JsonObject } from '../../../lib/json.ts';
import { LIST } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { Facts } from '../../../model/facts.ts';
import type { OnMiss } from '../../../model/miss.ts';
import { and, not as negate, or, type Truth } from '../../../model/truth.ts';
import { strongerNeeds, unionOfNeeds, withLiterals } from '../call-needs.ts';
import { moreSelective, unionOf } from '../literals.ts';
import type { Matcher } from '../matcher.ts';
import { askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import {
  type CompiledKey,
  compileWhen,
  holds,
  type MatcherTable,
  whenCaptures,
  whenLiterals,
  whenNeeds,
  whenProblems,
  whenReads,
} from '../when.ts';

const branch: JsonObject = { $ref: '#/$defs/when' };
const branches: JsonObject = { ...LIST, items: branch };

/** One branch of several; `held` is how many of those before it count as near. */
function askBranch(
  spec: Json,
  index: number,
  held: number,
  keys: readonly CompiledKey[],
  facts: Facts,
  missed: OnMiss | undefined,
): Truth {
  const part = () => ({
    path: [index],
    wanted: itemsOf(spec)[index] ?? null,
    seen: () => seenBy(keys, facts),
  });
  return askPart(part, held, missed, (tell) => holds(keys, facts, tell));
}

/** The values of the event that the keys look at. */
function seenBy(keys: readonly CompiledKey[], facts: Facts): readonly string[] {
  return keys.flatMap(({ matcher, spec }) => matcher.seen(facts, spec));
}

/** `any`, `all` and `not`. They hold keys of policies, so they need a table of these. */
export function composition(table: () => MatcherTable): readonly Matcher[] {
  const problemsOf = (spec: Json) =>
    itemsOf(spec).flatMap((when, index) => prefixed(index, whenProblems(when, table())));
  const capturesOf: NonNullable<Matcher['captures']> = (spec, facts) => {
    for (const when of itemsOf(spec)) {
      const captures =
        holds(compileWhen(when, table()), facts) === true ? whenCaptures(when, facts, table()) : undefined;
      if (captures !== undefined) return captures;
    }
    return undefined;
  };
  const readsOf = (spec: Json) => [spec].flat().flatMap((when) => whenReads(when, table()));
  const seenBelow: Matcher['seen'] = (facts, spec) =>
    [spec].flat().flatMap((when) => seenBy(compileWhen(when, table()), facts));
  return [
    {
      key: 'all',
      summary: 'Every one of these holds',
      schema: branches,
      steady: true,
      joins: true,
      check: problemsOf,
      literals: (spec) =>
        itemsOf(spec)
          .map((when) => whenLiterals(when, table()))
          .reduce(moreSelective, undefined),
      needs: (spec) =>
        itemsOf(spec)
          .map((when) => whenNeeds(when, table()))
          .reduce(strongerNeeds, undefined),
      compile: (spec) => {
        const parts = itemsOf(spec).map((when) => compileWhen(when, table()));
        return (facts, missed?) => {
          let truth: Truth = true;
          for (const [index, keys] of parts.entries()) {
            checkTime();
            truth = and(truth, askBranch(spec, index, index, keys, facts, missed));
            if (truth === false) return false;
          }
          return truth;
        };
      },
      reads: readsOf,
      seen: seenBelow,
      captures: capturesOf,
    },
    {
      key: 'any',
      summary: 'At least one of these holds',
      schema: branches,
      steady: true,
      joins: true,
      check: problemsOf,
      literals: (spec) => unionOf(itemsOf(spec).map((when) => whenLiterals(when, table()))),
      needs: (spec) =>
        unionOfNeeds(
          itemsOf(spec).map((when) => withLiterals(whenNeeds(when, table()), whenLiterals(when, table()))),
        ),
      compile: (spec) => {
        const alternatives = itemsOf(spec).map((when) => compileWhen(when, table()));
        return (facts, missed?) => {
          let truth: Truth = false;
          for (const [index, keys] of alternatives.entries()) {
            checkTime();
            truth = or(truth, askBranch(spec, index, 0, keys, facts, missed));
            if (truth === true) return true;
          }
          return truth;
        };
      },
      reads: readsOf,
      seen: seenBelow,
      captures: capturesOf,
    },
    {
      key: 'not',
      summary: 'This does not hold',
      schema: branch,
      steady: true,
      joins: true,
      check: (spec) => whenProblems(spec, table()),
      compile: (spec) => {
        const keys = compileWhen(spec, table());
        return (facts, missed?) =>
          askPart(
            () => ({ path: [], wanted: spec, excludes: true, seen: () => seenBy(keys, facts) }),
            0,
            missed,
            () => negate(holds(keys, facts)),
          );
      },
      reads: readsOf,
      seen: seenBelow,
    },
  ];
}
