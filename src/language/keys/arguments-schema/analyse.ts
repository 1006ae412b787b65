import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { ONE_VALUE } from '../types/lists.ts';

/** Of `arguments_match` and `arguments_violate`. */
export const argumentsSchema: KeyAnalysis = {
  ...USUAL,
  ...ONE_VALUE,
  unknownCause: 'the arguments cannot be read',
};
