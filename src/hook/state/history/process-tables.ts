import { child } from '../../../lib/child.ts';
import {
  type FileRow,
  type HistoryTables,
  MAX_OPEN,
  type SessionRow,
  type StoredCall,
  type StoredFact,
  type StoredPast,
  type StoredPieces,
  type StoreRow,
} from './tables.ts';

/** A call with what it met; it is the same object in every list. */
interface Kept {
  call: StoredCall;
  readonly facts: readonly StoredFact[];
}

interface KeptPast extends StoredPast {
  readonly kept: Kept;
}

/** What there is of one session. */
interface Session {
  row: SessionRow;
  lastMs: number;
  readonly files: Map<string, FileRow>;
  readonly calls: Map<number, Kept>;
  /** By tool, those without a result, oldest first. */
  readonly open: Map<string, Kept[]>;
  /** By turn, those that have not ended either. */
  readonly underWay: Map<string, Set<Kept>>;
  /** Groups of more than one call. */
  readonly groups: Map<number, Kept[]>;
  readonly past: Map<string, KeptPast[]>;
  readonly pieces: Map<string, StoredPieces[]>;
}

/** Tables inside this process, for hosts that keep one process for all events. */
export function createProcessTables(): HistoryTables {
  const sessions = new Map<string, Session>();
  const byRepository = new Map<string | undefined, Map<string, KeptPast[]>>();
  /** In the order of their starts. */
  const all = new Set<Kept>();
  let store: StoreRow = { sequence: 0, lastMs: 0, calls: 0, restartedMs: undefined };
  const sessionOf = (name: string) => child(sessions, name, newSession);

  const change = (after: StoredCall): void => {
    const session = sessionOf(after.session);
    const kept = session.calls.get(after.sequence);
    if (kept === undefined) return;
    kept.call = after;
    if (after.settled !== undefined) session.underWay.get(after.turn)?.delete(kept);
    if (after.result !== 'open') remove(session.open.get(after.tool), kept);
  };

  const drop = (kept: Kept): void => {
    all.delete(kept);
    const { session: name, sequence, tool, repository } = kept.call;
    const session = sessionOf(name);
    session.calls.delete(sequence);
    remove(session.open.get(tool), kept);
    session.underWay.get(kept.call.turn)?.delete(kept);
    session.groups.delete(sequence);
    for (const { fact } of kept.facts) {
      dropFirst(session.past.get(fact), kept);
      dropFirst(byRepository.get(repository)?.get(fact), kept);
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
      const kept: Kept = { call, facts };
      all.add(kept);
      session.calls.set(call.sequence, kept);
      child(session.open, call.tool, () => []).push(kept);
      child(session.underWay, call.turn, () => new Set()).add(kept);
      if (call.group !== call.sequence) child(session.groups, call.group, () => []).push(kept);
      const inRepository = child(byRepository, call.repository, () => new Map());
      for (const met of facts) {
        const past = new Past(kept, met);
        child(session.past, met.fact, () => []).push(past);
        child(inRepository, met.fact, () => []).push(past);
      }
    },
    change,
    open: (name, tool) => (sessions.get(name)?.open.get(tool) ?? []).slice(-MAX_OPEN).map(({ call }) => call),
    group(name, group) {
      const session = sessions.get(name);
      const first = session?.calls.get(group);
      return [...(first === undefined ? [] : [first]), ...(session?.groups.get(group) ?? [])].map(
        ({ call }) => call,
      );
    },
    endOpen(name, turn, settled) {
      const underWay = sessions.get(name)?.underWay;
      for (const [of, calls] of turn === undefined
        ? (underWay ?? [])
        : [[turn, underWay?.get(turn)] as const]) {
        for (const kept of calls ?? []) kept.call = { ...kept.call, settled };
        underWay?.delete(of);
      }
    },
    facts: (name, sequence) =>
      sessions
        .get(name)
        ?.calls.get(sequence)
        ?.facts.map(({ fact }) => fact) ?? [],
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

/** One fact of a call, whose result may come later. */
class Past implements KeptPast {
  readonly kept: Kept;
  readonly met: StoredFact;

  constructor(kept: Kept, met: StoredFact) {
    this.kept = kept;
    this.met = met;
  }

  get call(): StoredCall {
    return this.kept.call;
  }
}

/** Most results come for one of the latest. */
function remove(list: Kept[] | undefined, kept: Kept): void {
  const at = list?.lastIndexOf(kept) ?? -1;
  if (at >= 0) list?.splice(at, 1);
}

function dropFirst(list: KeptPast[] | undefined, kept: Kept): void {
  if (list?.[0]?.kept === kept) list.shift();
}

/** They are in the order of their starts, so the oldest decides whether all are wanted. */
function since(list: readonly KeptPast[] = [], sinceMs: number): readonly StoredPast[] {
  const [first] = list;
  if (first === undefined || first.call.startedMs > sinceMs) return list;
  return list.slice(firstAfter(list, sinceMs));
}

function firstAfter(list: readonly KeptPast[], sinceMs: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.call.startedMs ?? 0) > sinceMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
