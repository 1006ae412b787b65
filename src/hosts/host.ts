import type { Json, JsonObject } from '../lib/json.ts';
import type { Action } from '../model/action.ts';
import type { Decision, RespondResult } from '../model/decision.ts';
import type { ArgumentReadings, ContextKey, Event, EventKind, Subject, ToolClass } from '../model/event.ts';
import type { Memory } from '../model/memory.ts';
import type { CallResults } from './call-results.ts';
import type { HookStart } from './clean-start.ts';
import type { Guards } from './guards.ts';
import type { ImpliedBy } from './implied/implied-call.ts';
import type { Installation } from './installation.ts';
import type { Sessions } from './sessions.ts';

/** Parts of an answer in addition to its action. */
export type AnswerExtra = 'message' | 'add_context' | 'suppress_output';

/** The abilities of a host on one event. If one is missing, the engine uses the closest answer that prevents the effect. */
export interface Support {
  readonly actions: readonly Action[];
  /** Rewrite forms that the host carries out. */
  readonly rewrites: readonly string[];
  readonly beside: readonly AnswerExtra[];
  /** Context keys that the host sends; others are unknown. */
  readonly context: readonly ContextKey[];
  /** The source of the model's name: this event, an earlier event of the session, or none. */
  readonly model: 'sent' | 'remembered' | 'never';
  /** True if the host itself refuses when nobody can answer: `ask` then needs no `--interactive`. */
  readonly refusesUnasked?: boolean;
  /** True if its text arrives in chunks, each a separate event. */
  readonly chunked?: boolean;
  /** True if the host shows the model a refused call again in full. */
  readonly repeatsRefused?: boolean;
  readonly misses?: UncoveredLoss;
  /** A note for readers of the matrix, in addition to the caveats. */
  readonly note?: string;
  readonly caveats?: readonly Caveat[];
  /** The differences of some events of this kind, by the host's own names. */
  readonly natives?: Readonly<Record<string, Support>>;
}

/** A policy key that a host supports with an unexpected side effect. */
export interface Caveat {
  /** The paths of the key, within the parameters of the action: any of these. */
  readonly paths: readonly (readonly string[])[];
  /** A key that removes the caveat if it is true. */
  readonly unless?: readonly string[];
  /** The failing ability, as in `show "message"`. */
  readonly cannot: string;
  /** The effect, as a clause without a final period. */
  readonly state: string;
  readonly hint: string;
}

/** An ability that a host lacks on an event that seems to have it. */
export interface UncoveredLoss {
  /** The missing ability, as in `see every prompt`. */
  readonly cannot: string;
  /** The effect, as a clause without a final period. */
  readonly state: string;
  readonly hint: string;
  /** The event that shows it; undefined if there is none. */
  readonly seenOn: EventKind | undefined;
  /** True if the event never comes at all. */
  readonly always?: boolean;
}

export interface HostTool {
  readonly classes: readonly ToolClass[];
  /** The shell that reads its commands; by default one like bash. `system`: PowerShell if the agent works on Windows. */
  readonly shell?: 'powershell' | 'system';
  /** From portable argument names to the host's own, if they differ. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The differences by the value of one argument, such as `action`. */
  readonly cases?: {
    readonly by: string;
    readonly of: Readonly<Record<string, Partial<Pick<HostTool, 'classes' | 'aliases'>>>>;
  };
  /** Gives the command, path or address of a call if no argument holds it. */
  readonly implied?: ImpliedBy;
  /** True if its result comes as soon as it has begun. */
  readonly background?: true;
  /** True if its arguments are texts for the agent and people: none is a path, a command or an address. */
  readonly inert?: boolean;
  /** Arguments with globs of files that the call reads, below its `path` if it has one. */
  readonly globs?: readonly string[];
  /** Arguments that hold a list of objects: the aliases of each of them. */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The changes that the host makes to arguments after the hook. */
  readonly reads?: ArgumentReadings;
  /** True if it takes a path that does not exist as the end of one below the agent's folder. */
  readonly finds?: boolean;
  /** True if it accepts its arguments under any name with a clear meaning, and in lists. */
  readonly anyNames?: boolean;
}

/** The facts about the host apart from the message. */
export interface HostSetting {
  /** The host's version or generation from `--host-version`; undefined means the newest. */
  readonly version: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory of this process. */
  readonly cwd: string;
  /** True if the host can ask a person, by `--interactive`. */
  readonly interactive: boolean;
  /** True if a yes counts for the rest of the session, by `--keep-yes`, in hosts that can do that. */
  readonly keepYes?: boolean;
}

/** An answer in the host's own form. In lines framing `stdout` is one line with its newline, or empty. */
export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export type Decoded =
  /** To be judged. */
  | { readonly type: 'event'; readonly event: Event }
  /** Answered without judging: a handshake, an unknown method. */
  | { readonly type: 'reply'; readonly reply: Reply }
  /** Refused, because the message breaks the protocol. `reply` prevents the effect and names the cause. */
  | { readonly type: 'malformed'; readonly reply: Reply; readonly cause: string };

/** True if the facts were measured on the agent; else they come from documents. */
export function isMeasured({ facts }: Pick<Host, 'facts'>): boolean {
  return facts.startsWith('measured');
}

/** The native events with which our plugin reports that the host has loaded it. */
export const PLUGIN_LOADED = /\.load$/;

/** An agent that calls hooks. Adapters never decide; `engine/degrade` handles abilities missing in `supports`. */
export interface Host {
  readonly name: string;
  readonly title: string;
  /** The source of the facts, as in `measured on 2.1.328` or `its documents`. */
  readonly facts: string;
  readonly framing: 'document' | 'lines';
  /** How long the host waits for an answer, in seconds, unless `--host-timeout` says otherwise. */
  readonly timeoutS: (kind: EventKind | undefined) => number;
  /** Versions or generations that `--host-version` takes, oldest first. */
  readonly versions: readonly string[];
  /** Maps the host's event names to ours. */
  readonly events: Readonly<Record<string, EventKind>>;
  readonly supports: (version: string | undefined) => Readonly<Partial<Record<EventKind, Support>>>;
  /** The version that sent an event, if the message reveals it; absent means that of the setting. */
  readonly versionOf?: (event: Event, setting: HostSetting) => string | undefined;
  readonly tools: Readonly<Record<string, HostTool>>;
  /** The form of its events after a call. */
  readonly results: CallResults;
  /**
   * A result of `after_tool` as an answer that gives a later call the same result; undefined if impossible. Absent without such
   * answers.
   */
  readonly resultOf?: (subject: Subject) => RespondResult | undefined;
  /** The host's files that an agent must not touch, because they decide whether the hook runs. */
  readonly guards: Guards;
  /** True if a message can only come from this host, judging by its content. */
  readonly recognise: (message: JsonObject) => boolean;
  readonly decode: (message: Json, setting: HostSetting) => Decoded;
  /** Encodes a decision that the host can carry out in the host's own form. */
  readonly encode: (event: Event, decision: Decision, setting: HostSetting) => Reply;
  /** Reads a truncated or corrupt message, enough to refuse it in the right form. Absent if every refusal has the same form. */
  readonly salvage?: (text: string) => Json | undefined;
  /** The refusal of a message that could not be decoded; `message` is undefined if it was not even JSON. */
  readonly refuse: (message: Json | undefined, cause: string, setting: HostSetting) => Reply;
  /** Whether each passed `before_tool` comes again as `approve_tool`, by a handshake; undefined for other messages. */
  readonly approvalFollows?: (message: Json) => boolean | undefined;
  /** The earlier decision that also counts for this event. */
  readonly recall?: (event: Event, memory: Memory, setting: HostSetting) => Decision | undefined;
  /** Stores the facts for later events. Called with the decision as sent. */
  readonly remember?: (event: Event, decision: Decision, memory: Memory, setting: HostSetting) => void;
  /** Why a value that a rewrite sets has the wrong type, as in `it is a boolean, not a string`. Absent if any value is accepted. */
  readonly wrongType?: (kind: EventKind, path: readonly string[], value: Json) => string | undefined;
  /** Makes a message of this host from a bare call of `explain` or a test. */
  readonly compose: (call: BareCall) => Json;
  /** The host configuration that starts the hook, in the host's own keys; the only source of these command lines. */
  readonly hookConfiguration: (start: HookStart) => JsonObject;
  /** Its configuration files. Loaded on demand, because no hook needs them. */
  readonly installation: () => Promise<Installation>;
  /** Its stored sessions. Loaded on demand; absent if it keeps none that can be read. */
  readonly sessions?: () => Promise<Sessions>;
}

/** A call as people write it in an example, a test or `policy explain`. */
export interface BareCall {
  readonly on: EventKind;
  /** A portable class or a host's own tool name. */
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly model?: string;
  readonly prompt?: string;
  readonly messages?: readonly JsonObject[];
  readonly result?: Json;
  readonly response?: Json;
  readonly context?: Readonly<Partial<Record<ContextKey, string | number | boolean>>>;
  /** Merged into the host's own event. */
  readonly event?: JsonObject;
}
