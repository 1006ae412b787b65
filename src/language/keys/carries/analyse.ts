import { deepEqual } from '../../../lib/deep-equal.ts';
import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { keys, WHOLE } from '../shape.ts';
import { VALUES } from '../types/lists.ts';

export const carries: KeyAnalysis = {
  ...USUAL,
  shape: keys(() => ({ to: { shape: VALUES.shape, fixed: true } }), WHOLE),
  implies: deepEqual,
  unknownCause: 'it cannot be told what it would send',
};
