import type { Json, JsonObject } from '../lib/json.ts';

/** Every event a policy can name in `on`, in the order they occur in a turn. */
export const EVENT_KINDS = [
  'session_start',
  'before_prompt',
  'prompt_sent',
  'before_llm',
  'tool_choice',
  'after_llm',
  'before_tool',
  'approve_tool',
  'after_tool',
  'tool_failure',
  'after_turn',
  'before_compact',
  'after_compact',
  'notification',
  'session_end',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The portable tool classes; each host says which of its tools belong where. */
export const TOOL_CLASSES = [
  'shell',
  'read',
  'write',
  'edit',
  'list',
  'search',
  'fetch',
  'web_search',
  'mcp',
  'agent',
  'message',
  'schedule',
  'memory',
  'install',
  'other',
] as const;
export type ToolClass = (typeof TOOL_CLASSES)[number];
/** The effect of tools of these classes depends on their arguments. */
export const OPEN_CLASSES: readonly ToolClass[] = ['other', 'mcp', 'schedule'];

/** The facts about the conversation a policy can name in `context`. */
export const CONTEXT_KEYS = [
  'cwd',
  'session',
  'agent',
  'subagent',
  'channel',
  'chat_id',
  'chat_type',
  'sender',
  'host',
  'permission_mode',
  'iteration',
  'repository',
  'repository_root',
  'branch',
] as const;
export type ContextKey = (typeof CONTEXT_KEYS)[number];
/** Facts that no host sends: they are looked up where the agent works. */
export const MACHINE_CONTEXT: readonly ContextKey[] = ['repository', 'repository_root', 'branch'];
export type Context = Readonly<Partial<Record<ContextKey, string | number | boolean>>>;

/** Keys and indexes that lead from the arguments to a value in them. */
export type ArgumentPath = readonly (string | number)[];

/** An argument of an unknown tool that may be a command that the tool runs. */
export interface ArgumentCommand {
  readonly at: ArgumentPath;
  /** Sibling arguments that may be the words after it. */
  readonly words: readonly ArgumentPath[];
  /** Sibling arguments that may say where it runs; if there are none, those of the whole call may. */
  readonly directories: readonly ArgumentPath[];
  /** True if it may be something else: a film script, a concert program. */
  readonly uncertain: boolean;
  /** For code: the command that runs it, as in `python3 -c`; empty for a shell. */
  readonly runner?: string;
}

/** Hosts change the text of an argument so after the hook has seen it. */
export type ArgumentReading =
  | 'trimmed'
  | 'without NULs'
  | 'without @'
  | 'without escapes'
  | 'without quotes'
  | 'with slashes'
  | 'path of a URI'
  | 'list of globs'
  | 'JSON as text'
  | 'JSON always';

/**
 * By the portable name of an argument, its own, `globs` for those that hold globs, or `texts` for all that may be JSON: the
 * readings of its value, in order.
 */
export type ArgumentReadings = Readonly<Record<string, readonly ArgumentReading[]>>;

/** A tool call as the agent asked for it. */
export interface ToolCall {
  /** The host's own name of the tool. */
  readonly name: string;
  /** The portable classes it belongs to, at least one (`other`). */
  readonly classes: readonly ToolClass[];
  /** The arguments, or undefined if the host sent something that cannot be read as an object. */
  readonly arguments: JsonObject | undefined;
  /** The shell that reads its commands; one like bash unless given. `system`: PowerShell if the agent works on Windows. */
  readonly shell?: 'powershell' | 'system';
  /** True if its result comes once it has begun. */
  readonly background?: true;
  /** Portable argument name to the host's own, for those that differ: `path` to `file_path`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Arguments that hold globs of the files that the tool reads, below its `path` if it has one. */
  readonly globs?: readonly string[];
  /** Maps a portable argument name to further places that may mean the same, if it is unknown which one the tool uses. */
  readonly lookalikes?: Readonly<Record<string, readonly ArgumentPath[]>>;
  /** The commands that an unknown tool may run, from any of its arguments; absent for known tools. */
  readonly commands?: readonly ArgumentCommand[];
  /** Portable arguments that the host sends in addition to the call's own: `server` and `tool_name` of an MCP call. */
  readonly extraArguments?: Readonly<Record<string, string>>;
  /** The host's changes of arguments after the hook has seen them; absent if there are none. */
  readonly reads?: ArgumentReadings;
  /** True if a path that is not there is taken for the end of another below the folder that the agent works in. */
  readonly finds?: boolean;
  /** True if it may belong to further classes, because its arguments cannot be read completely. */
  readonly unsure?: boolean;
}

/** One piece of text in an event's subject, with its place. */
export interface EventText {
  /** The speaker, if the host sends it: user, assistant, model, tool, system. */
  readonly role: string | undefined;
  readonly text: string;
  /** Keys and indexes that lead from the subject to this string. */
  readonly path: readonly (string | number)[];
}

/**
 * The part that a rewrite may change, in one shape for all hosts. Adapters translate it from and to the host's object and
 * keep every field that they do not know.
 *
 * | events | keys |
 * |---|---|
 * | before_tool, approve_tool | `tool` string, `arguments` object |
 * | after_tool, tool_failure | `result`: the host's whole result |
 * | before_llm | `model`, `messages` [{role, content}], `tools`, `options`, `system_prompt`, those the host has |
 * | after_llm | `response`: the host's whole answer |
 * | tool_choice | `messages`; `mode` AUTO, ANY or NONE and `allow_tools` list of names, both absent on arrival |
 * | before_prompt, prompt_sent | `prompt` |
 * | after_turn | `response`: the agent's last words |
 * | before_compact, after_compact | `messages`, if the host has them |
 * | notification | `message` |
 * | others | empty |
 */
export type Subject = JsonObject;

/** One event of an agent, as the engine judges it. Built by a host adapter, never changed. */
export interface Event {
  readonly kind: EventKind;
  /** The host's name: `picoclaw`, `gemini`, `jcli`. */
  readonly host: string;
  /** The event's name in the host's own protocol. */
  readonly native: string;
  /** The host's own id of the request, echoed in the answer; undefined where the host has none. */
  readonly requestId: Json | undefined;
  /** The host's own event, whole, for `event` paths and for echoing unknown fields. */
  readonly raw: JsonObject;
  readonly subject: Subject;
  /** Present on tool events. */
  readonly tool: ToolCall | undefined;
  /**
   * The same event with the arguments of its tool as the host may read them, where that is otherwise. A refusal holds if it
   * does here or in one of them, an approval only if it does in all.
   */
  readonly readings?: readonly Event[];
  /** The event's texts in order; computed when first asked for. */
  readonly texts: readonly EventText[];
  /** The model's name, if this event carries it. */
  readonly model: string | undefined;
  readonly context: Context;
  /** The conversation and the turn, as keys of memory; undefined if the host does not say. */
  readonly session: string | undefined;
  readonly turn: string | undefined;
  /** The host's own id of the call that a tool event is about; undefined where it does not say. */
  readonly callId?: string | undefined;
  /** The same for both events about one call, where the host may send a second one about it. */
  readonly twin?: string | undefined;
  /**
   * True if a prompt has come in, which starts a turn unless it is feedback that comes back: for hosts that name no turns. The
   * host says so, never the text of a model.
   */
  readonly startsTurn?: boolean;
  /** True if the session was started in a folder, if the host says that beside the folder that the agent is in now. */
  readonly startedIn?: (folder: string) => boolean;
  /** The same event with another subject: the event to judge if the rewrite had been the original. */
  with(subject: Subject): Event;
}
