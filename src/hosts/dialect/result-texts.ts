import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';

type Path = readonly (string | number)[];

/** Keys that describe how a result is built. */
const BUILT: readonly string[] = ['type', 'mode', 'status', 'media_type', 'mimeType', 'encoding', 'base64'];

/** The texts of a tool's result, whatever its shape is, with their paths. */
export function* resultTexts(
  result: Json,
  path: Path,
): Generator<{ readonly text: string; readonly path: Path }> {
  if (typeof result === 'string') yield { text: result, path };
  else if (Array.isArray(result))
    for (const [i, item] of result.entries()) yield* resultTexts(item, [...path, i]);
  else if (isJsonObject(result))
    for (const [key, value] of Object.entries(result))
      if (!isBuilt(key, result)) yield* resultTexts(value, [...path, key]);
}

/** A result of the same shape without its texts, as hosts ignore other shapes; the longest text becomes the reason. */
export function withheldResult(result: Json, reason: string): Json {
  let longest = '';
  for (const { text } of resultTexts(result, [])) if (text.length > longest.length) longest = text;
  let said = false;
  return mapTexts(result, (text) => {
    if (said || text !== longest) return '';
    said = true;
    return reason;
  });
}

/** A result of the same shape in which every text is the reason: for hosts of which nobody knows which text the model reads. */
export function refusedResult(result: Json, reason: string): Json {
  return mapTexts(result, (text) => (text === '' ? '' : reason));
}

function mapTexts(result: Json, change: (text: string) => string): Json {
  if (typeof result === 'string') return change(result);
  if (Array.isArray(result)) return result.map((item) => mapTexts(item, change));
  if (!isJsonObject(result)) return result;
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [
      key,
      isBuilt(key, result) ? value : mapTexts(value, change),
    ]),
  );
}

/** True for a word of a list that the host knows, and for bytes. */
function isBuilt(key: string, object: JsonObject): boolean {
  return BUILT.includes(key) || (key === 'data' && typeof own(object, 'type') === 'string');
}
