import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { type TemplateProblem, templateProblems } from '../../lib/template.ts';
import type { ParamProblem } from './action-spec.ts';
import { isJudgeVariable, isTemplateVariable, templateHint } from './template-variables.ts';

/** The problems of every template inside a value, at any depth. */
export function checkTemplates(
  value: Json | undefined,
  path: readonly (string | number)[],
): readonly ParamProblem[] {
  if (typeof value === 'string') {
    const isFilled = (name: string) => isTemplateVariable(name) && !isJudgeVariable(name);
    return templateProblems(value, isFilled).map((found) => paramProblem(found, path));
  }
  if (Array.isArray(value)) return value.flatMap((item: Json, i) => checkTemplates(item, [...path, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => checkTemplates(item, [...path, key]));
}

/** The problems of the templates under some keys of an action's parameters. */
export function checkTemplateKeys(params: JsonObject, keys: readonly string[]): readonly ParamProblem[] {
  return keys.flatMap((key) => checkTemplates(own(params, key), [key]));
}

function paramProblem(
  { message, path: name }: TemplateProblem,
  path: readonly (string | number)[],
): ParamProblem {
  if (name === undefined) return { code: 'template', path, message };
  if (!isJudgeVariable(name)) return { code: 'template', path, message, hint: templateHint(name) };
  const hint = 'only the strings in "verdicts" have it, in policies with type: llm_judge';
  return { code: 'template', path, message, hint, needsVerdict: true };
}
