import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { tokensOfAll } from '../types/alternatives.ts';
import { hostAlternatives, hostTokens, URLS } from '../types/urls.ts';

export const url: KeyAnalysis = {
  ...USUAL,
  ...URLS,
  unknownCause: 'a URL cannot be read in full',
  tokens: (spec) => tokensOfAll(hostAlternatives(spec), hostTokens),
};
