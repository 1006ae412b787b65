import type { Json } from '../lib/json.ts';
import { valuesAt } from '../lib/json-path.ts';
import type { ToolCall } from '../model/event.ts';

/**
 * The values at a path in a call's arguments, by the host's own name and by the portable one. Both count where both are
 * there, so that an extra argument cannot hide the one that the tool uses.
 */
export function argumentValues(call: ToolCall, path: readonly string[]): readonly Json[] {
  if (call.arguments === undefined) return [];
  const found = valuesAt(call.arguments, path);
  const [first, ...rest] = path;
  const alias = first !== undefined && Object.hasOwn(call.aliases, first) ? call.aliases[first] : undefined;
  if (alias === undefined) return found;
  return [...found, ...valuesAt(call.arguments, [alias, ...rest])];
}
