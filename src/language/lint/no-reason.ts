import type { Action } from '../../model/action.ts';
import type { LintRule } from './lint-rule.ts';

const REFUSING: readonly Action[] = ['hard_abort', 'abort_turn', 'deny', 'ask'];

/** Refusals that do not say why. */
export const noReason = {
  codes: ['no-reason'],
  check:
    () =>
    ({ rule: { id, action, judge, params } }) => {
      const says = ['reason', 'description'].some((key) => Object.hasOwn(params, key));
      if (judge !== undefined || !REFUSING.includes(action) || says) return [];
      const message = `Cannot say why policy "${id}" refuses: it gives no reason`;
      const hint = 'add "reason", and "instead" with what to do; the model reads both';
      return [{ path: ['action'], message, hint }];
    },
} as const satisfies LintRule;
