import type { HostSetting } from '../../../src/hosts/host.ts';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import type { Event } from '../../../src/model/event.ts';
import type { Memory } from '../../../src/model/memory.ts';

export function setting(version?: string): HostSetting {
  return { version, env: {}, cwd: '/work', interactive: false };
}

/** The event of a message; fails where it is answered without judging. */
export function eventOf(message: Json, version?: string): Event {
  const decoded = picoclaw.decode(message, setting(version));
  if (decoded.type !== 'event') throw new Error(`not an event: ${JSON.stringify(decoded)}`);
  return decoded.event;
}

/** The `result` of the answer to a message. */
export function resultFor(
  message: JsonObject,
  parts: Partial<Decision> & Pick<Decision, 'action'>,
  version?: string,
): JsonObject {
  const { stdout } = picoclaw.encode(eventOf(message, version), decide(parts), setting(version));
  return resultIn(stdout);
}

export function resultIn(line: string): JsonObject {
  return (JSON.parse(line) as { result: JsonObject }).result;
}

export function memory(): Memory & { readonly size: () => number } {
  const kept = new Map<string, Json>();
  return {
    get: (space, key) => kept.get(`${space} ${key}`),
    set: (space, key, value) => {
      if (value === undefined) kept.delete(`${space} ${key}`);
      else kept.set(`${space} ${key}`, value);
    },
    update: () => {},
    size: () => kept.size,
  };
}
