import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { ALWAYS_REPORTED, type PartialAnalysis } from '../key-analysis.ts';
import { namedTests, namedTestsClash } from '../types/scalar-test.ts';

export const args: PartialAnalysis = {
  ...namedTests('regex', 'argument'),
  unknownCause: 'the arguments cannot be read in full',
  unreported: ALWAYS_REPORTED,
  clash: namedTestsClash('regex'),
  tokens: (spec) => (isJsonObject(spec) ? argumentTokens(spec) : undefined),
  givenTokens: (spec) => (isJsonObject(spec) ? Object.entries(spec).flatMap(givenByTest) : []),
};

/** By one argument with a plain regex: only the same one, an alternative of it or exact values imply it. */
function argumentTokens(spec: JsonObject): readonly string[] | undefined {
  for (const [path, test] of Object.entries(spec)) {
    if (typeof test === 'string') return [...alternativeTokens(path, test), `exact ${path}`];
  }
  return undefined;
}

function givenByTest([path, test]: readonly [string, Json]): readonly string[] {
  const regex = isJsonObject(test) ? own(test, 'regex') : test;
  const hasExact = isJsonObject(test) && (Object.hasOwn(test, 'equals') || Object.hasOwn(test, 'one_of'));
  return [
    ...(typeof regex === 'string' ? alternativeTokens(path, regex) : []),
    ...(hasExact ? [`exact ${path}`] : []),
  ];
}

function alternativeTokens(path: string, source: string): readonly string[] {
  return [`${path} ${source}`, ...source.split('|').map((part) => `${path} ${part}`)];
}
