import type { Layout } from '../../../language/policy/format/layout.ts';
import { STEP_KEYS } from '../steps/step.ts';
import { CASE_KEYS, FILE_KEYS, MATRIX_KEYS } from './case-keys.ts';

export const TEST_LAYOUT: Layout = {
  keysAt: (path) => {
    const [section, index, key] = path;
    if (path.length === 0) return Object.keys(FILE_KEYS);
    // Of a file for explain --steps.
    if (section === 'steps') return path.length === 2 ? Object.keys(STEP_KEYS) : undefined;
    if (section !== 'cases' || typeof index !== 'number') return undefined;
    if (path.length === 2) return Object.keys(CASE_KEYS);
    if (path.length === 4 && key === 'steps') return Object.keys(STEP_KEYS);
    return path.length === 3 && key === 'matrix' ? Object.keys(MATRIX_KEYS) : undefined;
  },
  isSpaced: (path) => path.length === 1 && path[0] === 'cases',
};
