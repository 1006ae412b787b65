import type { Host } from '../../hosts/host.ts';
import { isJsonObject, type Json, own, ownObject, ownString } from '../../lib/json.ts';
import type { ToolClass } from '../../model/event.ts';
import type { Rule } from '../../model/policy.ts';
import { patternsOverlap } from '../keys/types/name-pattern.ts';

/** A tool that a host has, or that policies declare. */
export interface KnownTool {
  /** The host's own name; with a final `*` the start of many names. */
  readonly name: string;
  readonly classes: readonly ToolClass[];
}

export interface KnownTools {
  /** The tools of some hosts that fit a name or pattern. */
  readonly fitting: (pattern: string, hosts: readonly Host[]) => readonly KnownTool[];
}

/** The tools of hosts, and those that policies offer to the model. */
export function knownTools(rules: readonly Rule[]): KnownTools {
  const declared = rules.flatMap(declaredNames).map((name): KnownTool => ({ name, classes: ['other'] }));
  const toolsOf = ({ tools }: Host) =>
    Object.entries(tools).map(([name, { classes }]): KnownTool => ({ name, classes }));
  return {
    fitting: (pattern, among) =>
      [...among.flatMap(toolsOf), ...declared].filter(({ name }) => patternsOverlap(pattern, name)),
  };
}

/** Names of tools that a policy adds, and of plugin tools. */
function declaredNames(rule: Rule): readonly string[] {
  const rewrite = ownObject(rule.params, 'rewrite');
  const added: Json | undefined = rewrite === undefined ? undefined : own(rewrite, 'add_tools');
  if (!Array.isArray(added)) return [];
  return added.flatMap((tool: Json) => {
    const name = isJsonObject(tool) ? ownString(tool, 'name') : undefined;
    return name === undefined ? [] : [name];
  });
}
