import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, ownString } from '../../lib/json.ts';
import type { Subject } from '../../model/event.ts';

/**
 * The wanted request with PicoClaw's own tools and system messages, which it keeps. Undefined if more is lost, unless `drop`
 * allows it.
 */
export function keepPrompt(before: Subject, wanted: Subject, drop: boolean): Subject | undefined {
  const { messages = [], tools = [] } = wanted;
  // A value that is no list is refused when it is to be written.
  if (!Array.isArray(messages) || !Array.isArray(tools)) return wanted;
  const kept = keepSystemMessages(listOf(before, 'messages'), messages, drop);
  const original = listOf(before, 'tools');
  const hasAll = original.every((tool) => tools.some((other: Json) => deepEqual(tool, other)));
  return kept === undefined || !(hasAll || drop) ? undefined : { ...wanted, messages: kept, tools: original };
}

/**
 * The wanted messages with the system messages in their places: PicoClaw drops all edits if one is missing, moved or new.
 * Undefined if impossible and `drop` forbids it.
 */
function keepSystemMessages(
  before: readonly Json[],
  wanted: readonly Json[],
  drop: boolean,
): readonly Json[] | undefined {
  const system = before.filter(isSystem);
  const wantedSystem = wanted.filter(isSystem);
  const same =
    system.length === wantedSystem.length &&
    system.every((message, index) => deepEqual(message, wantedSystem[index] ?? null));
  if (!same && !drop) return undefined;
  const others = wanted.filter((message) => !isSystem(message));
  const woven: Json[] = [];
  let used = 0;
  for (const [index, message] of before.entries()) {
    if (!isSystem(message)) continue;
    const missing = index - woven.length;
    if (others.length - used < missing) return drop ? before : undefined;
    woven.push(...others.slice(used, used + missing), message);
    used += missing;
  }
  return [...woven, ...others.slice(used)];
}

function listOf(subject: Subject, key: string): readonly Json[] {
  const value = subject[key];
  return Array.isArray(value) ? value : [];
}

function isSystem(message: Json): boolean {
  return isJsonObject(message) && ownString(message, 'role') === 'system';
}
