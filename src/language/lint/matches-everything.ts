import type { JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { TOOL_KINDS } from '../calls/call-keys.ts';
import { ANALYSES } from '../keys/analyses.ts';
import type { LintRule } from './lint-rule.ts';

const DECIDING: readonly Action[] = ['hard_abort', 'abort_turn', 'deny', 'ask', 'respond', 'approve'];

/** Policies in force that decide every call, every path or every command. */
export const matchesEverything = {
  codes: ['matches-everything'],
  check:
    () =>
    ({ rule: { id, on, judge, mode, action, when } }) => {
      if (judge !== undefined || mode === 'monitor' || !DECIDING.includes(action)) return [];
      const all = on.some((kind) => TOOL_KINDS.includes(kind)) ? allOf(when) : undefined;
      if (all === undefined) return [];
      const message = `Cannot tell calls apart by policy "${id}": it matches every ${all}`;
      const hint =
        'add a key that says which are meant; to refuse what nothing approves, write defaults: {unmatched: deny}';
      return [{ path: ['id'], message, hint }];
    },
} as const satisfies LintRule;

/** The calls or commands that a policy matches all of; undefined if anything narrows it. */
function allOf(when: JsonObject): string | undefined {
  const open = Object.entries(when).map(([key, spec]) => ANALYSES.get(key)?.matchesAllOf(spec));
  if (open.some((each) => each === undefined)) return undefined;
  return open.find((each) => each !== 'call') ?? 'call';
}
