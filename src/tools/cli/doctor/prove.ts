import { existsSync, statSync } from 'node:fs';
import { fullFileNumbers } from '../../../hook/audit/log-files.ts';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { type Host, PLUGIN_LOADED } from '../../../hosts/host.ts';
import { type HookFinding, type InstalledHook, note } from '../../../hosts/installation.ts';
import type { SessionCall } from '../../../hosts/sessions.ts';
import type { EventKind } from '../../../model/event.ts';
import { type Proof, prove, USUAL_DIFFERENCE_MS } from '../../compare/proof.ts';
import type { InstallStore } from '../install/install-store.ts';
import type { Io } from '../io.ts';
import { readSession, type SessionPath, usualSessions } from '../past/find-sessions.ts';
import { loggedDecisions } from '../past/recorded-calls.ts';
import { bypassFinding, noLogNote, unprovenNotes, unrecordedNote } from './proof-findings.ts';

/** How far back sessions are held against the log. */
const DAYS = 7;
const DAY_MS = 86_400_000;

/** The proof from the sessions of a guarded agent, and its findings. */
export interface ProofResult {
  /** Undefined where nothing can be compared. */
  readonly proof: Proof | undefined;
  readonly findings: readonly HookFinding[];
  /** When a plugin of ours was last loaded, for hosts that have one: ISO 8601. */
  readonly loaded?: string | undefined;
}

/** Holds the sessions of the last days against the decision log. Reads the log once. */
export function prover(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  store: InstallStore,
  nowMs: number,
): (host: Host, hooks: readonly InstalledHook[]) => Promise<ProofResult> {
  let records: Map<string, readonly DecisionRecord[]> | undefined;
  let logBegins = 0;
  return async (host, hooks) => {
    if (hooks.length === 0) return { proof: undefined, findings: [] };
    if (records === undefined) {
      const all = loggedDecisions(env);
      // The records before the oldest file that is kept are gone.
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
    const calls: SessionCall[] = [];
    const sessionsOf = { unreadable: 0, torn: 0, misdated: 0, outside: 0 };
    const isGuarded = guardedFolder(hooks, { env, cwd });
    const decided = new Set(ofHost.map(({ session }) => session));
    const files = usualSessions([{ host, sessions }], env);
    for (const file of files) {
      const changed = changedMs(file.path);
      // A file that cannot be looked at has no time.
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
): readonly HookFinding[] {
  if (loadEventOf(host) === undefined) return [];
  const written = Math.max(...hooks.map(({ path }) => installedMs(path) ?? changedMs(path)));
  if (loaded !== undefined && Date.parse(loaded) >= Math.floor(written)) return [];
  const since = loaded === undefined ? '' : ' since it was installed';
  const message = `${host.title} has not said that it has loaded the plugin${since}`;
  return [note('not-proven', message, `start ${host.title} once more`)];
}

function guardedFolder(
  hooks: readonly InstalledHook[],
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): (call: SessionCall) => boolean {
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
  calls: readonly SessionCall[],
  decided: ReadonlySet<string | undefined>,
  changed: number,
  startMs: number,
): boolean {
  const isBefore = ({ time = '' }: SessionCall) => Date.parse(time) < startMs - USUAL_DIFFERENCE_MS;
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
