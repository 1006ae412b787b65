import { deepEqual } from '../../../lib/deep-equal.ts';
import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { WHOLE } from '../shape.ts';

export const history: KeyAnalysis = {
  ...USUAL,
  shape: WHOLE,
  implies: deepEqual,
  unknownCause: 'what came before is not certain',
};
