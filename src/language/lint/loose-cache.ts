import type { Host } from '../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { ToolClass } from '../../model/event.ts';
import { cacheSpecOf } from '../actions/respond-cache.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';

/** Calls of these do something, which a kept result does not. */
const CHANGING: readonly ToolClass[] = ['shell', 'write', 'edit', 'agent', 'message', 'schedule', 'install'];

/** Kept results that answer calls which are not equal, or which do more than look. */
export const looseCache = {
  codes: ['loose-cache'],
  check: () => findingsOf,
} as const satisfies LintRule;

function findingsOf({ rule, hosts }: LintedPolicy): readonly Finding[] {
  const cache = cacheSpecOf(rule.params);
  if (cache === undefined) return [];
  const changing = changingTools(rule.when, hosts);
  const differ: Finding = {
    severity: 'note',
    path: ['cache', 'key'],
    at: 'key',
    message: `Calls that differ in other arguments than ${cache.arguments?.join(', ')} get one answer by policy "${rule.id}"`,
    hint: 'name every argument that changes the result, or leave "key" out: then all count',
  };
  const changes: Finding = {
    path: ['cache'],
    at: 'key',
    message: `Cannot tell that policy "${rule.id}" is about calls that only look: ${changing}, and a kept result does nothing`,
    hint: 'name tools that only look, with "tool" or "tool_matcher"',
  };
  return [...(cache.arguments === undefined ? [] : [differ]), ...(changing === undefined ? [] : [changes])];
}

/** The tools of a policy that may change something, in words; undefined if none is known to. */
function changingTools(when: JsonObject, hosts: readonly Host[]): string | undefined {
  const named = ownString(when, 'tool_matcher')?.split('|') ?? [];
  const change = hosts.flatMap(({ tools }) =>
    named.filter((name) => tools[name.trim()]?.classes.some((each) => CHANGING.includes(each)) === true),
  );
  if (change.length > 0) return `calls of ${[...new Set(change)].join(', ')} change something`;
  if (named.length > 0) return undefined;
  const tool = own(when, 'tool');
  if (tool === undefined) return isNarrowed(when) ? undefined : 'it names no tool';
  const classes: readonly Json[] = Array.isArray(tool) ? tool : [tool];
  const found = CHANGING.filter((each) => classes.includes(each));
  return found.length === 0 ? undefined : `calls of ${found.join(', ')} change something`;
}

/** True if an alternative may name the tools. */
function isNarrowed(when: JsonObject): boolean {
  return ['any', 'all'].some((key) => isJsonObject(own(when, key)) || Array.isArray(own(when, key)));
}
