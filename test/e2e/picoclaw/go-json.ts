import type { Json, JsonObject } from '../../../src/lib/json.ts';

/**
 * What PicoClaw's decoder expects at a place. It matches keys without regard to case, ignores those it does not know,
 * takes null for nothing, and refuses the whole value for one field of a wrong type.
 */
export type Shape =
  | ScalarShape
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly struct: Readonly<Record<string, Shape>> }
  /** A value that may be absent, which is null then. */
  | { readonly pointer: Shape };

type ScalarShape = 'string' | 'bool' | 'int' | 'float' | 'time' | 'any';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** A number such as `1.0`: equal to an integer, but no integer to Go. */
class IntegralFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

type Parsed = unknown;

const RFC3339 = /^\d{4}-(\d\d)-(\d\d)T\d\d?:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Parses one line; throws DecodeError if it is not JSON. */
export function goParse(line: string): Parsed {
  try {
    return JSON.parse(line, (_key, value, context?: { readonly source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !/^-?\d+$/.test(context?.source ?? '')
        ? new IntegralFloat(value)
        : value,
    );
  } catch (error) {
    throw new DecodeError(String(error));
  }
}

/** Decodes a parsed value into a shape; throws DecodeError if it does not fit. */
export function goDecode(shape: Shape, value: Parsed): Json {
  if (value === undefined || value === null) return zeroOf(shape);
  if (typeof shape === 'string') return decodeScalar(shape, value);
  if ('pointer' in shape) return goDecode(shape.pointer, value);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw mismatch(value, 'a list');
    return value.map((item: Parsed) => goDecode(shape.list, item));
  }
  if (!isObject(value)) throw mismatch(value, 'an object');
  if ('map' in shape) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, goDecode(shape.map, item)]));
  }
  const names = new Map(Object.keys(shape.struct).map((name) => [name.toLowerCase(), name]));
  const decoded: Record<string, Json> = Object.fromEntries(
    Object.entries(shape.struct).map(([name, field]) => [name, zeroOf(field)]),
  );
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    const field = name === undefined ? undefined : shape.struct[name];
    if (name !== undefined && field !== undefined) decoded[name] = goDecode(field, item);
  }
  return decoded;
}

function decodeScalar(shape: ScalarShape, value: Parsed): Json {
  switch (shape) {
    case 'any':
      return plain(value);
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, 'a string');
      return value;
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, 'a boolean');
      return value;
    case 'int':
      if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= 2 ** 63)
        throw mismatch(value, 'an integer');
      return value;
    case 'time':
      if (typeof value !== 'string' || !isTime(value)) throw mismatch(value, 'a time');
      return value;
    case 'float': {
      const number = value instanceof IntegralFloat ? value.value : value;
      if (typeof number !== 'number') throw mismatch(value, 'a number');
      return number;
    }
  }
}

function isTime(text: string): boolean {
  const [, month, day] = RFC3339.exec(text) ?? [];
  if (month === undefined || day === undefined) return false;
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day) && Number(month) <= 12;
}

function zeroOf(shape: Shape): Json {
  if (shape === 'string' || shape === 'time') return '';
  if (shape === 'bool') return false;
  if (shape === 'int' || shape === 'float') return 0;
  if (shape === 'any' || 'pointer' in shape) return null;
  if ('list' in shape) return [];
  if ('map' in shape) return {};
  return goDecode(shape, {});
}

function plain(value: Parsed): Json {
  if (value instanceof IntegralFloat) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  return value as Json;
}

function isObject(value: Parsed): value is Record<string, Parsed> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof IntegralFloat)
  );
}

function mismatch(value: Parsed, wanted: string): DecodeError {
  return new DecodeError(`cannot decode ${JSON.stringify(value)?.slice(0, 60)} into ${wanted}`);
}

/** JSON as Go writes it: safe inside HTML, keys of maps sorted where the caller has sorted them. */
export function goStringify(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The object without keys that are empty and that Go leaves out then. */
export function omitEmpty(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => !keys.includes(key) || !isEmpty(value)),
  );
}

function isEmpty(value: Json): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
