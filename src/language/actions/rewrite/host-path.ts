import { isJsonObject, type Json } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';

/**
 * A path of a policy as the host writes it: a portable first name becomes the host's own. The host's name is taken
 * wherever the call has it, so that a superfluous argument of the portable name cannot draw the rewrite to itself.
 */
export function hostPath(
  path: string,
  aliases: Readonly<Record<string, string>>,
  root: Json,
): readonly string[] {
  const [first, ...rest] = parsePath(path);
  if (first === undefined || !Object.hasOwn(aliases, first)) return parsePath(path);
  const hostName = aliases[first] ?? first;
  const has = (key: string) => isJsonObject(root) && Object.hasOwn(root, key);
  return [has(first) && !has(hostName) ? first : hostName, ...rest];
}
