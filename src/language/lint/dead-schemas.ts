import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { asList } from '../keys/types/alternatives.ts';
import type { DeadPart } from './dead-part.ts';

/** Keywords that ask nothing of a value. */
const SILENT = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
]);

/** A schema that no arguments satisfy: they are an object. */
export function deadMatch(schema: Json, path: DeadPart['path']): readonly DeadPart[] {
  if (takesObjects(schema)) return [];
  const hint = 'leave "type" out, and describe the arguments under "properties"';
  return [{ path: [...path, 'type'], message: `Cannot match: the arguments of a call are an object`, hint }];
}

/** A schema that all arguments satisfy. */
export function deadViolate(schema: Json, path: DeadPart['path']): readonly DeadPart[] {
  const keys = Object.keys(isJsonObject(schema) ? schema : {}).filter((key) => !SILENT.has(key));
  if (!takesObjects(schema) || keys.some((key) => key !== 'type')) return [];
  const hint = 'say what the arguments must be: required, properties';
  return [{ path, message: 'Cannot match: the arguments of each call satisfy this schema', hint }];
}

function takesObjects(schema: Json): boolean {
  const type = isJsonObject(schema) ? own(schema, 'type') : undefined;
  return type === undefined || asList(type).includes('object');
}
