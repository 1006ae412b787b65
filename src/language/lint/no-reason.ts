import type { Action } from '../../model/action.ts';
import type { LintRule } from './lint-rule.ts';

const REFUSING: readonly Action[] = ['hard_abort', 'abort_turn', 'deny', 'ask'];

/** Refusals that do not say why. */
export const noReason = {
  codes: ['no-reason'],
  run: ({ policies }) =>
    policies
      .filter(({ rule }) => rule.judge === undefined && REFUSING.includes(rule.action))
      .filter(
        ({ rule }) => !Object.hasOwn(rule.params, 'reason') && !Object.hasOwn(rule.params, 'description'),
      )
      .map(({ rule, source }) => ({
        code: 'no-reason',
        position: source.positionOf(['action'], 'value'),
        message: `Cannot say why policy "${rule.id}" refuses: it gives no reason`,
        hint: 'add "reason", and "instead" with what to do; the model reads both',
      })),
} as const satisfies LintRule;
