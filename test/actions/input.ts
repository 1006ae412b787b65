import type { ActionInput, Render, RewriteInput } from '../../src/language/actions/action-spec.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts';
import { parsePath, valuesAt } from '../../src/lib/json-path.ts';
import { renderTemplate } from '../../src/lib/template.ts';
import type { EventKind } from '../../src/model/event.ts';

/** Renders templates from a plain object. */
export function renderFrom(values: JsonObject): Render {
  return (template) => renderTemplate(template, (path) => valuesAt(values, parsePath(path))[0]);
}

export function actionInput(args: JsonObject = {}, ruleId = 'pack/rule'): ActionInput {
  return {
    ruleId,
    arguments: args,
    argument: (path) => valuesAt(args, parsePath(path))[0],
    render: renderFrom({ arguments: args }),
  };
}

/** The texts of a subject are at the given paths, or at every string in it. */
export function rewriteInput(kind: EventKind, subject: JsonObject, values: JsonObject = {}): RewriteInput {
  return {
    kind,
    render: renderFrom(values),
    textPaths: textPathsOf(kind, subject),
    aliases: { path: 'file_path' },
    place: () => ({ home: '/home/me', cwd: '/work' }),
  };
}

function textPathsOf(kind: EventKind, subject: JsonObject): RewriteInput['textPaths'] {
  switch (kind) {
    case 'before_prompt':
      return [['prompt']];
    case 'before_llm':
    case 'after_compact':
      return stringPaths(subject['messages'] ?? [], ['messages']).filter((path) => path.at(-1) !== 'role');
    case 'after_llm':
      return [['response', 'content']];
    case 'after_tool':
    case 'tool_failure':
      return stringPaths(subject['result'] ?? null, ['result']);
    default:
      return [];
  }
}

function stringPaths(
  value: Json,
  at: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  if (typeof value === 'string') return [at];
  if (Array.isArray(value)) return value.flatMap((item: Json, i) => stringPaths(item, [...at, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => stringPaths(item, [...at, key]));
}

/** Freezes a value at every depth, so that changing it throws. */
export function deepFreeze<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
