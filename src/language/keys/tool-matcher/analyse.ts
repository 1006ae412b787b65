import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { exactNames } from '../types/alternatives.ts';
import { JOINED_NAMES } from '../types/lists.ts';
import { namesIn } from '../types/name-pattern.ts';

export const toolMatcher: KeyAnalysis = {
  ...USUAL,
  ...JOINED_NAMES,
  tokens: (spec) => exactNames(namesIn(String(spec)), 'name'),
  // A pattern stands for names that it matches.
  sample: (spec) => ({ tool: namesIn(String(spec))[0]?.replaceAll('*', 'x') ?? '' }),
};
