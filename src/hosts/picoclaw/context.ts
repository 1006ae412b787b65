import { type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { Context, ContextKey } from '../../model/event.ts';

/** The place of a fact: in `meta` and `context.inbound`, in `scope` and `attrs`, or, before 0.2.7, on top. */
interface Source {
  readonly meta?: string;
  readonly inbound?: string;
  readonly scope?: string;
  readonly attrs?: string;
}

const SOURCES = Object.entries({
  agent: { meta: 'AgentID', scope: 'agent_id' },
  session: { meta: 'SessionKey', scope: 'session_key' },
  iteration: { meta: 'Iteration', attrs: 'iteration' },
  channel: { inbound: 'channel', scope: 'channel' },
  chat_id: { inbound: 'chat_id', scope: 'chat_id' },
  chat_type: { inbound: 'chat_type', scope: 'chat_type' },
  sender: { inbound: 'sender_id', scope: 'sender_id' },
} satisfies Partial<Record<ContextKey, Source>>) as readonly (readonly [ContextKey, Source])[];

/** The facts about the conversation in a request's or a notification's parameters. `cwd` is this process's. */
export function contextOf(params: JsonObject, cwd: string): Context {
  const meta = ownObject(params, 'meta') ?? ownObject(params, 'Meta');
  const context = ownObject(params, 'context') ?? ownObject(params, 'Context');
  const inbound = context === undefined ? undefined : ownObject(context, 'inbound');
  const scope = ownObject(params, 'scope');
  const attrs = ownObject(params, 'attrs');
  const found: Partial<Record<ContextKey, string | number | boolean>> = { host: 'picoclaw', cwd };
  for (const [key, source] of SOURCES) {
    const value =
      at(meta, source.meta) ??
      at(inbound, source.inbound) ??
      at(scope, source.scope) ??
      at(attrs, source.attrs) ??
      at(params, source.inbound);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** PicoClaw writes an empty string for an unknown value. */
function at(object: JsonObject | undefined, key: string | undefined): string | number | undefined {
  if (object === undefined || key === undefined) return undefined;
  const value: Json | undefined = own(object, key);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}
