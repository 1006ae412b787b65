import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';

/** A tool call that an agent has made, as its session tells. */
export interface PastCall {
  /** The host's own name of the tool. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly session: string;
  /** The directory in which the agent worked; undefined if the session does not tell. */
  readonly cwd: string | undefined;
  /** ISO 8601, UTC; undefined if the session does not tell. */
  readonly time: string | undefined;
  /** The host's own id of the call; undefined if the session does not tell. */
  readonly id?: string | undefined;
  /** Whether it ran: false if the host or a person has refused it, undefined if the session does not tell. */
  readonly ran?: boolean | undefined;
  /** True if a subagent has made it. */
  readonly bySubagent?: true;
}

/** A file in which a host may keep a session. */
export interface SessionFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** The text of another file, by its path from this one's folder; undefined if there is none. */
  readonly beside: (path: string) => string | undefined;
}

/** Where a host keeps its sessions, and how to read them. */
export interface Sessions {
  /** Absolute folders; they need not be there. */
  readonly folders: (env: Readonly<Record<string, string | undefined>>, home: string) => readonly string[];
  /** Fits the paths of session files below these folders, with slashes. */
  readonly files: RegExp;
  /** The calls of a session in their order; undefined if the file is none of this host's. */
  readonly read: (file: SessionFile) => readonly PastCall[] | undefined;
}

/** The JSON objects in the lines of a text. Lines that are none, such as a torn last one, do not count. */
export function objectsIn(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const value = line.trim() === '' ? undefined : parsed(line);
    return isJsonObject(value) ? [value] : [];
  });
}

/** Arguments that are in a session as JSON text or as an object; what is neither is kept so that it can be told. */
export function argumentsOf(value: Json | undefined): JsonObject {
  const read = typeof value === 'string' ? parsed(value) : value;
  if (isJsonObject(read)) return read;
  return value === undefined || value === null || value === '' ? {} : { arguments: value };
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** ISO 8601 in UTC, from a text or from milliseconds since 1970; undefined if it is no time. */
export function isoTime(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || value === 0 ? undefined : time.toISOString();
}

/** The tool calls of a message in the form of OpenAI's chat completions, which many hosts keep. */
export function chatCalls(
  message: JsonObject,
): readonly { readonly tool: string; readonly arguments: JsonObject }[] {
  const calls = message['tool_calls'];
  if (message['role'] !== 'assistant' || !Array.isArray(calls)) return [];
  return calls.flatMap((call: Json) => {
    if (!isJsonObject(call)) return [];
    const { name, arguments: args } = isJsonObject(call['function']) ? call['function'] : call;
    return typeof name === 'string' ? [{ tool: name, arguments: argumentsOf(args) }] : [];
  });
}
