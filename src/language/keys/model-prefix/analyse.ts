import { asList, type Json } from '../../../lib/json.ts';
import type { OwnAnalysis } from '../key-analysis.ts';
import { STARTS } from '../types/lists.ts';

export const modelPrefix: OwnAnalysis = {
  ...STARTS,
  unknownCause: 'nobody has said the model',
  unsaid: (_, { model }) =>
    model === 'never' ? [{ code: 'model-unknown', name: 'model_prefix', path: [] }] : [],
  clash: haveOtherModels,
  sample: (spec) => ({ model: String(asList(spec)[0]) }),
};

/** `gpt-` and `claude-` */
function haveOtherModels(specs: readonly Json[]): boolean {
  const lists = specs.map((spec) => asList(spec).map(String));
  const overlap = (a: string, b: string) => a.startsWith(b) || b.startsWith(a);
  return lists.some((list) =>
    lists.some((other) => !list.some((start) => other.some((each) => overlap(start, each)))),
  );
}
