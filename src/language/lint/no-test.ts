import { ownObject } from '../../lib/json.ts';
import type { LintRule } from './lint-rule.ts';

/** Policies that no example and no case of a test matches. */
export const noTest = {
  codes: ['no-test'],
  check:
    ({ isTested }) =>
    ({ rule, source }) => {
      // Examples test the defaults of parameters: where others set these, they do not run.
      const { hit } = ownObject(source.written, 'examples') ?? {};
      if (hit !== undefined || isTested(rule)) return [];
      const message = `Cannot tell whether policy "${rule.id}" works: no example and no test matches it`;
      const hint = 'add "examples" with a hit and a miss, or a case to a *.test.yaml file beside it';
      return [{ path: ['id'], message, hint }];
    },
} as const satisfies LintRule;
