import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Render } from './action-spec.ts';

/** A policy's value with every string in it rendered as a template; keys are taken as they are. */
export function renderJson(value: Json, render: Render): Json {
  if (typeof value === 'string') return render(value);
  if (Array.isArray(value)) return value.map((item: Json) => renderJson(item, render));
  return isJsonObject(value) ? renderObject(value, render) : value;
}

/** The same for an object. */
export function renderObject(value: JsonObject, render: Render): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderJson(item, render)]));
}
