import { isJsonObject, type Json, type JsonObject, own } from '../lib/json.ts';
import { templateProblems } from '../lib/template.ts';
import type { ParamProblem } from './effect.ts';

/** The problems of every template inside a value, at any depth. */
export function checkTemplates(
  value: Json | undefined,
  path: readonly (string | number)[],
): readonly ParamProblem[] {
  if (typeof value === 'string') {
    return templateProblems(value).map(({ message }) => ({ code: 'template', path, message }));
  }
  if (Array.isArray(value)) return value.flatMap((item: Json, i) => checkTemplates(item, [...path, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => checkTemplates(item, [...path, key]));
}

/** The problems of the templates under some keys of an action's parameters. */
export function checkTemplateKeys(params: JsonObject, keys: readonly string[]): readonly ParamProblem[] {
  return keys.flatMap((key) => checkTemplates(own(params, key), [key]));
}
