import type { LintRule } from './lint-rule.ts';

/** Policies that no example and no case of a test matches. */
export const noTest = {
  codes: ['no-test'],
  run: ({ policies, isTested }) =>
    policies
      .filter(({ rule }) => !isTested(rule))
      .map(({ rule, source }) => ({
        code: 'no-test',
        position: source.positionOf(['id'], 'value'),
        message: `Cannot tell whether policy "${rule.id}" works: no example and no test matches it`,
        hint: 'add "examples" with a hit and a miss, or a case to a *.test.yaml file beside it',
      })),
} as const satisfies LintRule;
