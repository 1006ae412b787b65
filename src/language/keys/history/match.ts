import { didYouMean } from '../../../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { Matcher } from '../matcher.ts';
import { prefixed } from '../spec-path.ts';
import { type MatcherTable, whenReads } from '../when.ts';
import { withFacts } from './fact-places.ts';
import { definitionIn, FACT_SCHEMA, factProblems } from './fact-spec.ts';
import { BOUNDS, historySpec, windowOf } from './spec.ts';

const ASKS = ['seen', 'not_seen', 'count'] as const;
const VALUE_NAMES = ['path', 'url.host', 'command', 'agent', 'repository'];

export const WITHIN_SCHEMA: JsonObject = {
  description: 'How far back it looks: turn, session, or a time up to 24h such as 30m',
  ...TEXT,
};

/** Tests the calls that came before. It holds the keys of facts, so it is made with a way to look those up. */
export function history(table: () => MatcherTable): Matcher {
  return {
    key: 'history',
    summary: 'Calls that facts describe came before, did not, or came a number of times',
    schema: {
      ...CLOSED,
      required: ['within'],
      properties: {
        seen: { description: 'This came before', ...FACT_SCHEMA },
        not_seen: { description: 'This did not come before', ...FACT_SCHEMA },
        count: {
          description: 'This came a number of times before: {of: FACT, gte: 50}',
          ...CLOSED,
          required: ['of'],
          minProperties: 2,
          properties: {
            of: { description: 'What is counted', ...FACT_SCHEMA },
            ...Object.fromEntries(BOUNDS.map((key) => [key, { type: 'integer', minimum: 0 }])),
            distinct: {
              description: `Count different values instead: ${VALUE_NAMES.join(', ')} or arguments.X`,
              ...TEXT,
            },
          },
        },
        since: {
          description: 'Only what came after the last of these; not_seen does not hold before the first',
          ...FACT_SCHEMA,
        },
        within: WITHIN_SCHEMA,
        across: {
          description: 'sessions: with a time, all sessions of this machine in the same repository count',
          enum: ['sessions'],
        },
        same: {
          description: `Only what has one of these in common with this call: ${VALUE_NAMES.join(', ')} or arguments.X`,
          ...LIST,
          uniqueItems: true,
          items: TEXT,
        },
      },
    },
    check: (spec) =>
      isJsonObject(spec)
        ? [
            ...askProblems(spec),
            ...windowProblems(spec),
            ...valueProblems(spec),
            ...factKeyProblems('history', spec, table()),
          ]
        : [],
    reads: (spec) => factReads('history', spec, table()),
    compile: (spec) => {
      const known = historySpec(spec);
      if (known === undefined) return () => 'unknown';
      return (facts) => loadCountedCalls().historyTruth(known, facts);
    },
    seen: (facts, spec) => {
      const known = historySpec(spec);
      if (known === undefined) return [];
      const { pastTexts } = require('./past-text.ts') as typeof import('./past-text.ts');
      return pastTexts(known, loadCountedCalls().countedCalls(known, facts));
    },
  };
}

let past: typeof import('./counted-calls.ts') | undefined;

/** Loaded with the first policy that asks. */
function loadCountedCalls(): typeof import('./counted-calls.ts') {
  past ??= require('./counted-calls.ts') as typeof import('./counted-calls.ts');
  return past;
}

/** The problems of the facts that a spec has written in place. */
export function factKeyProblems(key: string, spec: JsonObject, table: MatcherTable): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  withFacts({ [key]: spec }, (fact, { path }) => {
    const found = factProblems(fact, table);
    problems.push(
      ...path.slice(1).reduceRight<readonly SpecProblem[]>((below, step) => prefixed(step, below), found),
    );
    return fact;
  });
  return problems;
}

export function factReads(key: string, spec: Json, table: MatcherTable): ReturnType<typeof whenReads> {
  const parts: ReturnType<typeof whenReads>[number][] = [];
  withFacts({ [key]: spec }, (fact) => {
    parts.push(...whenReads(definitionIn(fact)?.when ?? fact, table));
    return fact;
  });
  return parts;
}

function askProblems(spec: JsonObject): readonly SpecProblem[] {
  const given = ASKS.filter((key) => Object.hasOwn(spec, key));
  if (given.length === 1) {
    const count = ownObject(spec, 'count');
    if (count === undefined || BOUNDS.some((key) => Object.hasOwn(count, key))) return [];
    const message = 'Cannot count without a number to compare with';
    return [{ code: 'missing-key', path: ['count'], message, hint: `add one of ${BOUNDS.join(', ')}` }];
  }
  const message =
    given.length === 0
      ? 'Cannot use "history": it asks for nothing'
      : `Cannot use ${given.map((key) => `"${key}"`).join(' and ')} in one "history"`;
  const hint = given.length === 0 ? `add one of ${ASKS.join(', ')}` : 'write one of them below "all"';
  return [{ code: given.length === 0 ? 'missing-key' : 'bad-value', path: [], message, hint }];
}

export function windowProblems(spec: JsonObject): readonly SpecProblem[] {
  const within = own(spec, 'within');
  if (typeof within !== 'string') return [];
  if (windowOf(spec) === undefined) {
    const message = `Cannot look back "${within}": it is neither turn nor session nor a time up to 24h`;
    return [
      {
        code: 'bad-value',
        path: ['within'],
        message,
        hint: 'write turn, session, or a time such as 30m or 24h',
      },
    ];
  }
  if (!Object.hasOwn(spec, 'across') || (within !== 'turn' && within !== 'session')) return [];
  const message = `Cannot look across sessions within a ${within}: that is in one session`;
  return [{ code: 'bad-value', path: ['across'], message, hint: 'write a time such as within: 1h' }];
}

const ANY_VALUE = /^(?:path|url\.host|command|agent|repository|arguments\..+)$/;

function valueProblems(spec: JsonObject): readonly SpecProblem[] {
  const same = own(spec, 'same');
  const distinct = own(ownObject(spec, 'count') ?? {}, 'distinct');
  const places: readonly (readonly [SpecProblem['path'], Json | undefined])[] = [
    ...(Array.isArray(same) ? same.map((value: Json, index) => [['same', index], value] as const) : []),
    [['count', 'distinct'], distinct],
  ];
  return places.flatMap(([path, value]): readonly SpecProblem[] => {
    if (typeof value !== 'string' || ANY_VALUE.test(value)) return [];
    const message = `Cannot compare calls by "${value}": there is no such value`;
    const hint = didYouMean(value, VALUE_NAMES, `use ${VALUE_NAMES.join(', ')} or arguments.X`);
    return [{ code: 'bad-value', path, message, hint }];
  });
}
