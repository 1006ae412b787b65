import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, ownString } from '../../lib/json.ts';
import type { Subject } from '../../model/event.ts';

/**
 * The wanted request as far as PicoClaw takes it: with the tools and the system messages that it has, which it keeps whatever is
 * returned. Undefined if that differs from the wanted one by more than added tools, unless `drop` gives up the rest.
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
 * The wanted messages with every system message at the place it had, which PicoClaw checks: where one is missing,
 * moved or new it drops all the edits of messages. Undefined if that cannot be, unless `drop` gives up the edits of
 * system messages, or all of them where the places cannot be kept.
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
