import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { asList } from '../types/alternatives.ts';
import { VALUES } from '../types/lists.ts';

export const tool: KeyAnalysis = {
  ...USUAL,
  ...VALUES,
  tokens: (spec) => asList(spec).map((name) => `tool ${name}`),
  sample: (spec) => ({ tool: String(asList(spec)[0]) }),
};
