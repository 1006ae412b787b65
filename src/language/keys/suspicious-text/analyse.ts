import { deepEqual } from '../../../lib/deep-equal.ts';
import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { VALUES } from '../types/lists.ts';

export const suspiciousText: KeyAnalysis = { ...USUAL, ...VALUES, implies: deepEqual };
