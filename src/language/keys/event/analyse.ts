import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { namedTests, namedTestsClash } from '../types/scalar-test.ts';

export const event: KeyAnalysis = {
  ...USUAL,
  ...namedTests('regex'),
  unknownCause: "the agent's event does not have it",
  clash: namedTestsClash('regex'),
};
