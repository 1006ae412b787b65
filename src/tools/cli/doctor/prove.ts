import { existsSync, statSync } from 'node:fs';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { fullFileNumbers } from '../../../hook/audit/sink-files.ts';
import type { InstallStore } from '../../../hook/state/install-store.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { type Host, PLUGIN_LOADED } from '../../../hosts/host.ts';
import { type Finding, finding, type InstalledHook, note } from '../../../hosts/installation.ts';
import type { PastCall } from '../../../hosts/sessions.ts';
import type { EventKind } from '../../../model/event.ts';
import {
  type Bypass,
  type BypassCause,
  type Proof,
  prove,
  USUAL_DIFFERENCE_MS,
} from '../../compare/proof.ts';
import { countOf, timeText } from '../../report/layout/quantity.ts';
import type { Io } from '../io.ts';
import { readSession, type SessionPath, usualSessions } from '../past/find-sessions.ts';
import { loggedDecisions } from '../past/recorded-calls.ts';

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
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
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
    const unrecorded =
      ofHost.length === 0 && hooks.every(({ path }) => store.installedMs(path) === undefined);
    const known = [...loadNotes(host, hooks, loaded, store), ...(unrecorded ? [unrecordedNote(host)] : [])];
    if (hooks.every(({ argv }) => /\s--no-log\b/.test(argv.join(' '))))
      return { proof: undefined, loaded, findings: [...known, noLogNote(host)] };
    const sessions = await host.sessions?.();
    if (sessions === undefined) return { proof: undefined, loaded, findings: known };
    const startMs = Math.max(
      nowMs - DAYS * DAY_MS,
      Math.max(guardedSince(ofHost, hooks, store.installedMs), logBegins),
    );
    const calls: PastCall[] = [];
    const sessionsOf = { unreadable: 0, torn: 0, misdated: 0, outside: 0 };
    const isGuarded = guardedFolder(hooks, { env, cwd });
    const decided = new Set(ofHost.map(({ session }) => session));
    const files = usualSessions([{ host, sessions }], env);
    for (const file of files) {
      const changed = changedMs(file.path);
      // What cannot be looked at has no time.
      if (file.isUnlisted !== true && changed > 0 && changed < startMs - DAY_MS) continue;
      const read = file.isUnlisted === true ? undefined : readSession(file);
      if (read === undefined && !isEmpty(file)) sessionsOf.unreadable += 1;
      if (read?.isTorn === true) sessionsOf.torn += 1;
      const made = (read?.calls ?? []).filter(({ time }) => time !== undefined || changed >= startMs);
      const inside = made.filter(isGuarded);
      sessionsOf.outside += made.length - inside.length;
      if (isMisdated(inside, decided, changed, startMs)) sessionsOf.misdated += 1;
      calls.push(...inside);
    }
    const paths = files.map(({ path }) => path).join('\n');
    const proof = prove(calls, ofHost, new Date(startMs).toISOString(), {
      tellsEnd: sessions.tellsEnd ?? true,
      hasFile: (session) => paths.includes(session),
    });
    const findings = [
      ...known,
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

/** A plugin guards from when the agent has loaded it as it was installed. Its file may be one in which agents write, too. */
function loadNotes(
  host: Host,
  hooks: readonly InstalledHook[],
  loaded: string | undefined,
  { installedMs }: Pick<InstallStore, 'installedMs'>,
): readonly Finding[] {
  if (loadEventOf(host) === undefined) return [];
  const written = Math.max(...hooks.map(({ path }) => installedMs(path) ?? changedMs(path)));
  if (loaded !== undefined && Date.parse(loaded) >= Math.floor(written)) return [];
  const since = loaded === undefined ? '' : ' since it was installed';
  const message = `${host.title} has not said that it has loaded the plugin${since}`;
  return [note('not-proven', message, 'run policy install, and start it again')];
}

function unrecordedNote({ title }: Host): Finding {
  const message = `there is no record of an install for ${title}, and no decision: since when it is guarded is not known`;
  return note('not-proven', message, 'run policy install, unless it was just installed by hand');
}

function noLogNote({ title }: Host): Finding {
  const message = `the hook of ${title} writes no log, so its calls cannot be compared`;
  return note('not-proven', message, 'take --no-log out of its line');
}

/** A hook of one project says nothing of sessions elsewhere. */
function guardedFolder(
  hooks: readonly InstalledHook[],
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): (call: PastCall) => boolean {
  const isInside = (path: string) => path === cwd || path.startsWith(`${cwd}/`);
  const isOfProject = cwd !== env['HOME'] && cwd !== '/' && hooks.every(({ path }) => isInside(path));
  return (call) => !isOfProject || (call.cwd !== undefined && isInside(call.cwd));
}

/** Some agents make the file before the first word. */
function isEmpty({ path, isUnlisted }: SessionPath): boolean {
  return isUnlisted !== true && statSync(path, { throwIfNoEntry: false })?.size === 0;
}

/** True if all calls are from before the start and the file is not: clocks may differ, or somebody has only looked at it again. */
function isMisdated(
  calls: readonly PastCall[],
  decided: ReadonlySet<string | undefined>,
  changed: number,
  startMs: number,
): boolean {
  const isBefore = ({ time = '' }: PastCall) => Date.parse(time) < startMs - USUAL_DIFFERENCE_MS;
  return (
    changed > startMs + USUAL_DIFFERENCE_MS &&
    calls.length > 0 &&
    calls.every((call) => isBefore(call) && !decided.has(call.session))
  );
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
    misdated,
    outside,
  }: Pick<Proof, 'unknown' | 'elsewhere' | 'aheadMs'> & {
    readonly unreadable: number;
    readonly torn: number;
    readonly misdated: number;
    readonly outside: number;
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
      `${countOf(torn, 'session file')} of ${title} ${torn === 1 ? 'has' : 'have'} lines that cannot be read: of these nothing is known`,
      'look for torn lines in its session files, unless it is at work right now',
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
      misdated,
      `${countOf(misdated, 'session file')} of ${title} ${misdated === 1 ? 'is' : 'are'} newer than the hook, while all calls there are dated before it and have no decision: the clocks may differ`,
      'look whether the agent was at work there since',
    ],
    [
      outside,
      `${countOf(outside, 'call')} of ${title} ${outside === 1 ? 'was' : 'were'} made outside of this project, whose hook alone is known here`,
      'run policy install without --project, or policy doctor there',
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
  refused: [
    'the agent did not take the answer of the hook',
    'update the agent, and look for another hook or a setting that lets calls pass',
  ],
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
  const verb = byCall || cause === 'refused' ? 'ran' : 'more ran than were decided';
  const how = cause === 'refused' ? 'although refused' : 'without a decision';
  const when = first.time === undefined ? '' : ` at ${timeText(first.time)} UTC`;
  const message = `${countOf(calls, 'call')} of ${title} in ${countOf(sessions, 'session')} ${verb} ${how}, the first ${first.tool}${when} in session ${first.session}: ${why}`;
  return finding('bypassed', message, fix);
}
