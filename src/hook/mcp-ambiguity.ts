import { isJsonObject, type Json, type JsonObject, ownObject } from '../lib/json.ts';
import { stringEnd } from '../lib/string-end.ts';

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
  if (key !== undefined) return `the key "${key}" occurs twice in one object`;
  const params = ownObject(message, 'params') ?? {};
  const args = ownObject(params, 'arguments') ?? {};
  const other = misspelt(params, PARAMETERS) ?? misspelt(args, declared ?? []);
  return other === undefined ? undefined : `the key "${other}" is another one but for its letter case`;
}

/** The same for a server's line. A tool's own values may have keys that differ in letter case. */
export function serverAmbiguity(line: string): string | undefined {
  const key = ambiguousKey(line, (path) => path.length <= 2 && !OWN_PARTS.includes(path[1]));
  return key === undefined ? undefined : `the key "${key}" occurs twice in one object`;
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

/** An object that is being read: its keys so far, as they are compared. */
interface Open {
  readonly keys: Set<string> | undefined;
  key: string | undefined;
  awaitsKey: boolean;
}

/**
 * The first key of a JSON text that one object has twice, or that differs from another one there in letter case alone; undefined
 * if there is none. Programs differ in which of them they read. Iterative, and linear in the text.
 *
 * @param text must be JSON
 * @param fold true if letter case does not count in an object, by the keys that lead to it; lists add none
 */
function ambiguousKey(text: string, fold: (path: readonly string[]) => boolean): string | undefined {
  const open: Open[] = [];
  const path: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const top = open.at(-1);
    switch (text.charCodeAt(at)) {
      case 34: {
        const end = stringEnd(text, at);
        if (top?.keys !== undefined && top.awaitsKey) {
          const key = String(JSON.parse(text.slice(at, end)));
          const compared = fold(path) ? foldedKey(key) : key;
          if (top.keys.has(compared)) return key;
          top.keys.add(compared);
          top.key = key;
          top.awaitsKey = false;
        }
        at = end - 1;
        break;
      }
      case 123:
        if (top?.key !== undefined) path.push(top.key);
        open.push({ keys: new Set(), key: undefined, awaitsKey: true });
        break;
      case 91:
        if (top?.key !== undefined) path.push(top.key);
        open.push({ keys: undefined, key: undefined, awaitsKey: false });
        break;
      case 125:
      case 93:
        open.pop();
        if (open.at(-1)?.key !== undefined) path.pop();
        break;
      case 44:
        if (top?.keys !== undefined) top.awaitsKey = true;
        break;
      default:
    }
  }
  return undefined;
}

/** The same for keys that a reader takes for one which looks at no letter case: it has `ſ` for `s`, too. */
function foldedKey(key: string): string {
  return key.toUpperCase().toLowerCase();
}
