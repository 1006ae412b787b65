import type { Json } from '../lib/json.ts';
import { valuesAt } from '../lib/json-path.ts';
import type { ToolCall } from '../model/event.ts';

/**
 * The values at a path in a call's arguments, by the host's own name and by the portable one, and what the host says
 * beside them. All count that are there, so that an extra argument cannot hide the one that the tool uses.
 */
export function argumentValues(call: ToolCall, path: readonly string[]): readonly Json[] {
  const { arguments: args, aliases, lookalikes = {}, told = {} } = call;
  if (args === undefined) return [];
  const [first, ...rest] = path;
  const own = valuesAt(args, path);
  if (first === undefined) return own;
  const found = Object.hasOwn(told, first) ? [...own, ...valuesAt(told, path)] : own;
  const alias = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  const others = Object.hasOwn(lookalikes, first) ? (lookalikes[first] ?? []) : [];
  if (alias === undefined && others.length === 0) return found;
  const names = alias === undefined ? others : [alias, ...others];
  return [...found, ...names.flatMap((name) => valuesAt(args, [name, ...rest]))];
}
