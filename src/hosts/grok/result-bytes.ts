import { isJsonObject, type Json } from '../../lib/json.ts';

/** These fields of results have a text as a list of its bytes. */
const BYTES: readonly string[] = ['output', 'stdout', 'stderr'];

export function inText(result: Json, key = ''): Json {
  if (isBytes(result, key)) return textOf(result);
  if (Array.isArray(result)) return result.map((item) => inText(item));
  if (!isJsonObject(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, inText(value, name)]));
}

/** A result in the shape of the host's own: a text that was bytes in the original becomes bytes. */
export function inBytes(original: Json, result: Json, key = ''): Json {
  if (typeof result === 'string' && isBytes(original, key))
    return textOf(original) === result ? original : [...new TextEncoder().encode(result)];
  if (Array.isArray(result) && Array.isArray(original))
    return result.map((item, index) => inBytes(original[index] ?? null, item));
  if (!isJsonObject(result) || !isJsonObject(original)) return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, inBytes(original[name] ?? null, value, name)]),
  );
}

function isBytes(value: Json, key: string): value is number[] {
  return (
    BYTES.includes(key) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => Number.isInteger(item) && Number(item) >= 0 && Number(item) < 256)
  );
}

function textOf(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
