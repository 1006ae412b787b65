import type { BareCall } from '../../src/hosts/host.ts';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Facts } from '../../src/model/facts.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import type { Surroundings } from '../../src/model/surroundings.ts';
import type { Truth } from '../../src/model/truth.ts';

export const HOME = '/home/user';
export const WORKSPACE = '/workspace';

/** Facts about a call in a machine with a home and a workspace, where no path is a link unless the test says so. */
export function factsOf(call: BareCall, surroundings: Partial<Surroundings> = {}): Facts {
  const known: Surroundings = { home: HOME, workspace: WORKSPACE, realPath: (path) => path, ...surroundings };
  return createFacts(bareEvent(call), NO_MEMORY, () => known);
}

export function shell(command: string, surroundings?: Partial<Surroundings>): Facts {
  return factsOf({ on: 'before_tool', tool: 'shell', arguments: { command } }, surroundings);
}

/** Facts about a tool call whose arguments the host sent as something that is no object. */
export function unreadable(tool: string, unsure = false): Facts {
  const facts = factsOf({ on: 'before_tool', tool, arguments: {} });
  const call = facts.event.tool;
  if (call === undefined) throw new Error('no tool');
  return { ...facts, event: { ...facts.event, tool: { ...call, arguments: undefined, unsure } } };
}

/** What a matching key with this spec says. */
export function ask(key: string, spec: Json, facts: Facts): Truth {
  const matcher = MATCHER_TABLE.get(key);
  if (matcher === undefined) throw new Error(`Cannot ask "${key}": unknown`);
  expectNoProblems(key, matcher.check?.(spec) ?? []);
  return matcher.compile(spec)(facts);
}

function expectNoProblems(key: string, problems: readonly { readonly message: string }[]): void {
  if (problems.length > 0) throw new Error(`${key}: ${problems.map(({ message }) => message).join('; ')}`);
}
