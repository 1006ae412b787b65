import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { Subject } from '../../../model/event.ts';

/** The name of a tool in a definition or a call, in OpenAI's shape or flat; undefined if the host does not say. */
export function toolName(entry: Json): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  const nested = ownObject(entry, 'function');
  return (nested && ownString(nested, 'name')) ?? ownString(entry, 'name');
}

/** Stands for a call without a name, which a rewrite by name may or may not mean: no host takes it for a call. */
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
export function withCallPart(call: JsonObject, key: 'name' | 'arguments', value: Json): JsonObject {
  const nested = ownObject(call, 'function');
  return nested === undefined
    ? { ...call, [key]: value }
    : { ...call, function: { ...nested, [key]: value } };
}

/** A part of a call, wherever this call's shape keeps it. */
export function callPart(call: JsonObject, key: 'name' | 'arguments'): Json | undefined {
  return own(ownObject(call, 'function') ?? call, key);
}
