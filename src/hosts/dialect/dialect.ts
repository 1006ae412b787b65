import type { JsonObject } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import type { CallResults } from '../call-results.ts';
import type { Guards } from '../guards.ts';
import type { HookGroups } from '../hook-groups.ts';
import type { Host, HostTool } from '../host.ts';
import type { Installation } from '../installation.ts';
import type { Answers, ExitStyle } from './answers.ts';
import type { LineShell } from './hook-line.ts';
import type { SupportRow } from './support.ts';

/** A host that starts a process for each event and sends one JSON object like Claude Code. A dialect holds its differences. */
export interface Dialect {
  readonly name: string;
  readonly title: string;
  /** The source of the facts, as in `measured on 2.1.328` or `its documents`. */
  readonly facts: string;
  /** How long the host waits with the configuration of `policy install`, in seconds; by default 60. */
  readonly timeoutS?: number;
  readonly events: Readonly<Record<string, EventKind>>;
  /** Its abilities by event; `everywhere` holds their common part. */
  readonly supports: Readonly<Partial<Record<EventKind, SupportRow>>>;
  readonly everywhere?: SupportRow;
  readonly tools: Readonly<Record<string, HostTool>>;
  readonly results: CallResults;
  /** As in `Host`. */
  readonly resultOf?: NonNullable<Host['resultOf']>;
  readonly guards: Guards;
  readonly recognise: (message: JsonObject) => boolean;
  /** Translates its messages into the fields of this dialect. May be called more than once for a message. */
  readonly read?: (message: JsonObject) => JsonObject;
  /** The opposite of `read`, for generated messages. */
  readonly write?: (message: JsonObject) => JsonObject;
  /** Equal for both events about one call, from a message in these fields; undefined if there is one event. */
  readonly twin?: (fields: JsonObject) => string | undefined;
  /** True if a message says that its session was started in a folder. */
  readonly startedIn?: (fields: JsonObject, folder: string) => boolean;
  /** How it answers decisions. */
  readonly answers: Answers;
  /** The form of a refusal; by default an answer and exit code 2. */
  readonly exitStyle?: ExitStyle;
  /** How the host starts the hook. */
  readonly hook?: HookEntry | Host['hookConfiguration'];
  /** Its configuration: a row, or code loaded on demand. */
  readonly installation: HookGroups | (() => Promise<HookGroups | ((host: Host) => Installation)>);
  /** As in `Host`. */
  readonly sessions?: NonNullable<Host['sessions']>;
}

/** The entry for the hook in a host's configuration; by default `{"type": "command", "command": LINE, "timeout": SECONDS}`. */
export interface HookEntry extends LineShell {
  /** True if hooks have no type. */
  readonly untyped?: true;
  /** The keys in addition to the line; by default the timeout. */
  readonly beside?: JsonObject;
}
