import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { TOOL_KINDS } from '../calls/call-keys.ts';
import { namesIn } from '../keys/types/name-pattern.ts';
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

/** Keys that a spec of this kind lets all pass, and what it is all of. */
const OPEN_KEYS: Readonly<Record<string, { readonly of: string; readonly isOpen: (spec: Json) => boolean }>> =
  {
    tool_matcher: { of: 'call', isOpen: (spec) => namesIn(String(spec)).includes('*') },
    command: { of: 'command', isOpen: (spec) => isAny(spec, 'run', '*') },
    path: { of: 'path', isOpen: (spec) => isAny(spec, 'match', '**') },
  };

/** What a policy matches all of; undefined if anything narrows it. */
function allOf(when: JsonObject): string | undefined {
  const keys = Object.entries(when);
  const open = keys.map(([key, spec]) => {
    const known = Object.hasOwn(OPEN_KEYS, key) ? OPEN_KEYS[key] : undefined;
    return known?.isOpen(spec) === true ? known.of : undefined;
  });
  if (open.some((each) => each === undefined)) return undefined;
  return open.find((each) => each !== 'call') ?? 'call';
}

/** Is this the widest pattern, alone, in a list, or as the one key of an object? */
function isAny(spec: Json, key: string, widest: string): boolean {
  if (Array.isArray(spec)) return spec.some((each) => isAny(each, key, widest));
  if (!isJsonObject(spec)) return spec === widest;
  return Object.keys(spec).length === 1 && isAny(spec[key] ?? null, key, widest);
}
