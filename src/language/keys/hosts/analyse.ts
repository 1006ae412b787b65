import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { VALUES } from '../types/lists.ts';

export const hosts: KeyAnalysis = { ...USUAL, ...VALUES };
