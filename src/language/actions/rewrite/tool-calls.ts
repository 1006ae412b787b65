import { losesDigits, TOO_MANY_DIGITS } from '../../../lib/exact-numbers.ts';
import { compileNameGlob } from '../../../lib/glob/glob.ts';
import {
  isJsonObject,
  itemsOf,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
  parseJson,
} from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import type { Subject } from '../../../model/event.ts';
import type { ParamProblem, RewriteForm, RewriteInput } from '../action-spec.ts';
import { checkTemplates } from '../template-params.ts';
import { RewriteError } from './paths.ts';
import { remove, removePaths, set, setPaths } from './set.ts';

/** The name of a tool in a definition or a call, in OpenAI's shape or flat; undefined if the host does not say. */
export function toolName(entry: Json): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  const nested = ownObject(entry, 'function');
  return (nested && ownString(nested, 'name')) ?? ownString(entry, 'name');
}

/** Stands for a call without a name, which a rewrite by name may or may not mean: no host reads it as a call. */
const UNTOLD = null;

/** The subject with these changes to the calls that `fits` picks by name; undefined takes a call out. */
export function withNamedCalls(
  subject: Subject,
  fits: (name: string) => boolean,
  change: (call: JsonObject) => JsonObject | undefined,
): Subject {
  return withToolCalls(subject, (calls) =>
    calls.flatMap((call): readonly Json[] => {
      const name = toolName(call) ?? '';
      if (!isJsonObject(call) || name === '') return [UNTOLD];
      if (!fits(name)) return [call];
      const changed = change(call);
      return changed === undefined ? [] : [changed];
    }),
  );
}

/** The subject with another list of tool calls in the model's answer; the same object if nothing changed. */
export function withToolCalls(
  subject: Subject,
  change: (calls: readonly Json[]) => readonly Json[],
): Subject {
  const response = ownObject(subject, 'response');
  const calls = response && own(response, 'tool_calls');
  if (response === undefined || !Array.isArray(calls)) return subject;
  const changed = change(calls);
  if (changed.length === calls.length && changed.every((call, i) => call === calls[i])) return subject;
  return { ...subject, response: { ...response, tool_calls: changed } };
}

/** The same call with another part of it, wherever this call's shape keeps name and arguments. */
function withCallPart(call: JsonObject, key: 'name' | 'arguments', value: Json): JsonObject {
  const nested = ownObject(call, 'function');
  return nested === undefined
    ? { ...call, [key]: value }
    : { ...call, function: { ...nested, [key]: value } };
}

/** A part of a call, wherever this call's shape keeps it. */
function callPart(call: JsonObject, key: 'name' | 'arguments'): Json | undefined {
  return own(ownObject(call, 'function') ?? call, key);
}

export const editToolCalls = {
  key: 'edit_tool_calls',
  summary: "Change tool calls in the model's answer before they run",
  events: ['after_llm'],
  schema: {
    ...LIST,
    items: {
      ...CLOSED,
      required: ['name'],
      minProperties: 2,
      properties: {
        name: { description: 'The calls to change: a tool name or a glob', ...TEXT },
        set: { description: 'From paths of the arguments to new values', ...set.schema },
        remove: { description: 'Paths of the arguments to take out', ...remove.schema },
        rename: { description: 'The tool to call in its place; a template', ...TEXT },
      },
    },
  },
  check: (spec) => itemsOf(spec).filter(isJsonObject).flatMap(checkEdit),
  apply: (spec, subject, input) =>
    itemsOf(spec)
      .filter(isJsonObject)
      .reduce((from, edit) => {
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

/** The arguments of a call of the model are JSON text or an object, and keep their form. */
function editArguments(call: JsonObject, edit: JsonObject, input: RewriteInput): JsonObject {
  const values = ownObject(edit, 'set') ?? {};
  const paths = own(edit, 'remove') ?? [];
  if (Object.keys(values).length === 0 && Array.isArray(paths) && paths.length === 0) return call;
  const written = callPart(call, 'arguments');
  const before = typeof written === 'string' ? parseJson(written === '' ? '{}' : written) : written;
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
