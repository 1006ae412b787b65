import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, ownString } from '../../lib/json.ts';

/**
 * The wanted messages with every system message at the place it had, which PicoClaw checks: where one is missing,
 * moved or new it drops all the edits of messages. Undefined if that cannot be, unless `drop` gives up the edits of
 * system messages, or all of them where the places cannot be kept.
 */
export function keepSystemMessages(
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

/**
 * The wanted tools if none of the original ones is missing: PicoClaw keeps those whatever is returned. Otherwise
 * undefined, or with `drop` the original ones.
 */
export function keepTools(
  before: readonly Json[],
  wanted: readonly Json[],
  drop: boolean,
): readonly Json[] | undefined {
  const kept = before.every((tool) => wanted.some((other) => deepEqual(tool, other)));
  if (kept) return wanted;
  return drop ? before : undefined;
}

function isSystem(message: Json): boolean {
  return isJsonObject(message) && ownString(message, 'role') === 'system';
}
