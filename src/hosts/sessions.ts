import { fastHash } from '../lib/digest.ts';
import { asObject, isJsonObject, type Json, type JsonObject, ownString, parseJson } from '../lib/json.ts';

/** A tool call that an agent has made, as its session tells. */
export interface SessionCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly session: string;
  /** The directory in which the agent worked; undefined if the session does not tell. */
  readonly cwd: string | undefined;
  /** ISO 8601, UTC; undefined if the session does not tell. */
  readonly time: string | undefined;
  /** The host's own id of the call; undefined if the session does not tell. */
  readonly id?: string | undefined;
  /** False if the host or a person has refused it, true if it ran; undefined if the session does not say. */
  readonly ran?: boolean | undefined;
  readonly bySubagent?: true;
  /** How many prompts came before it; absent before the first one. */
  readonly turn?: number;
  /** True for the last one of a turn that somebody has cut off: the agent has not come to its end. */
  readonly cutOff?: true;
  /** Its result; absent if it has not run, or the session does not tell. */
  readonly result?: PastResult;
  /** More fields of the host's message about it, laid over it. */
  readonly event?: JsonObject;
}

/** A result as the hook would have received it. */
export interface PastResult {
  readonly on: 'after_tool' | 'tool_failure';
  readonly value: Json;
}

/** How a call of a session has ended. */
export interface Ending {
  readonly ran: boolean | undefined;
  readonly result?: PastResult;
}

interface CallEnd extends Ending {
  readonly session: string;
  /** The id of the call. */
  readonly ended: string;
}

/** A person has said something, which starts a turn, or has cut off the one that was under way. */
interface Prompt {
  readonly prompt: true;
  readonly cuts?: true;
}

const PROMPT: Prompt = { prompt: true };
const CUT: Prompt = { prompt: true, cuts: true };

/** The entries of a session, in its order. */
export type Entry = SessionCall | CallEnd | Prompt;

/** A file in which a host may keep a session, or a database with many. */
export interface SessionFile {
  /** Absolute. */
  readonly path: string;
  /** Empty for a database. */
  readonly text: string;
  /** The answer of a database to a query; empty if the file is none, or lacks the tables. */
  readonly rows: (sql: string) => readonly JsonObject[];
  /** The text of another file, by its path from this one's folder; undefined if there is none. */
  readonly beside: (path: string) => string | undefined;
}

/** The sessions of a host: their folders, and how to read them. */
export interface Sessions {
  /**
   * Absolute folders; they need not be there.
   *
   * @param textOf the text of a file, for hosts that list their folders in one
   */
  readonly folders: (
    env: Readonly<Record<string, string | undefined>>,
    home: string,
    textOf: (path: string) => string | undefined,
  ) => readonly string[];
  /** False if nothing in them says whether a call ran. */
  readonly tellsEnd?: false;
  /** Fits the paths of session files below these folders, with slashes. */
  readonly files: RegExp;
  /** The calls of a session in their order; undefined if the file is none of this host's. */
  readonly read: (file: SessionFile) => readonly SessionCall[] | undefined;
}

/** The JSON objects in the lines of a text. Lines that are none, such as a torn last one, do not count. */
export function objectsIn(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const value = line.trim() === '' ? undefined : parseJson(line);
    return isJsonObject(value) ? [value] : [];
  });
}

/** Arguments in a session as JSON text or as an object; anything else is kept under a name of its own. */
export function argumentsOf(value: Json | undefined): JsonObject {
  const read = typeof value === 'string' ? parseJson(value) : value;
  if (isJsonObject(read)) return read;
  return value === undefined || value === null || value === '' ? {} : { arguments: value };
}

/** False for an id such as `call_1` or `functions.Bash:0`, which some models give again and again. */
export function isUniqueId(id: string): boolean {
  return !/^(?:call[_-]?)?\d{1,4}$|:\d+$/i.test(id);
}

/** The same for each copy of a call: a session that is gone on with has the calls of the one before. Undefined where nobody can tell. */
export function callIdentity({ id, time, tool, arguments: args }: SessionCall): string | undefined {
  if (id === undefined) return undefined;
  const call = `${id} ${tool} ${fastHash(JSON.stringify(args))}`;
  if (isUniqueId(id)) return call;
  return time === undefined ? undefined : `${call} ${time}`;
}

/** Calls in their order, each once, with how it has ended. */
export function endedCalls(entries: readonly Entry[]): readonly SessionCall[] {
  const calls: SessionCall[] = [];
  const last = new Map<string, number>();
  let turn = 0;
  for (const each of entries) {
    if ('prompt' in each) {
      turn += 1;
      const at = each.cuts === true ? calls.findLastIndex(({ bySubagent }) => bySubagent !== true) : -1;
      const cut = calls[at];
      if (cut !== undefined) calls[at] = { ...cut, cutOff: true };
      continue;
    }
    const id = 'ended' in each ? each.ended : each.id;
    const key = `${each.session} ${id}`;
    const at = id === undefined ? undefined : last.get(key);
    const known = at === undefined ? undefined : calls[at];
    if (!('ended' in each)) {
      const identity = callIdentity(each);
      if (known !== undefined && identity !== undefined && callIdentity(known) === identity) continue;
      last.set(key, calls.push(turn === 0 || each.bySubagent === true ? each : { ...each, turn }) - 1);
    } else if (at !== undefined && known !== undefined) {
      const { result } = each;
      // A server may give an answer that reads like a refusal.
      const ran = each.ran === false && /^mcp_/.test(known.tool) ? undefined : each.ran;
      calls[at] = { ...known, ran, ...(result === undefined ? {} : { result }) };
    }
  }
  return calls;
}

/** The facts that all calls at one place of a session share. */
export type CallPlace = Omit<SessionCall, 'tool' | 'arguments' | 'id'>;

/** A call that a session tells; nothing where it has no name. */
export function callEntry(
  place: CallPlace,
  call: { readonly tool: Json | undefined; readonly args: Json | undefined; readonly id: Json | undefined },
): readonly SessionCall[] {
  const { tool, args, id } = call;
  if (typeof tool !== 'string') return [];
  return [{ ...place, tool, arguments: argumentsOf(args), id: typeof id === 'string' ? id : undefined }];
}

/** Agents write this in the name of a person who has stopped them. */
const CUT_OFF = /^\[Request (?:interrupted|cancelled)/i;

/** Reads calls and their results from the parts of a message in the form of Anthropic's messages. */
export function contentCalls(
  message: Json | undefined,
  place: CallPlace,
  endOf: (result: JsonObject) => Ending,
): readonly Entry[] {
  const { content, role } = asObject(message);
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  if (role === 'user' && !parts.some(({ type }) => type === 'tool_result'))
    return [CUT_OFF.test(String(parts[0]?.['text'] ?? content)) ? CUT : PROMPT];
  return parts.flatMap((part): readonly Entry[] => {
    const ended = part['type'] === 'tool_result' ? ownString(part, 'tool_use_id') : undefined;
    if (ended !== undefined) return [{ session: place.session, ended, ...endOf(part) }];
    const { type, name, input, id } = part;
    return type === 'tool_use' ? callEntry(place, { tool: name, args: input, id }) : [];
  });
}

/** ISO 8601 in UTC, from a text or from milliseconds since 1970; undefined if it is no time. */
export function isoTime(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || value === 0 ? undefined : time.toISOString();
}

/** The tool calls of a message in the form of OpenAI's chat completions, which many hosts keep. */
export function chatCalls({ role, tool_calls: calls }: JsonObject, place: CallPlace): readonly SessionCall[] {
  if (role !== 'assistant' || !Array.isArray(calls)) return [];
  return calls.filter(isJsonObject).flatMap((call) => {
    const { name, arguments: args } = isJsonObject(call['function']) ? call['function'] : call;
    return callEntry(place, { tool: name, args, id: call['id'] });
  });
}

/** Reads a message of this form: calls, the result of one, or that a turn starts. */
export function chatEntries(
  message: JsonObject,
  place: CallPlace,
  resultOf: (shown: string) => PastResult,
): readonly Entry[] {
  const { role, content, tool_call_id: ended } = message;
  if (role === 'user') return [PROMPT];
  if (role === 'tool' && typeof ended === 'string')
    return [{ session: place.session, ended, ran: undefined, result: resultOf(String(content ?? '')) }];
  return chatCalls(message, place);
}
