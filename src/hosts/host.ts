import type { Json, JsonObject } from '../lib/json.ts';
import type { Action } from '../model/action.ts';
import type { Decision } from '../model/decision.ts';
import type { ContextKey, Event, EventKind, ToolClass } from '../model/event.ts';
import type { Memory } from '../model/memory.ts';
import type { HookStart } from './clean-start.ts';
import type { Guards } from './guards.ts';
import type { Installation } from './installation.ts';
import type { Sessions } from './sessions.ts';

/** What an answer may carry beside its action. */
export type Beside = 'message' | 'add_context' | 'suppress_output';

/** What a host can do on one event. Anything not listed is fitted to the nearest answer that prevents the effect. */
export interface Support {
  readonly actions: readonly Action[];
  /** Rewrite forms that the host carries out. */
  readonly rewrites: readonly string[];
  readonly beside: readonly Beside[];
  /** Context keys that the host sends; others are unknown. */
  readonly context: readonly ContextKey[];
  /** Whether this event carries the model's name, or an earlier event of the session did. */
  readonly model: 'sent' | 'remembered' | 'never';
  /** True if the host refuses by itself what it can ask nobody about: `ask` then needs no `--interactive`. */
  readonly refusesUnasked?: boolean;
  /** True if its text comes in pieces, each an event of its own. */
  readonly chunked?: boolean;
  /** True if the model is shown a refused call once more, with all that is in it. */
  readonly repeatsRefused?: boolean;
  readonly misses?: Missed;
  /** What a reader of the matrix should know beside the caveats. */
  readonly note?: string;
  readonly caveats?: readonly Caveat[];
}

/** A key of a policy that a host carries out, but not as one would think. */
export interface Caveat {
  /** Where the key stands, from the parameters of the action: any of these. */
  readonly paths: readonly (readonly string[])[];
  /** A key that does away with it where it is true. */
  readonly unless?: readonly string[];
  /** What cannot be had, as in `show "message"`. */
  readonly cannot: string;
  /** What happens, as a clause without a final period. */
  readonly state: string;
  /** What to do about it. */
  readonly hint: string;
}

/** What happens without the event that seems to be for it. */
export interface Missed {
  /** What cannot be done, as in `see every prompt`. */
  readonly cannot: string;
  /** What happens, as a clause without a final period. */
  readonly state: string;
  /** What to do about it. */
  readonly hint: string;
  /** The event that shows it all the same; undefined if there is none. */
  readonly seenOn: EventKind | undefined;
  /** True if the event never comes at all. */
  readonly always?: boolean;
}

/** One tool of a host, by its own name. */
export interface HostTool {
  readonly classes: readonly ToolClass[];
  /** Portable argument name to the host's own, for those that differ. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** By the values of its argument `action`: the aliases of a call with that value, where they are others. */
  readonly actions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Arguments that hold globs: the call reads the files that they cover, below its `path` if it has one. */
  readonly globs?: readonly string[];
  /** Arguments that hold a list of objects: the aliases of each of them. */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What is known about the host beside the message. */
export interface HostSetting {
  /** The host's version or generation from `--host-version`; undefined means the newest. */
  readonly version: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory of this process. */
  readonly cwd: string;
  /** True if `--interactive` says that a person is there to ask. */
  readonly interactive: boolean;
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
  /** Refused: the message is not what the protocol says. `reply` prevents the effect and names the cause. */
  | { readonly type: 'malformed'; readonly reply: Reply; readonly cause: string };

/** What is known of a host beside its protocol. */
export interface HostFacts {
  /** What becomes of a call where our program is gone and the host starts the line that `policy install` writes. */
  readonly hookGone: 'refused' | 'runs';
  /** Where all this comes from, as in `measured on 2.1.328` or `its documents`. */
  readonly from: string;
}

/**
 * An agent that calls hooks. Adapters translate and never decide; what a host cannot do is data in `supports`, handled
 * once in `engine/degrade`.
 */
export interface Host {
  readonly name: string;
  readonly title: string;
  readonly facts: HostFacts;
  readonly framing: 'document' | 'lines';
  /** How long the host waits for an answer, in seconds, unless `--host-timeout` says otherwise. */
  readonly timeoutS: (kind: EventKind | undefined) => number;
  /** Versions or generations that `--host-version` takes, oldest first. */
  readonly versions: readonly string[];
  /** The host's event names and what they are here. */
  readonly events: Readonly<Record<string, EventKind>>;
  readonly supports: (version: string | undefined) => Readonly<Partial<Record<EventKind, Support>>>;
  /** The version that sent an event, where the message tells; absent means the one of the setting. */
  readonly versionOf?: (event: Event, setting: HostSetting) => string | undefined;
  readonly tools: Readonly<Record<string, HostTool>>;
  /** The host's files that an agent must leave alone, for it would no longer be asked. */
  readonly guards: Guards;
  /** True if a message can only be one of this host's, by what stands in it. */
  readonly recognise: (message: JsonObject) => boolean;
  readonly decode: (message: Json, setting: HostSetting) => Decoded;
  /** Puts a decision that the host can carry out into its own form. */
  readonly encode: (event: Event, decision: Decision, setting: HostSetting) => Reply;
  /**
   * What can be read of a text that is not JSON, because it is cut or spoilt: enough to refuse it in the right form.
   * Absent where every refusal has the same form.
   */
  readonly salvage?: (text: string) => Json | undefined;
  /** The refusal of a message that could not be decoded at all, undefined where it was not even JSON. */
  readonly refuse: (message: Json | undefined, cause: string, setting: HostSetting) => Reply;
  /**
   * Whether a handshake says that each call which passes `before_tool` comes again as `approve_tool`; undefined for
   * every other message. Absent where hosts never say so.
   */
  readonly approvalFollows?: (message: Json) => boolean | undefined;
  /** A decision that already stands for this event from an earlier one. */
  readonly recall?: (event: Event, memory: Memory, setting: HostSetting) => Decision | undefined;
  /** Keeps what a later event will need. Called with the decision as it was sent. */
  readonly remember?: (event: Event, decision: Decision, memory: Memory, setting: HostSetting) => void;
  /**
   * What is wrong with the type of a value that a rewrite puts at a path of the subject, as in `it is a boolean, not a
   * string`; undefined if nothing is. Absent where a host takes any value.
   */
  readonly wrongType?: (kind: EventKind, path: readonly string[], value: Json) => string | undefined;
  /** Arguments of a bare call in `explain` and tests put into a message of this host. */
  readonly compose: (call: BareCall) => Json;
  /** What the host's configuration says to start the hook, in its own keys: the only list of these command lines. */
  readonly hookConfiguration: (start: HookStart) => JsonObject;
  /** Its configuration files. Loaded when asked for: no hook needs them. */
  readonly installation: () => Promise<Installation>;
  /** The sessions that it keeps. Loaded when asked for; absent where it keeps none that can be read. */
  readonly sessions?: () => Promise<Sessions>;
}

/** A call as a person writes it in an example, a test or `policy explain`. */
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
  /** Laid over the host's own event. */
  readonly event?: JsonObject;
}
