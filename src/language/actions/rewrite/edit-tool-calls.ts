import { losesDigits, TOO_MANY_DIGITS } from '../../../lib/exact-numbers.ts';
import { compileNameGlob } from '../../../lib/glob.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { ParamProblem, RewriteForm, RewriteInput } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { remove, removePaths } from './remove.ts';
import { RewriteError } from './rewrite-error.ts';
import { set, setPaths } from './set.ts';
import { callPart, toolName, withCallPart, withNamedCalls } from './tool-calls.ts';

export const editToolCalls = {
  key: 'edit_tool_calls',
  summary: "Change tool calls in the model's answer before they run",
  events: ['after_llm'],
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      minProperties: 2,
      properties: {
        name: { description: 'The calls to change: a tool name or a glob', type: 'string', minLength: 1 },
        set: { description: 'From paths of the arguments to new values', ...set.schema },
        remove: { description: 'Paths of the arguments to take out', ...remove.schema },
        rename: { description: 'The tool to call in its place; a template', type: 'string', minLength: 1 },
      },
    },
  },
  check: (spec) => edits(spec).flatMap(checkEdit),
  apply: (spec, subject, input) =>
    edits(spec).reduce((from, edit) => {
      const fits = compileNameGlob(ownString(edit, 'name') ?? '');
      return withNamedCalls(from, fits, (call) => editCall(call, edit, input));
    }, subject),
} satisfies RewriteForm;

function checkEdit(edit: JsonObject, index: number): readonly ParamProblem[] {
  const at = (key: string) => (problem: ParamProblem) => ({
    ...problem,
    path: [index, key, ...problem.path],
  });
  return [
    ...set.check(own(edit, 'set') ?? {}).map(at('set')),
    ...remove.check(own(edit, 'remove') ?? []).map(at('remove')),
    ...checkTemplates(own(edit, 'rename'), [index, 'rename']),
  ];
}

function editCall(call: JsonObject, edit: JsonObject, input: RewriteInput): JsonObject {
  const edited = editArguments(call, edit, input);
  const template = ownString(edit, 'rename');
  const name = template === undefined ? undefined : input.render(template);
  if (name === '') throw new RewriteError('Cannot rename the tool call: the new name is empty');
  return name === undefined || name === toolName(edited) ? edited : withCallPart(edited, 'name', name);
}

/** The arguments of a call of the model are JSON text or an object, and stay what they are. */
function editArguments(call: JsonObject, edit: JsonObject, input: RewriteInput): JsonObject {
  const values = ownObject(edit, 'set') ?? {};
  const paths = own(edit, 'remove') ?? [];
  if (Object.keys(values).length === 0 && Array.isArray(paths) && paths.length === 0) return call;
  const written = callPart(call, 'arguments');
  const before = typeof written === 'string' ? parsedObject(written) : written;
  if (!isJsonObject(before)) {
    throw new RewriteError(`Cannot edit tool call "${toolName(call)}": its arguments are not an object`);
  }
  const noAliases = { ...input, aliases: {} };
  const after = removePaths(setPaths(before, values, noAliases), paths, noAliases);
  if (after === before) return call;
  if (typeof written !== 'string') return withCallPart(call, 'arguments', after);
  if (losesDigits(written)) {
    throw new RewriteError(`Cannot edit tool call "${toolName(call)}": ${TOO_MANY_DIGITS}`);
  }
  return withCallPart(call, 'arguments', JSON.stringify(after));
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function edits(spec: Json): readonly JsonObject[] {
  return Array.isArray(spec) ? spec.filter(isJsonObject) : [];
}
