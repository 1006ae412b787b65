import { isJsonObject, type Json, type JsonObject, ownObject } from '../lib/json.ts';
import { ambiguousKey, foldedKey } from './ambiguous-keys.ts';

/** Keys of the protocol in the parameters of requests. */
const PARAMETERS = ['name', 'arguments', 'task', 'taskId', 'uri', 'requestId', '_meta'];
/** Parts of a result that mean something to the tool alone: there letter case may tell keys apart. */
const OWN_PARTS: readonly (string | undefined)[] = ['structuredContent', '_meta', 'arguments'];

/**
 * Why a client's line may be read otherwise than it is judged; undefined if it may not. Servers differ in which of two
 * equal keys they take, and some look at no letter case.
 *
 * @param declared names of the arguments of the tool that is called, as far as they are known
 */
export function clientAmbiguity(
  line: string,
  message: JsonObject,
  declared: ReadonlySet<string> | undefined,
): string | undefined {
  const key = ambiguousKey(line, () => true);
  if (key !== undefined) return `the key "${key}" stands twice in one object`;
  const params = ownObject(message, 'params') ?? {};
  const args = ownObject(params, 'arguments') ?? {};
  const other = misspelt(params, PARAMETERS) ?? misspelt(args, declared ?? []);
  return other === undefined ? undefined : `the key "${other}" is another one but for its letter case`;
}

/** The same for a server's line. What a tool says of its own may have keys that differ in letter case. */
export function serverAmbiguity(line: string): string | undefined {
  const key = ambiguousKey(line, (path) => path.length <= 2 && !OWN_PARTS.includes(path[1]));
  return key === undefined ? undefined : `the key "${key}" stands twice in one object`;
}

/** A key that is one of these but for its letter case. */
function misspelt(object: JsonObject, names: Iterable<string>): string | undefined {
  const folded = new Map([...names].map((name) => [foldedKey(name), name]));
  return Object.keys(object).find(
    (key) => (folded.get(foldedKey(key)) ?? key) !== key && !hasName(names, key),
  );
}

/** A tool may have two arguments that differ in letter case only. */
function hasName(names: Iterable<string>, key: string): boolean {
  return [...names].includes(key);
}

/** Names of the arguments that a tool declares. */
export function declaredArguments(tool: JsonObject): ReadonlySet<string> | undefined {
  const properties = ownObject(ownObject(tool, 'inputSchema') ?? {}, 'properties');
  return properties === undefined ? undefined : new Set(Object.keys(properties));
}

/** The calls that a model asks for in an answer to the server: `sampling/createMessage` with tools. */
export function callsInAnswer(result: Json | undefined): readonly JsonObject[] {
  const content = isJsonObject(result) ? result['content'] : undefined;
  const parts: readonly Json[] = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return parts.filter((part): part is JsonObject => isJsonObject(part) && part['type'] === 'tool_use');
}
