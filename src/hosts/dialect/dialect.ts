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

/**
 * A host that starts a process for each event and sends it one JSON object in the way of Claude Code: `hook_event_name`,
 * `tool_name`, `tool_input`, `tool_response`, `prompt`. Many do, each with events, tools and answers of its own; those are here,
 * and the common parts are in this folder.
 */
export interface Dialect {
  readonly name: string;
  readonly title: string;
  /** The source of the facts, as in `measured on 2.1.328` or `its documents`. */
  readonly facts: string;
  /** How long the host waits by the configuration that `policy install` writes, in seconds; 60 unless given. */
  readonly timeoutS?: number;
  readonly events: Readonly<Record<string, EventKind>>;
  /** Its abilities on its events, and the common part of these rows. */
  readonly supports: Readonly<Partial<Record<EventKind, SupportRow>>>;
  readonly everywhere?: SupportRow;
  readonly tools: Readonly<Record<string, HostTool>>;
  readonly results: CallResults;
  /** As in `Host`. */
  readonly resultOf?: NonNullable<Host['resultOf']>;
  readonly guards: Guards;
  readonly recognise: (message: JsonObject) => boolean;
  /** Its messages in the fields of this dialect, where it has others. Called more than once for a message. */
  readonly read?: (message: JsonObject) => JsonObject;
  /** The opposite of `read`, for messages that are made up. */
  readonly write?: (message: JsonObject) => JsonObject;
  /** The same for both events about one call, of a message in these fields; undefined where there is one event. */
  readonly twin?: (fields: JsonObject) => string | undefined;
  /** True if a message says that its session was started in a folder. */
  readonly startedIn?: (fields: JsonObject, folder: string) => boolean;
  /** How it answers decisions. */
  readonly answers: Answers;
  /** The form of a refusal; by an answer and exit code 2 unless given. */
  readonly exitStyle?: ExitStyle;
  /** The way in which the host is configured to start the hook. */
  readonly hook?: HookEntry | Host['hookConfiguration'];
  /** How the hook gets into its configuration: a row, or code that is loaded on demand. */
  readonly installation: HookGroups | (() => Promise<HookGroups | ((host: Host) => Installation)>);
  /** As in `Host`. */
  readonly sessions?: NonNullable<Host['sessions']>;
}

/** The entry for the hook in a host's configuration: `{"type": "command", "command": LINE, "timeout": SECONDS}` unless it says more. */
export interface HookEntry extends LineShell {
  /** True if hooks have no type. */
  readonly untyped?: true;
  /** The keys beside the line; the timeout unless given. */
  readonly beside?: JsonObject;
}
