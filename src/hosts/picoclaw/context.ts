import { type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { Context, ContextKey } from '../../model/event.ts';

/** Facts by their names in one object of a message. */
type Place = readonly (readonly [name: string, fact: ContextKey])[];

const META: Place = [
  ['AgentID', 'agent'],
  ['SessionKey', 'session'],
  ['Iteration', 'iteration'],
];
/** Before 0.2.7 these are on top. */
const INBOUND: Place = [
  ['channel', 'channel'],
  ['chat_id', 'chat_id'],
  ['chat_type', 'chat_type'],
  ['sender_id', 'sender'],
];
const SCOPE: Place = [['agent_id', 'agent'], ['session_key', 'session'], ...INBOUND];
const ATTRS: Place = [['iteration', 'iteration']];

/** The facts about the conversation in a request's or a notification's parameters. `cwd` is this process's. */
export function contextOf(params: JsonObject, cwd: string): Context {
  const context = ownObject(params, 'context') ?? ownObject(params, 'Context');
  const found: Found = { host: 'picoclaw', cwd };
  add(found, META, ownObject(params, 'meta') ?? ownObject(params, 'Meta'));
  add(found, INBOUND, context === undefined ? undefined : ownObject(context, 'inbound'));
  add(found, SCOPE, ownObject(params, 'scope'));
  add(found, ATTRS, ownObject(params, 'attrs'));
  add(found, INBOUND, params);
  return found;
}

type Found = Partial<Record<ContextKey, string | number | boolean>>;

/** Adds the facts of an object that are not known yet. PicoClaw writes an empty string for an unknown value. */
function add(found: Found, place: Place, object: JsonObject | undefined): void {
  if (object === undefined) return;
  for (const [name, fact] of place) {
    const value = found[fact] === undefined ? own(object, name) : undefined;
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) found[fact] = value;
  }
}
