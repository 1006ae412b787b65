import { child } from '../../../lib/child.ts';
import type { PastCall } from '../../../model/history.ts';
import {
  type FileRow,
  type HistoryTables,
  MAX_OPEN,
  type OpenKey,
  type PastRow,
  pastCall,
  type SessionRow,
  type StoredCall,
  type StoredPieces,
  type StoreRow,
} from './tables.ts';

/** The same object in every list. */
interface Row extends PastRow {
  past: PastCall;
}

interface Kept {
  call: StoredCall;
  readonly met: Map<string, Row>;
}

/** The calls of one session, in the order in which they started. */
interface Session {
  row: SessionRow;
  lastMs: number;
  readonly files: Map<string, FileRow>;
  readonly calls: Map<number, Kept>;
  /** Those of a tool without a result: all, and by the values that tell calls apart. */
  readonly open: Map<string, Map<string, Kept[]>>;
  /** By turn, those that have not ended either. */
  readonly underWay: Map<string, Set<Kept>>;
  /** Groups of more than one call. */
  readonly groups: Map<number, Kept[]>;
  readonly past: Map<string, Row[]>;
  readonly pieces: Map<string, StoredPieces[]>;
}

/** Tables inside this process, for hosts that keep one process for all events. */
export function createProcessTables(): HistoryTables {
  const sessions = new Map<string, Session>();
  const byRepository = new Map<string | undefined, Map<string, Row[]>>();
  const all = new Set<Kept>();
  let store: StoreRow = { sequence: 0, lastMs: 0, calls: 0, restartedMs: undefined };
  const sessionOf = (name: string) => child(sessions, name, newSession);

  const drop = (kept: Kept): void => {
    all.delete(kept);
    const { session: name, sequence, turn, repository } = kept.call;
    const session = sessionOf(name);
    session.calls.delete(sequence);
    close(session, kept);
    session.underWay.get(turn)?.delete(kept);
    session.groups.delete(sequence);
    for (const [fact, row] of kept.met) {
      dropFirst(session.past.get(fact), row);
      dropFirst(byRepository.get(repository)?.get(fact), row);
      const pieces = session.pieces.get(fact);
      if (pieces?.[0]?.sequence === sequence) pieces.shift();
    }
    if (session.calls.size === 0 && session.lastMs <= kept.call.startedMs) sessions.delete(name);
  };

  return {
    transaction: (action) => action(),
    rows: (name) => ({ store, session: sessions.get(name)?.row ?? NEW }),
    putRows(name, rows) {
      store = rows.store;
      const session = sessionOf(name);
      session.row = rows.session;
      session.lastMs = rows.store.lastMs;
    },
    file: (name, file) => sessions.get(name)?.files.get(file) ?? EMPTY,
    putFile: (name, file, row) => {
      sessionOf(name).files.set(file, row);
    },
    isOver: (file) => [...sessions.values()].some(({ files }) => files.get(file)?.isOver === true),
    add(call, facts) {
      const session = sessionOf(call.session);
      const kept: Kept = { call, met: new Map() };
      all.add(kept);
      session.calls.set(call.sequence, kept);
      const open = child(session.open, call.tool, () => new Map());
      for (const key of allKeysOf(call)) child(open, key, (): Kept[] => []).push(kept);
      child(session.underWay, call.turn, () => new Set()).add(kept);
      if (call.group !== call.sequence) child(session.groups, call.group, () => []).push(kept);
      const inRepository = child(byRepository, call.repository, () => new Map());
      for (const { fact, ...known } of facts) {
        const row: Row = { session: call.session, turn: call.turn, past: pastCall(call, known) };
        kept.met.set(fact, row);
        child(session.past, fact, () => []).push(row);
        child(inRepository, fact, () => []).push(row);
      }
    },
    change(after) {
      const session = sessionOf(after.session);
      const kept = session.calls.get(after.sequence);
      if (kept === undefined) return;
      change(kept, after);
      if (after.settled !== undefined) session.underWay.get(after.turn)?.delete(kept);
      if (after.result !== 'open') close(session, kept);
    },
    open(name, tool, by) {
      const open = sessions.get(name)?.open.get(tool);
      const oldest = open?.get('')?.at(-MAX_OPEN)?.call.sequence ?? 0;
      const [first = [], ...others] = keysOf(by).map((key) => open?.get(key) ?? []);
      const found = others.length === 0 ? first : [...new Set([first, ...others].flat())].sort(byStart);
      const calls = found.map(({ call }) => call);
      return oldest === 0 ? calls : calls.filter(({ sequence }) => sequence >= oldest);
    },
    group(name, group) {
      const session = sessions.get(name);
      const all = [session?.calls.get(group) ?? [], session?.groups.get(group) ?? []].flat();
      return all.map(({ call }) => call);
    },
    endOpen(name, turn, settled) {
      const underWay = sessions.get(name)?.underWay;
      for (const of of turn === undefined ? [...(underWay?.keys() ?? [])] : [turn]) {
        for (const kept of underWay?.get(of) ?? []) change(kept, { ...kept.call, settled });
        underWay?.delete(of);
      }
    },
    facts: (name, sequence) => [...(sessions.get(name)?.calls.get(sequence)?.met.keys() ?? [])],
    past: (name, fact, sinceMs) => since(sessions.get(name)?.past.get(fact), sinceMs),
    pastIn: (repository, fact, sinceMs) => since(byRepository.get(repository)?.get(fact), sinceMs),
    addPieces: (name, fact, pieces) => {
      child(sessionOf(name).pieces, fact, () => []).push(pieces);
    },
    pieces: (name, fact) => sessions.get(name)?.pieces.get(fact) ?? [],
    dropBefore(ms) {
      let dropped = 0;
      for (const kept of all) {
        if (kept.call.startedMs > ms || dropped === MAX_DROPPED) break;
        drop(kept);
        dropped += 1;
      }
      return dropped;
    },
  };
}

const NEW: SessionRow = { revision: 0, turn: 0 };
const EMPTY: FileRow = { calls: 0, bytes: 0, isOver: false };
/** So many are dropped with each that is added, at most. */
const MAX_DROPPED = 100;

function newSession(): Session {
  return {
    row: NEW,
    lastMs: 0,
    files: new Map(),
    calls: new Map(),
    open: new Map(),
    underWay: new Map(),
    groups: new Map(),
    past: new Map(),
    pieces: new Map(),
  };
}

function change(kept: Kept, call: StoredCall): void {
  kept.call = call;
  for (const row of kept.met.values()) row.past = pastCall(call, row.past);
}

/** The keys under which an open call is found; every call has the empty key too. */
function keysOf({ digest, id, twin }: OpenKey): readonly string[] {
  const keys: string[] = [];
  if (digest !== undefined) keys.push(`digest ${digest}`);
  if (id !== undefined) keys.push(`id ${id}`);
  if (twin !== undefined) keys.push(`twin ${twin}`);
  return keys.length === 0 ? [''] : keys;
}

function allKeysOf(call: StoredCall): readonly string[] {
  const keys = ['', ...keysOf(call)];
  return call.sent === undefined || call.sent === call.digest
    ? keys
    : [...keys, ...keysOf({ digest: call.sent })];
}

function byStart(a: Kept, b: Kept): number {
  return a.call.sequence - b.call.sequence;
}

function close({ open }: Session, kept: Kept): void {
  const ofTool = open.get(kept.call.tool);
  for (const key of allKeysOf(kept.call)) {
    // Most results come for one of the latest.
    const list = ofTool?.get(key) ?? [];
    const at = list.lastIndexOf(kept);
    if (at >= 0) list.splice(at, 1);
    if (list.length === 0) ofTool?.delete(key);
  }
}

function dropFirst(list: Row[] | undefined, row: Row): void {
  if (list?.[0] === row) list.shift();
}

/** They are in the order of their starts, so the oldest decides whether all are wanted. */
function since(list: readonly Row[] = [], sinceMs: number): readonly Row[] {
  const [first] = list;
  if (first === undefined || first.past.startedMs > sinceMs) return list;
  return list.slice(firstAfter(list, sinceMs));
}

function firstAfter(list: readonly Row[], sinceMs: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.past.startedMs ?? 0) > sinceMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
