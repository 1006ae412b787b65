import { asList } from '../../../lib/json.ts';
import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { VALUES } from '../types/lists.ts';

export const tool: KeyAnalysis = {
  ...USUAL,
  ...VALUES,
  tokens: (spec) => asList(spec).map((name) => `tool ${name}`),
  sample: (spec) => ({ tool: String(asList(spec)[0]) }),
};
