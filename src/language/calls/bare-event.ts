import { type ClassifiedTool, classifyTool } from '../../hosts/classify.ts';
import { createEvent } from '../../hosts/create-event.ts';
import type { BareCall, HostTool } from '../../hosts/host.ts';
import { messagesOf } from '../../hosts/portable-call.ts';
import { HOSTS } from '../../hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type Event, type EventText, type Subject, TOOL_CLASSES, type ToolCall } from '../../model/event.ts';
import type { Surroundings } from '../../model/surroundings.ts';
import { TOOL_KINDS } from './call-keys.ts';

/** The folder of calls that name none. */
export const TEST_CWD = '/workspace';
/** The home directory of every test, so that results are the same on every machine. */
export const TEST_HOME = '/home/user';

/** The known facts of the machine where every test runs: the disk is not asked. */
export function surroundingsAt(workspace: string): Surroundings {
  return { home: TEST_HOME, workspace, realPath: (path) => path };
}

/** A call as an event without a host; a host's own tool is classified as that host does. Fields of hosts are unknown. */
export function bareEvent(call: BareCall): Event {
  const context = { cwd: TEST_CWD, session: 'session', ...call.context };
  return createEvent({
    kind: call.on,
    host: String(context.host ?? 'none'),
    native: call.on,
    requestId: undefined,
    raw: call.event ?? {},
    subject: subjectOf(call),
    model: call.model,
    session: String(context.session),
    turn: 'turn',
    context: () => context,
    textsOf,
    toolOf: (subject) => toolOf(subject, call),
  });
}

function subjectOf(call: BareCall): Subject {
  switch (call.on) {
    case 'before_tool':
    case 'approve_tool':
      return { tool: call.tool ?? 'shell', arguments: call.arguments ?? {} };
    case 'after_tool':
    case 'tool_failure':
      return { result: call.result ?? '' };
    case 'before_llm':
    case 'tool_choice':
    case 'before_compact':
    case 'after_compact':
    case 'session_start':
    case 'session_end':
      return { ...(call.model === undefined ? {} : { model: call.model }), messages: messagesOf(call) };
    case 'after_llm':
    case 'after_turn':
      return { response: call.response ?? '' };
    case 'before_prompt':
    case 'prompt_sent':
    case 'notification':
      return { prompt: call.prompt ?? '' };
    default:
      return call.on satisfies never;
  }
}

const ROLES: Readonly<Record<string, string>> = { result: 'tool', response: 'assistant', prompt: 'user' };

function textsOf(subject: Subject): readonly EventText[] {
  const texts: EventText[] = [];
  for (const [key, value] of Object.entries(subject)) {
    const role = ROLES[key];
    if (role !== undefined) collect(value, [key], role, texts);
    else if (key === 'messages' && Array.isArray(value)) {
      for (const [index, message] of value.entries()) {
        if (!isJsonObject(message)) continue;
        const speaker = ownString(message, 'role');
        collect(own(message, 'content') ?? null, ['messages', index, 'content'], speaker, texts);
      }
    }
  }
  return texts;
}

/** Every string inside, with its place. A test file nests at most a hundred levels. */
function collect(
  value: Json,
  path: readonly (string | number)[],
  role: string | undefined,
  texts: EventText[],
): void {
  if (typeof value === 'string') texts.push({ role, text: value, path });
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, [...path, index], role, texts);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) collect(item, [...path, key], role, texts);
  }
}

const PORTABLE_TOOLS: Readonly<Record<string, HostTool>> = Object.fromEntries(
  TOOL_CLASSES.map((name) => [name, { classes: [name] }]),
);

function toolOf(subject: Subject, call: BareCall): ToolCall | undefined {
  if (!TOOL_KINDS.includes(call.on)) return undefined;
  const name = ownString(subject, 'tool') ?? call.tool ?? 'shell';
  const args = ownObject(subject, 'arguments') ?? call.arguments ?? {};
  return { name, arguments: args, ...classified(name, args) };
}

/** Hosts may share a tool's name: the arguments tell whose it is, else the first has it. */
function classified(name: string, args: JsonObject): ClassifiedTool {
  if (Object.hasOwn(PORTABLE_TOOLS, name)) return classifyTool(PORTABLE_TOOLS, name, args);
  const known = HOSTS.filter(({ tools }) => Object.keys(tools).some((key) => isNamed(key, name))).map(
    ({ tools }) => classifyTool(tools, name, args),
  );
  const named = known.find(({ aliases }) => Object.values(aliases).some((own) => Object.hasOwn(args, own)));
  return named ?? known[0] ?? classifyTool(PORTABLE_TOOLS, name, args);
}

function isNamed(key: string, name: string): boolean {
  return key === name || (key.endsWith('*') && name.startsWith(key.slice(0, -1)));
}
