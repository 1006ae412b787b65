import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { Context, EventText, Subject, ToolCall } from '../../model/event.ts';
import { classifyTool } from '../classify.ts';
import { contextIn, createEvent, loneTexts } from '../create-event.ts';
import type { Decoded } from '../host.ts';
import { plainReply } from './answers.ts';
import type { Dialect } from './dialect.ts';
import { refuseWith } from './encode.ts';
import { resultTexts } from './result-texts.ts';
import { subjectOf } from './subject.ts';

/** Reads one message from a hook's stdin. Events of newer versions are answered with nothing to say. */
export function decodeWith(dialect: Dialect): (message: Json) => Decoded {
  const { name, events, tools, twin, startedIn, read = (message) => message } = dialect;
  const refuse = refuseWith(dialect);
  const malformed = (message: Json, cause: string): Decoded => ({
    type: 'malformed',
    cause,
    reply: refuse(message, cause),
  });
  return (message) => {
    if (!isJsonObject(message)) return malformed(message, 'the message is not an object');
    const fields = read(message);
    const native = ownString(fields, 'hook_event_name');
    if (native === undefined) return malformed(message, 'the message does not name its event');
    const kind = Object.hasOwn(events, native) ? events[native] : undefined;
    if (kind === undefined) return { type: 'reply', reply: plainReply({}) };
    const subject = subjectOf(kind, fields);
    if (typeof subject === 'string') return malformed(message, `${native}: ${subject}`);
    return {
      type: 'event',
      event: createEvent({
        kind,
        host: name,
        native,
        requestId: undefined,
        raw: message,
        subject,
        model: ownString(fields, 'model'),
        session: ownString(fields, 'session_id'),
        turn: ownString(fields, 'turn_id') ?? ownString(fields, 'prompt_id'),
        callId: ownString(fields, 'tool_use_id'),
        twin: kind === 'before_tool' || kind === 'approve_tool' ? twin?.(fields) : undefined,
        startsTurn: kind === 'before_prompt',
        ...(startedIn === undefined ? {} : { startedIn: (folder) => startedIn(fields, folder) }),
        context: () => contextOf(name, fields),
        textsOf,
        toolOf: (changed) => toolOf(tools, changed, fields),
      }),
    };
  };
}

function contextOf(host: string, fields: JsonObject): Context {
  const mode = ownString(fields, 'permission_mode');
  const agent = ownString(fields, 'agent_type');
  return {
    ...contextIn(host, fields),
    ...(mode === undefined ? {} : { permission_mode: mode }),
    ...(agent === undefined ? {} : { agent }),
    subagent: ownString(fields, 'agent_id') !== undefined,
  };
}

/** The speakers of the texts that are alone in the subject. */
const ROLES = { prompt: 'user', message: 'system', response: 'assistant' } as const;

function textsOf(subject: Subject): readonly EventText[] {
  const texts = loneTexts(subject, ROLES);
  for (const found of resultTexts(own(subject, 'result') ?? null, ['result']))
    texts.push({ role: 'tool', ...found });
  return texts;
}

function toolOf(tools: Dialect['tools'], subject: Subject, fields: JsonObject): ToolCall | undefined {
  const name = ownString(subject, 'tool') ?? ownString(fields, 'tool_name');
  if (name === undefined) return undefined;
  const args = ownObject(subject, 'arguments') ?? ownObject(fields, 'tool_input');
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return {
    name,
    arguments: args,
    ...classifyTool(tools, name, args),
    ...(server === undefined || tool === undefined ? {} : { extraArguments: { server, tool_name: tool } }),
  };
}
