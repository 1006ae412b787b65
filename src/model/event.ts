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

/** The events that are about one tool call. */
export const TOOL_EVENTS: readonly EventKind[] = [
  'before_tool',
  'approve_tool',
  'after_tool',
  'tool_failure',
];

/** Agents have all tools of these classes themselves, so their arguments are known. */
export const CLOSED_CLASSES = [
  'shell',
  'read',
  'write',
  'edit',
  'list',
  'search',
  'fetch',
  'web_search',
] as const;
/** The portable tool classes; each host says which of its tools belong where. */
export const TOOL_CLASSES = [
  ...CLOSED_CLASSES,
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

/** A change that a host makes to an argument after the hook has seen it. */
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

/** The changes of argument values in order, by argument name, `globs` for globs, or `texts` for all that may be JSON. */
export type ArgumentReadings = Readonly<Record<string, readonly ArgumentReading[]>>;

export interface ToolCall {
  readonly name: string;
  /** The portable classes it belongs to, at least one (`other`). */
  readonly classes: readonly ToolClass[];
  /** The arguments, or undefined if the host sent something that cannot be read as an object. */
  readonly arguments: JsonObject | undefined;
  /** The shell that reads its commands; by default one like bash. `system`: PowerShell if the agent works on Windows. */
  readonly shell?: 'powershell' | 'system';
  /** True if its result comes as soon as it has begun. */
  readonly background?: true;
  /** From portable argument names to the host's own, if they differ: `path` to `file_path`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Arguments that hold globs of the files that the tool reads, below its `path` if it has one. */
  readonly globs?: readonly string[];
  /** From a portable argument name to other places that may have its meaning, if the tool is unknown. */
  readonly lookalikes?: Readonly<Record<string, readonly ArgumentPath[]>>;
  /** The commands that an unknown tool may run, from any of its arguments; absent for known tools. */
  readonly commands?: readonly ArgumentCommand[];
  /** Portable arguments that the host sends outside of the call's own: `server` and `tool_name` of an MCP call. */
  readonly extraArguments?: Readonly<Record<string, string>>;
  /** The host's changes of arguments after the hook has seen them; absent if there are none. */
  readonly reads?: ArgumentReadings;
  /** True if it takes a path that does not exist as the end of one below the agent's folder. */
  readonly finds?: boolean;
  /** True if it may belong to further classes, because not all arguments can be read. */
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
  /** The host's own id of the request, for the answer; undefined if the host has none. */
  readonly requestId: Json | undefined;
  /** The host's own event, whole, for `event` paths and for echoing unknown fields. */
  readonly raw: JsonObject;
  readonly subject: Subject;
  /** Present on tool events. */
  readonly tool: ToolCall | undefined;
  /** The event as the host may read its arguments. A refusal of any of these counts, an approval needs all. */
  readonly readings?: readonly Event[];
  /** The event's texts in order; computed when first asked for. */
  readonly texts: readonly EventText[];
  /** The model's name, if this event carries it. */
  readonly model: string | undefined;
  readonly context: Context;
  /** The conversation and the turn, as keys of memory; undefined if the host does not say. */
  readonly session: string | undefined;
  readonly turn: string | undefined;
  /** The host's own id of the call; undefined if it does not send one. */
  readonly callId?: string | undefined;
  /** Equal for both events about one call, if the host may send two. */
  readonly twin?: string | undefined;
  /**
   * True if a prompt has come in, for hosts that do not name turns. It starts a turn unless it is returning feedback
   * (`engine/retries`). The host says so, never the text of a model.
   */
  readonly startsTurn?: boolean;
  /** True if the session was started in a folder, if the host reports that folder in addition to the present one. */
  readonly startedIn?: (folder: string) => boolean;
  /** The same event with another subject, to judge a rewritten event. */
  with(subject: Subject): Event;
}
