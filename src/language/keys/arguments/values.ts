import { type Json, own } from '../../../lib/json.ts';
import { atPath, stringsIn, valuesAt } from '../../../lib/json-path.ts';
import type { ToolCall } from '../../../model/event.ts';

/**
 * The values at a path of the arguments, by the host's and the portable name, with the host's additions. All of them count, so
 * that an extra argument cannot hide the one that the tool uses.
 */
export function argumentValues(call: ToolCall, path: readonly string[]): readonly Json[] {
  const { arguments: args, aliases, lookalikes = {}, extraArguments = {} } = call;
  if (args === undefined) return [];
  const [first] = path;
  const found = valuesAt(args, path);
  if (first === undefined) return found;
  const alias = own(aliases, first);
  const others = own(lookalikes, first);
  const isTold = Object.hasOwn(extraArguments, first);
  if (alias === undefined && others === undefined && !isTold) return found;
  const roots = [...(alias === undefined ? [] : [[alias]]), ...(others ?? [])];
  const rest = path.slice(1);
  return [
    ...found,
    ...(isTold ? valuesAt(extraArguments, path) : []),
    ...roots.flatMap((at) => valuesBelow(atPath(args, at), rest)),
  ];
}

function valuesBelow(root: Json | undefined, rest: readonly string[]): readonly Json[] {
  if (root === undefined) return [];
  return rest.length === 0 ? [root] : valuesAt(root, rest);
}

/** The texts that a regex looks at: a scalar's own text, or every string inside a list or object. */
export function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? stringsIn(value) : [String(value)];
}
