import { existsSync, statSync } from 'node:fs';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { fullFileNumbers } from '../../../hook/audit/sink-files.ts';
import type { InstallStore } from '../../../hook/state/install-store.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import type { Host } from '../../../hosts/host.ts';
import { type Finding, finding, type InstalledHook, note } from '../../../hosts/installation.ts';
import type { PastCall } from '../../../hosts/sessions.ts';
import { type Bypass, type BypassCause, type Proof, prove } from '../../compare/proof.ts';
import { countOf } from '../../report/quantity.ts';
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
    const sessions = await host.sessions?.();
    if (sessions === undefined || hooks.length === 0) return { proof: undefined, findings: [] };
    if (records === undefined) {
      const all = loggedDecisions(env);
      // What was before the oldest file that is kept is gone.
      logBegins = isCut(env) ? Date.parse(all[0]?.time ?? '') || 0 : 0;
      records = Map.groupBy(all, (record) => record.host);
    }
    const ofHost = records.get(host.name) ?? [];
    const startMs = Math.max(
      nowMs - DAYS * DAY_MS,
      Math.max(guardedSince(ofHost, hooks, store.installedMs), logBegins),
    );
    const start = new Date(startMs).toISOString();
    // A call is written down before it is decided.
    const decided = new Set(ofHost.flatMap(({ call_id }) => call_id ?? []));
    const calls = new Map<string, PastCall>();
    let unreadable = 0;
    for (const file of usualSessions([{ host, sessions }], env)) {
      if (changedMs(file.path) < startMs) continue;
      const read = readSession(file);
      if (read === undefined) unreadable += 1;
      // A session that is gone on with has the calls of the one before.
      for (const call of read?.calls ?? [])
        if ((call.time ?? start) >= start || decided.has(call.id ?? ''))
          calls.set(call.id ?? String(calls.size), call);
    }
    const torn = unreadable === 0 ? [] : [unreadableNote(host, unreadable)];
    if (calls.size === 0) return { proof: undefined, findings: torn };
    const proof = prove([...calls.values()], ofHost);
    return { proof, findings: [...torn, ...proof.bypasses.map((each) => bypassFinding(host, each, proof))] };
  };
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

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function unreadableNote({ title }: Host, count: number): Finding {
  const message = `${countOf(count, 'session file')} of ${title} cannot be read: of these sessions nothing is known`;
  return note('not-proven', message, 'policy scan PATH says what it can read');
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
  const when = first.time === undefined ? '' : ` at ${first.time.slice(0, 16).replace('T', ' ')} UTC`;
  const message = `${countOf(calls, 'call')} of ${title} in ${countOf(sessions, 'session')} ${verb} without a decision, the first ${first.tool}${when} in session ${first.session}: ${why}`;
  return finding('bypassed', message, fix);
}
