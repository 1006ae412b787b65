import { existsSync, statSync } from 'node:fs';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { fullFileNumbers } from '../../../hook/audit/sink-files.ts';
import type { InstallStore } from '../../../hook/state/install-store.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { type Host, PLUGIN_LOADED } from '../../../hosts/host.ts';
import { type Finding, finding, type InstalledHook, note } from '../../../hosts/installation.ts';
import type { PastCall } from '../../../hosts/sessions.ts';
import type { EventKind } from '../../../model/event.ts';
import { type Bypass, type BypassCause, type Proof, prove } from '../../compare/proof.ts';
import { countOf, timeText } from '../../report/quantity.ts';
import { readSession, usualSessions } from '../find-sessions.ts';
import type { Io } from '../io.ts';
import { loggedDecisions } from '../recorded-calls.ts';

/** How far back sessions are held against the log. */
const DAYS = 7;
const DAY_MS = 86_400_000;

/** What the sessions of a guarded agent prove, and what is wrong with it. */
export interface Proven {
  /** Undefined where nothing can be compared. */
  readonly proof: Proof | undefined;
  readonly findings: readonly Finding[];
  /** When a plugin of ours was last loaded, for hosts that have one: ISO 8601. */
  readonly loaded?: string | undefined;
}

/** Holds the sessions of the last days against the decision log. Reads the log once. */
export function prover(
  { env }: Pick<Io, 'env'>,
  store: InstallStore,
  nowMs: number,
): (host: Host, hooks: readonly InstalledHook[]) => Promise<Proven> {
  let records: Map<string, readonly DecisionRecord[]> | undefined;
  let logBegins = 0;
  return async (host, hooks) => {
    if (hooks.length === 0) return { proof: undefined, findings: [] };
    if (records === undefined) {
      const all = loggedDecisions(env);
      // What was before the oldest file that is kept is gone.
      logBegins = isCut(env) ? Date.parse(all[0]?.time ?? '') || 0 : 0;
      records = Map.groupBy(all, (record) => record.host);
    }
    const ofHost = records.get(host.name) ?? [];
    const loaded = loadedAt(host, ofHost);
    const sessions = await host.sessions?.();
    if (sessions === undefined) return { proof: undefined, loaded, findings: [] };
    const startMs = Math.max(
      nowMs - DAYS * DAY_MS,
      Math.max(guardedSince(ofHost, hooks, store.installedMs), logBegins),
    );
    const calls: PastCall[] = [];
    const sessionsOf = { unreadable: 0, torn: 0 };
    for (const file of usualSessions([{ host, sessions }], env)) {
      if (changedMs(file.path) < startMs - DAY_MS) continue;
      const read = readSession(file);
      if (read === undefined) sessionsOf.unreadable += 1;
      if (read?.isTorn === true) sessionsOf.torn += 1;
      calls.push(...(read?.calls ?? []));
    }
    const proof = prove(calls, ofHost, new Date(startMs).toISOString());
    const findings = [
      ...(proof.calls > 0 && loaded === undefined && loadEventOf(host) !== undefined
        ? [notLoadedNote(host)]
        : []),
      ...unprovenNotes(host, { ...proof, ...sessionsOf }),
      ...proof.bypasses.map((each) => bypassFinding(host, each, proof)),
    ];
    return { loaded, proof: proof.calls === 0 ? undefined : proof, findings };
  };
}

/** When the host last loaded our plugin, where it has one. */
function loadedAt(host: Host, records: readonly DecisionRecord[]): string | undefined {
  const kind = loadEventOf(host);
  return kind === undefined ? undefined : records.findLast(({ event }) => event === kind)?.time;
}

function loadEventOf({ events }: Host): EventKind | undefined {
  return Object.entries(events).find(([native]) => PLUGIN_LOADED.test(native))?.[1];
}

function notLoadedNote({ title }: Host): Finding {
  const message = `${title} has not said that it has loaded the plugin`;
  return note('not-proven', message, 'run policy install, and start it again');
}

/** Since when the agent is guarded: since the hook was installed, or else since the first decision or the hook's file. */
function guardedSince(
  records: readonly DecisionRecord[],
  hooks: readonly InstalledHook[],
  installedMs: (path: string) => number | undefined,
): number {
  const installed = hooks.flatMap(({ path }) => installedMs(path) ?? []);
  const [first] = records;
  const known = [...installed, ...(first === undefined ? [] : [Date.parse(first.time)])];
  return known.length > 0 ? Math.min(...known) : Math.max(...hooks.map(({ path }) => changedMs(path)));
}

/** True if the oldest file of the log is gone. */
function isCut(env: Io['env']): boolean {
  const folder = stateFolderPath(env);
  const [oldest = 1] = existsSync(folder) ? fullFileNumbers(folder) : [];
  return oldest > 1;
}

/** A database writes into a file beside it first. */
function changedMs(path: string): number {
  return Math.max(
    ...[path, `${path}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

/** What the sessions and the log do not tell. */
function unprovenNotes(
  { title }: Host,
  {
    unreadable,
    torn,
    unknown,
    elsewhere,
    aheadMs,
  }: Pick<Proof, 'unknown' | 'elsewhere' | 'aheadMs'> & {
    readonly unreadable: number;
    readonly torn: number;
  },
): readonly Finding[] {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const notes: readonly (readonly [number, string, string])[] = [
    [
      unreadable,
      `${countOf(unreadable, 'session file')} of ${title} cannot be read: of these sessions nothing is known`,
      'policy scan PATH says what it can read',
    ],
    [
      torn,
      `${countOf(torn, 'session file')} of ${title} end${torn === 1 ? 's' : ''} in the middle of a line: of what came after nothing is known`,
      'look at the end of its session files, unless it is at work right now',
    ],
    [
      unknown,
      `${countOf(unknown, 'call')} of ${title} without a decision may have run: ${unknown === 1 ? 'its session does' : 'their sessions do'} not say how ${unknown === 1 ? 'it' : 'they'} ended`,
      'policy log --since 7d shows what was decided; look into the session',
    ],
    [
      elsewhere,
      `${countOf(elsewhere, 'session')} of ${title} with decisions ${elsewhere === 1 ? 'has' : 'have'} no file where its sessions are: it may have another home, of which nothing is known`,
      'run policy doctor with the environment in which the agent runs',
    ],
    [
      minutes,
      `the clock of the sessions of ${title} is ${countOf(minutes, 'minute')} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the decision log; calls are compared as if it was not`,
      'set the clocks, or what is older than the hook may count and what is newer may not',
    ],
  ];
  return notes.flatMap(([count, message, fix]) => (count === 0 ? [] : [note('not-proven', message, fix)]));
}

const CAUSES: Readonly<Record<BypassCause, readonly [message: string, fix: string]>> = {
  'no decision in the session': [
    'their sessions have no decision at all: the hook was off there, or the agent had another home or settings folder',
    'look how the session was started, and run policy doctor with that environment',
  ],
  subagent: [
    'they are calls of subagents, whose hooks do not run',
    'update the agent, or keep it from starting subagents',
  ],
  server: [
    'they are calls of tools of servers, for which the hook is not asked',
    'run policy install, which asks for all tools',
  ],
  tool: [
    'no call of this tool has one in these sessions: it is a tool of a plugin that the hook is not asked about, or the hook leaves it out',
    'run policy install, which asks for all tools, or take the tool away',
  ],
  'some calls': [
    'other calls of these sessions have one: the hook was switched on or off meanwhile, or has failed where the agent goes on',
    'policy log --since 7d shows what was decided; look for the time of the first call',
  ],
};

function bypassFinding(
  { title }: Host,
  { cause, calls, sessions, first }: Bypass,
  { byCall }: Proof,
): Finding {
  const [why, fix] = CAUSES[cause];
  const verb = byCall ? 'ran' : 'more ran than were decided';
  const when = first.time === undefined ? '' : ` at ${timeText(first.time)} UTC`;
  const message = `${countOf(calls, 'call')} of ${title} in ${countOf(sessions, 'session')} ${verb} without a decision, the first ${first.tool}${when} in session ${first.session}: ${why}`;
  return finding('bypassed', message, fix);
}
