import { deepEqual } from '../../../lib/deep-equal.ts';
import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { keys, type Shape, WHOLE } from '../shape.ts';

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

export const history: KeyAnalysis = {
  ...USUAL,
  shape: HISTORY,
  implies: deepEqual,
  unknownCause: 'what came before is not certain',
};
