import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

/** A type as PicoClaw's decoder knows it: null and unknown keys pass. One wrong value makes it drop the whole answer. */
export type FieldType =
  | 'string'
  /** A string. A message may have a list of parts, as elsewhere; PicoClaw itself neither sends nor reads one. */
  | 'text'
  | 'boolean'
  /** As wide as the machine's word: 32 bits on small boards. */
  | 'int'
  | 'int64'
  /** RFC 3339, as in 2026-01-02T03:04:05Z. */
  | 'time'
  | 'any'
  | { readonly list: FieldType }
  | { readonly map: FieldType }
  | { readonly fields: Fields };

/** The types of a struct's fields, without a prototype: a key of any name is a field or none. */
export type Fields = Readonly<Record<string, FieldType>>;

export function fieldsOf(types: Fields): { readonly fields: Fields } {
  return { fields: Object.assign(Object.create(null) as Record<string, FieldType>, types) };
}

/** A value in a message of another type than PicoClaw has there. */
export interface TypeMismatch {
  readonly path: readonly string[];
  /** `is a number, not a string`. */
  readonly state: string;
}

const INT_LIMIT = 2 ** 31;
const INT64_LIMIT = 2 ** 63;
const TIME =
  /^(\d{4}-\d\d-(\d\d))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,18})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Finds the first part of a value, itself included, that PicoClaw could not read; undefined if there is none.
 *
 * @param levels how many objects with known fields deep to look; of those below it only has to be an object
 */
export function findMisfit(
  value: Json,
  type: FieldType,
  levels = Number.POSITIVE_INFINITY,
): TypeMismatch | undefined {
  const path: string[] = [];
  const state = misfitIn(value, type, levels, path);
  return state === undefined ? undefined : { path: path.reverse(), state };
}

/** `"messages.1.reasoning_content" is a number, not a string`. */
export function misfitText({ path, state }: TypeMismatch): string {
  return `"${path.join('.')}" ${state}`;
}

/** Says why a value does not fit at a path of a value of the type: `it is a number, not a string`. */
export function typeMismatchAt(type: FieldType, path: readonly string[], value: Json): string | undefined {
  const misfit = findMisfit(valueAt(type, path, value), type);
  if (misfit === undefined) return undefined;
  const inside = misfit.path.slice(path.length);
  return inside.length === 0 ? `it ${misfit.state}` : `its ${misfitText({ ...misfit, path: inside })}`;
}

/** A value of the type with nothing in it but the one at the path; of a list whichever item. */
function valueAt(type: FieldType, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  const child = valueAt(typeof type === 'string' ? 'any' : typeOfChild(type, step), rest, value);
  return typeof type === 'object' && 'list' in type ? [child] : { [step]: child };
}

/** Why the first misfit does not fit; its path is added to `path`, last step first. */
function misfitIn(value: Json, type: FieldType, levels: number, path: string[]): string | undefined {
  if (value === null || type === 'any') return undefined;
  const isWritten = levels === Number.POSITIVE_INFINITY;
  if (!hasKind(value, type, isWritten)) return `is ${kindOf(value)}, not ${nameOf(type)}`;
  if (typeof value !== 'object' || typeof type === 'string') return undefined;
  if ('fields' in type)
    return levels === 0 ? undefined : misfitInFields(value, type.fields, levels - 1, path);
  if ('map' in type && type.map === 'any') return undefined;
  const below = 'list' in type ? type.list : type.map;
  for (const [key, child] of Object.entries(value)) {
    const state = misfitIn(child ?? null, below, levels, path);
    if (state === undefined) continue;
    path.push(key);
    return state;
  }
  return undefined;
}

/** A plain loop without lists of keys: each message comes by here. */
function misfitInFields(value: object, fields: Fields, levels: number, path: string[]): string | undefined {
  for (const key in value) {
    const child = (value as JsonObject)[key] ?? null;
    const known = fields[key];
    if (known === 'string' && typeof child === 'string') continue;
    const state = known === undefined ? misspelling(fields, key) : misfitIn(child, known, levels, path);
    if (state === undefined) continue;
    path.push(key);
    return state;
  }
  return undefined;
}

function typeOfChild(type: Exclude<FieldType, string>, key: string): FieldType {
  if ('list' in type) return type.list;
  return 'map' in type ? type.map : (type.fields[key] ?? 'any');
}

/** A key in another case would be a second value of the field, which Go takes and nothing else here sees. */
function misspelling(fields: Fields, key: string): string | undefined {
  const folded = fold(key);
  const name = Object.keys(fields).find((each) => fold(each) === folded);
  return name === undefined ? undefined : `has to be written "${name}"`;
}

/** Go takes the long s and the sign of the kelvin for the letters, too. */
function fold(key: string): string {
  return key.toLowerCase().replaceAll('ſ', 's');
}

function hasKind(value: Json, type: FieldType, isWritten: boolean): boolean {
  if (typeof type === 'object') return 'list' in type ? Array.isArray(value) : isJsonObject(value);
  switch (type) {
    case 'any':
      return true;
    case 'int':
      return Number.isInteger(value) && Math.abs(Number(value)) < INT_LIMIT;
    case 'int64':
      return Number.isInteger(value) && Math.abs(Number(value)) < INT64_LIMIT;
    case 'time':
      return typeof value === 'string' && isTime(value);
    case 'string':
      return typeof value === 'string';
    case 'text':
      return typeof value === 'string' || (Array.isArray(value) && !isWritten);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

function isTime(text: string): boolean {
  const [, date, day] = TIME.exec(text) ?? [];
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.getUTCDate() === Number(day);
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function nameOf(type: FieldType): string {
  if (typeof type === 'object') return 'list' in type ? 'a list' : 'an object';
  if (type === 'time') return 'a time such as 2026-01-02T03:04:05Z';
  if (type === 'int' || type === 'int64') return 'an integer';
  return type === 'text' ? 'a string' : `a ${type}`;
}
