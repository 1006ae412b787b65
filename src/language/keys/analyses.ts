import { deepEqual } from '../../lib/deep-equal.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { args } from './arguments/analyse.ts';
import { possibleUses } from './call/paths.ts';
import { command } from './command/match.ts';
import { composition, whenShape } from './composition/analyse.ts';
import { context } from './context/analyse.ts';
import { ALWAYS_REPORTED, type AnalysisTable, DEFAULT_FACETS, type PartialAnalysis } from './key-analysis.ts';
import type { Predicate } from './matcher.ts';
import { keys, type Shape, WHOLE } from './shape.ts';
import { alternativesIn, exactNames, tokensOfAll } from './types/alternatives.ts';
import { COMMANDS, programsIn } from './types/commands.ts';
import { JOINED_NAMES, ONE_VALUE, PREFIXES, VALUES } from './types/lists.ts';
import { namesIn } from './types/name-pattern.ts';
import { PATHS, placeTokens } from './types/paths.ts';
import { namedTests, namedTestsClash, SCALAR_TEST, testShape } from './types/scalar-test.ts';
import { hostAlternatives, hostTokens, URLS } from './types/urls.ts';

const ARGUMENTS_SCHEMA: PartialAnalysis = {
  ...ONE_VALUE,
  unknownCause: 'the arguments cannot be read',
  unreported: ALWAYS_REPORTED,
};

/** A test on text that has no name. */
const TEXT_TEST = testShape('regex', { of: 'content', named: false });

/** Mutants may leave out `since`, `across` and `same`; without the rest, a condition would ask something else. */
const HISTORY: Shape = keys(() => ({
  seen: { shape: WHOLE, fixed: true },
  not_seen: { shape: WHOLE, fixed: true },
  count: { shape: COUNT, fixed: true },
  within: { shape: WHOLE, fixed: true },
  since: { shape: WHOLE },
  across: { shape: WHOLE },
  same: { shape: { type: 'every', item: WHOLE } },
}));

const COUNT: Shape = {
  type: 'keys',
  keys: () => ({ of: { shape: WHOLE, fixed: true }, distinct: { shape: WHOLE } }),
  other: WHOLE,
};

/** The analysis of every matching key, in the order of the registry of matchers. */
const OWN: Readonly<Record<string, PartialAnalysis>> = {
  hosts: { ...VALUES, unknownCause: undefined, unreported: ALWAYS_REPORTED },
  tool: {
    ...VALUES,
    unknownCause: 'it is not known what the tool does',
    unreported: ALWAYS_REPORTED,
    tokens: (spec) => asList(spec).map((name) => `tool ${name}`),
    sample: (spec) => ({ tool: String(asList(spec)[0]) }),
  },
  tool_matcher: {
    ...JOINED_NAMES,
    unknownCause: undefined,
    unreported: ALWAYS_REPORTED,
    matchesAllOf: (spec) => (namesIn(String(spec)).includes('*') ? 'call' : undefined),
    tokens: (spec) => exactNames(namesIn(String(spec)), 'name'),
    // A sample is a name that the pattern matches.
    sample: (spec) => ({ tool: namesIn(String(spec))[0]?.replaceAll('*', 'x') ?? '' }),
  },
  context,
  model_prefix: {
    ...PREFIXES,
    unknownCause: 'the model is not known',
    unreported: (_, { model }) =>
      model === 'never' ? [{ code: 'model-unknown', name: 'model_prefix', path: [] }] : [],
    clash: haveOtherModels,
    sample: (spec) => ({ model: String(asList(spec)[0]) }),
  },
  event: {
    ...namedTests('regex', 'event'),
    unknownCause: "the agent's event does not have it",
    unreported: ALWAYS_REPORTED,
    clash: namedTestsClash('regex'),
  },
  arguments: args,
  suspicious_text: {
    ...VALUES,
    implies: deepEqual,
    unknownCause: 'the arguments cannot be read in full',
    unreported: ALWAYS_REPORTED,
  },
  content: {
    shape: {
      type: 'either',
      text: TEXT_TEST,
      mapping: keys(() => ({
        test: { shape: TEXT_TEST, fixed: true },
        scope: { shape: WHOLE, fixed: true },
      })),
    },
    implies: (narrow, wide, lenient) => {
      const [from, to] = [contentOf(narrow), contentOf(wide)];
      const tests = [own(from, 'test') ?? null, own(to, 'test') ?? null] as const;
      return (
        own(from, 'scope') === own(to, 'scope') &&
        own(from, 'role') === own(to, 'role') &&
        SCALAR_TEST.regex.implies(...tests, lenient)
      );
    },
    unknownCause: 'the text is too long for the pattern',
    unreported: ALWAYS_REPORTED,
    wholeText: true,
  },
  arguments_match: ARGUMENTS_SCHEMA,
  arguments_violate: ARGUMENTS_SCHEMA,
  command: {
    ...COMMANDS,
    unknownCause: 'the command cannot be read in full',
    unreported: ALWAYS_REPORTED,
    readsCommands: true,
    matchesAllOf: (spec) => (isAny(spec, 'run', '*') ? 'command' : undefined),
    tokens: (spec) =>
      tokensOfAll(alternativesIn(spec), (test) => {
        const names = programsIn(test);
        return names === undefined ? undefined : exactNames(names, 'run');
      }),
    // By the tool it is known whether there is a command.
    outline: command.compile,
  },
  path: {
    ...PATHS,
    unknownCause: 'a path cannot be read in full',
    unreported: ALWAYS_REPORTED,
    readsCommands: true,
    matchesAllOf: (spec) => (isAny(spec, 'match', '**') ? 'path' : undefined),
    tokens: (spec) => tokensOfAll(alternativesIn(spec), placeTokens),
    outline: knownUse,
  },
  url: {
    ...URLS,
    unknownCause: 'a URL cannot be read in full',
    unreported: ALWAYS_REPORTED,
    readsCommands: true,
    tokens: (spec) => tokensOfAll(hostAlternatives(spec), hostTokens),
  },
  ...composition(() => ANALYSES),
  history: {
    shape: HISTORY,
    implies: deepEqual,
    unknownCause: 'earlier calls are not known for certain',
    unreported: ALWAYS_REPORTED,
  },
  carries: {
    shape: keys(() => ({ to: { shape: VALUES.shape, fixed: true } }), WHOLE),
    implies: deepEqual,
    unknownCause: 'it is not known what it would send',
    unreported: ALWAYS_REPORTED,
  },
};

export const ANALYSES: AnalysisTable = new Map(
  Object.entries(OWN).map(([key, own]) => [key, { ...DEFAULT_FACETS, ...own }]),
);

/** How the matching keys of a policy are taken apart. */
export const WHEN: Shape = whenShape(() => ANALYSES);

/** True for the widest pattern, alone, in a list, or as the one key of an object. */
function isAny(spec: Json, key: string, widest: string): boolean {
  if (Array.isArray(spec)) return spec.some((each) => isAny(each, key, widest));
  if (!isJsonObject(spec)) return spec === widest;
  return Object.keys(spec).length === 1 && isAny(spec[key] ?? null, key, widest);
}

/** `gpt-` and `claude-` */
function haveOtherModels(specs: readonly Json[]): boolean {
  const lists = specs.map((spec) => asList(spec).map(String));
  const overlap = (a: string, b: string) => a.startsWith(b) || b.startsWith(a);
  return lists.some((list) =>
    lists.some((other) => !list.some((start) => other.some((each) => overlap(start, each)))),
  );
}

/** Of a path only its use is known, where the tool says it. */
function knownUse(spec: Json): Predicate {
  const uses = isJsonObject(spec) ? own(spec, 'uses') : undefined;
  const wanted = uses === undefined ? undefined : asList(uses);
  return ({ event }) => {
    if (event.tool === undefined) return false;
    const possible = possibleUses(event.tool);
    if (wanted === undefined || possible === undefined) return 'unknown';
    return possible.some((use) => wanted.includes(use)) ? 'unknown' : false;
  };
}

function contentOf(spec: Json): JsonObject {
  return isJsonObject(spec) ? { scope: 'new', ...spec } : { scope: 'new', test: spec };
}
