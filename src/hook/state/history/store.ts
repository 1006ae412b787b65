import { child } from '../../../lib/child.ts';
import type {
  CallNote,
  CarriedAnswer,
  History,
  HistoryStore,
  MetFact,
  PastCalls,
  ResultNote,
  Window,
} from '../../../model/history.ts';
import type { FactValue } from '../../../model/policy.ts';
import { StateError } from '../state-error.ts';
import { type CallIdentity, callsOf, sameCall, similarCall, withResult } from './pair.ts';
import type { HistoryTables, PastRow, Rows, StoredCall, StoredFact } from './tables.ts';

/** A call that was asked for so long ago is over. */
export const EXPIRY_MS = 86_400_000;

/** The bounds of a store. */
export interface HistoryLimits {
  /** Calls that met facts of one policy file, in one session. */
  readonly calls: number;
  /** Bytes of fingerprints of results, the same. */
  readonly bytes: number;
  /** All calls. */
  readonly all: number;
}

/** Files that nobody trusts may keep so much less. */
const UNTRUSTED_SHARE = 0.1;
const BYTES_PER_PIECE = 8;
/** One in so many calls sweeps out old ones. */
const LOOKS_EVERY = 16;

/** How a store hides its values: the same for the same, and nothing for anybody without its key. */
export interface HistoryHashes {
  readonly text: (text: string) => string;
  readonly piece: (piece: bigint) => bigint;
}

export function createHistoryStore(
  tables: HistoryTables,
  hashes: HistoryHashes,
  limits: HistoryLimits,
): HistoryStore {
  const views = new WeakMap<History, Asked>();

  const look = (call: CallNote): History => {
    const session = sessionOf(call);
    const { session: row, store } = tables.rows(session);
    const { sequence, lastMs, restartedMs } = store;
    const nowMs = Math.max(call.nowMs, lastMs);
    const turn = turnOf(call, row.turn);
    const asked: Asked = { revision: row.revision, sequence, session: false, across: false };
    let own: { readonly sequence: number | undefined } | undefined;
    const rows = (fact: string, window: Window): readonly PastRow[] => {
      const sinceMs = nowMs - Math.min(typeof window === 'object' ? window.ms : EXPIRY_MS, EXPIRY_MS);
      const isAcross = typeof window === 'object' && window.across;
      if (isAcross) asked.across = true;
      else asked.session = true;
      const found = isAcross
        ? tables.pastIn(call.repository, fact, sinceMs)
        : tables.past(session, fact, sinceMs);
      own ??= { sequence: ownOf(withHashes(call), call.tool, session, turn)?.sequence };
      const { sequence: same } = own;
      // Nearly always all of many rows are wanted.
      if (window !== 'turn' && same === undefined) return found;
      return found.filter(
        (row) =>
          (window !== 'turn' || row.turn === turn) && (row.past.sequence !== same || row.session !== session),
      );
    };
    const gap = (fact: string, window: Window): Omit<PastCalls, 'calls'> => {
      const file = fileOf(fact);
      const isAcross = typeof window === 'object' && window.across;
      if (isAcross ? tables.isOver(file) : tables.file(session, file).isOver)
        return { unknown: `more calls met the facts of ${file} than are kept` };
      return restartedMs !== undefined && restartedMs > nowMs - EXPIRY_MS
        ? { unknown: 'what was kept of earlier calls was lost', restarted: true }
        : {};
    };
    const found = new Map<Window, Map<string, PastCalls>>();
    const view: History = {
      past: (fact, window) => {
        const inWindow = child(found, window, () => new Map<string, PastCalls>());
        return child(inWindow, fact, () => ({
          calls: rows(fact, window).map(({ past }) => past),
          ...gap(fact, window),
        }));
      },
      hash: hashes.text,
      carriedIn(fact, window, pieces): CarriedAnswer {
        const wanted = new Set(pieces.map(hashes.piece));
        const bySession = new Map<string, ReadonlySet<number>>();
        const found = rows(fact, window).findLast(({ session: of, past }) =>
          child(bySession, of, () => sequencesWith(tables, of, fact, wanted)).has(past.sequence),
        );
        if (found !== undefined) return { type: 'found', by: found.past };
        return { type: gap(fact, window).unknown === undefined ? 'none' : 'unknown' };
      },
    };
    views.set(view, asked);
    return view;
  };

  /** The call that this is another event of. */
  const ownOf = (call: CallIdentity, tool: string, session: string, turn: string): StoredCall | undefined => {
    const { twin, id, digest, approval } = call;
    const by = { twin, id, digest: approval === true ? digest : undefined };
    if (tool === '' || Object.values(by).every((each) => each === undefined)) return undefined;
    return sameCall(tables.open(session, tool, by), call, turn);
  };

  /** The marks that tell calls apart. */
  const withHashes = ({ id, approval, digest, sent, twin }: CallNote): CallIdentity => ({
    id,
    approval,
    digest: digest && hashes.text(digest),
    sent: sent && hashes.text(sent),
    twin: twin && hashes.text(twin),
  });

  /** The rows with the next place in the order, at a time that is never before an earlier one. */
  const next = ({ store, session }: Rows, nowMs: number, turns = 0): Rows => {
    const sequence = store.sequence + 1;
    return {
      store: { ...store, sequence, lastMs: Math.max(nowMs, store.lastMs) },
      session: { revision: sequence, turn: session.turn + turns },
    };
  };

  const isStale = ({ store, session }: Rows, seen: History | undefined): boolean => {
    const asked = seen === undefined ? undefined : views.get(seen);
    if (asked === undefined) return false;
    return (
      (asked.session && session.revision !== asked.revision) ||
      (asked.across && store.sequence !== asked.sequence)
    );
  };

  const keep: HistoryStore['keep'] = (call, facts, refused, seen) =>
    tables.transaction(() => {
      const session = sessionOf(call);
      const before = tables.rows(session);
      if (isStale(before, seen)) return false;
      if (facts.length === 0) return true;
      const turn = turnOf(call, before.session.turn);
      const hidden = withHashes(call);
      const own = ownOf(hidden, call.tool, session, turn);
      const rows = next(before, call.nowMs);
      // A call that was refused once stays refused; a call that passes now is another one.
      if (own !== undefined && (refused || !own.refused)) {
        if (refused === own.refused) return true;
        tables.change({ ...own, refused });
        tables.putRows(session, rows);
        return true;
      }
      const { sequence, lastMs: startedMs } = rows.store;
      if (call.alone === true) tables.endOpen(session, turn, sequence);
      const stored = storable(session, facts, before.store.calls >= limits.all);
      const { id, twin, digest = '', sent } = hidden;
      const { tool, repository } = call;
      const isTold = call.alone === true || id !== undefined;
      const group =
        (isTold ? undefined : similarCall(tables.open(session, tool, { digest }), hidden))?.group ?? sequence;
      const start = { session, sequence, turn, id, twin, tool, digest, sent, repository, startedMs };
      if (stored.length > 0)
        tables.add({ ...start, group, refused, result: 'open', settled: undefined }, stored);
      const dropped = sequence % LOOKS_EVERY === 0 ? tables.dropBefore(startedMs - EXPIRY_MS) : 0;
      const calls = before.store.calls + Math.min(stored.length, 1) - dropped;
      tables.putRows(session, { ...rows, store: { ...rows.store, calls } });
      return true;
    });

  /** The facts for which there is room, with hashes for values. */
  const storable = (session: string, facts: readonly MetFact[], isFull: boolean): readonly StoredFact[] => {
    const byFile = Map.groupBy(facts, ({ fact }) => fileOf(fact));
    return [...byFile].flatMap(([file, ofFile]) => {
      const row = tables.file(session, file);
      const max = ofFile.some(({ untrusted }) => untrusted) ? limits.calls * UNTRUSTED_SHARE : limits.calls;
      const isOver = isFull || row.calls >= max;
      tables.putFile(session, file, { ...row, calls: row.calls + 1, isOver: row.isOver || isOver });
      return isOver ? [] : ofFile.map(storedFact);
    });
  };

  const storedFact = ({ untrusted: _file, values, ...met }: MetFact): StoredFact => {
    const hidden: Record<FactValue, readonly string[]> = {};
    for (const [value, texts] of Object.entries(values)) hidden[value] = texts.map(hashes.text);
    return { ...met, values: hidden };
  };

  const settle = (result: ResultNote): void =>
    tables.transaction(() => {
      const session = sessionOf(result);
      const hidden = withHashes(result);
      const { id, digest } = hidden;
      const open = tables.open(session, result.tool, id === undefined ? { digest } : { id });
      const [call] = callsOf(open, hidden);
      if (call === undefined) return;
      const rows = next(tables.rows(session), result.nowMs);
      tables.putRows(session, rows);
      const { sequence } = rows.store;
      const group = tables.group(session, call.group);
      for (const changed of withResult(call, group, result.status, sequence)) tables.change(changed);
      keepPieces(call, result);
    });

  const keepPieces = ({ session, sequence }: StoredCall, { pieces = NO_PIECES }: ResultNote): void => {
    const met = tables.facts(session, sequence);
    for (const [fact, found] of pieces) {
      if (!met.includes(fact) || found.length === 0) continue;
      const file = fileOf(fact);
      const row = tables.file(session, file);
      const bytes = row.bytes + found.length * BYTES_PER_PIECE;
      const isOver = bytes > limits.bytes;
      tables.putFile(session, file, {
        ...row,
        bytes: isOver ? row.bytes : bytes,
        isOver: row.isOver || isOver,
      });
      if (isOver) continue;
      tables.addPieces(session, fact, { sequence, pieces: BigUint64Array.from(found, hashes.piece) });
    }
  };

  return {
    look,
    keep,
    settle,
    startTurn: (note) =>
      tables.transaction(() => {
        const session = sessionOf(note);
        const rows = next(tables.rows(session), note.nowMs, 1);
        tables.putRows(session, rows);
        tables.endOpen(session, undefined, rows.store.sequence);
      }),
    exclusively(action) {
      // An error of judging is no failure of the store.
      const done = tables.transaction(() => {
        try {
          return { value: action() };
        } catch (error) {
          if (error instanceof StateError) throw error;
          return { error };
        }
      });
      if ('error' in done) throw done.error;
      return done.value;
    },
  };
}

const NO_PIECES: ReadonlyMap<string, readonly bigint[]> = new Map();

/** The questions to a view, and the state of the store then. */
interface Asked {
  readonly revision: number;
  readonly sequence: number;
  session: boolean;
  across: boolean;
}

/** Hosts may give the same name to sessions. */
function sessionOf({ host, session }: Pick<CallNote, 'host' | 'session'>): string {
  return `${host} ${session}`;
}

function turnOf({ turn }: CallNote, count: number): string {
  return turn ?? `#${count}`;
}

/** The file and the layer of a fact: `layer:file-name`. */
function fileOf(fact: string): string {
  return fact.slice(0, fact.lastIndexOf('/'));
}

/** The calls of a session that have shown one of these pieces. Few of many words are looked at in full. */
function sequencesWith(
  tables: HistoryTables,
  session: string,
  fact: string,
  wanted: ReadonlySet<bigint>,
): ReadonlySet<number> {
  const found = new Set<number>();
  const halves = new Set([...wanted].map((piece) => Number(piece & LOW_HALF)));
  for (const { sequence, pieces } of tables.pieces(session, fact)) {
    const words = new Uint32Array(pieces.buffer, pieces.byteOffset, pieces.length * 2);
    for (let at = 0; at < pieces.length; at++) {
      if (!halves.has(words[2 * at] ?? 0) || !wanted.has(pieces[at] ?? 0n)) continue;
      found.add(sequence);
      break;
    }
  }
  return found;
}

const LOW_HALF = 0xffff_ffffn;
