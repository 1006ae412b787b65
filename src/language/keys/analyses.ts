import { deepEqual } from '../../lib/deep-equal.ts';
import { asList } from '../../lib/json.ts';
import { args } from './arguments/analyse.ts';
import { command } from './command/match.ts';
import { composition, whenShape } from './composition/analyse.ts';
import { content } from './content/analyse.ts';
import { context } from './context/analyse.ts';
import { type AnalysisTable, type OwnAnalysis, USUAL } from './key-analysis.ts';
import { modelPrefix } from './model-prefix/analyse.ts';
import { path } from './path/analyse.ts';
import { keys, type Shape, WHOLE } from './shape.ts';
import { alternativesIn, exactNames, tokensOfAll } from './types/alternatives.ts';
import { COMMANDS, programsIn } from './types/commands.ts';
import { JOINED_NAMES, ONE_VALUE, VALUES } from './types/lists.ts';
import { namesIn } from './types/name-pattern.ts';
import { namedTests, namedTestsClash } from './types/scalar-test.ts';
import { hostAlternatives, hostTokens, URLS } from './types/urls.ts';

const ARGUMENTS_SCHEMA: OwnAnalysis = { ...ONE_VALUE, unknownCause: 'the arguments cannot be read' };

/** What can be left out; without the rest it would ask something else. */
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

/** What can be said of every matching key, in the order of the registry of matchers. */
const OWN: Readonly<Record<string, OwnAnalysis>> = {
  hosts: VALUES,
  tool: {
    ...VALUES,
    tokens: (spec) => asList(spec).map((name) => `tool ${name}`),
    sample: (spec) => ({ tool: String(asList(spec)[0]) }),
  },
  tool_matcher: {
    ...JOINED_NAMES,
    tokens: (spec) => exactNames(namesIn(String(spec)), 'name'),
    // A pattern stands for names that it matches.
    sample: (spec) => ({ tool: namesIn(String(spec))[0]?.replaceAll('*', 'x') ?? '' }),
  },
  context,
  model_prefix: modelPrefix,
  event: {
    ...namedTests('regex'),
    unknownCause: "the agent's event does not have it",
    clash: namedTestsClash('regex'),
  },
  arguments: args,
  suspicious_text: { ...VALUES, implies: deepEqual },
  content,
  arguments_match: ARGUMENTS_SCHEMA,
  arguments_violate: ARGUMENTS_SCHEMA,
  command: {
    ...COMMANDS,
    unknownCause: 'the command cannot be read in full',
    tokens: (spec) =>
      tokensOfAll(alternativesIn(spec), (test) => {
        const names = programsIn(test);
        return names === undefined ? undefined : exactNames(names, 'run');
      }),
    // By the tool it is known whether there is a command.
    outline: command.compile,
  },
  path,
  url: {
    ...URLS,
    unknownCause: 'a URL cannot be read in full',
    tokens: (spec) => tokensOfAll(hostAlternatives(spec), hostTokens),
  },
  ...composition(() => ANALYSES),
  history: { shape: HISTORY, implies: deepEqual, unknownCause: 'what came before is not certain' },
  carries: {
    shape: keys(() => ({ to: { shape: VALUES.shape, fixed: true } }), WHOLE),
    implies: deepEqual,
    unknownCause: 'it cannot be told what it would send',
  },
};

export const ANALYSES: AnalysisTable = new Map(
  Object.entries(OWN).map(([key, own]) => [key, { ...USUAL, ...own }]),
);

/** How the matching keys of a policy are taken apart. */
export const WHEN: Shape = whenShape(() => ANALYSES);
