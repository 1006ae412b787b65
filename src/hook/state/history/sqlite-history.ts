import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { History, HistoryStore } from '../../../model/history.ts';
import { keyedDigest } from '../allow/machine-key.ts';
import { isBroken, openDatabase, type StateDatabase } from '../database.ts';
import { StateError, stateError } from '../state-error.ts';
import { createSqliteTables, HISTORY_SCHEMA } from './sqlite-tables.ts';
import { createHistoryStore, EXPIRY_MS, type HistoryHashes, type HistoryLimits } from './store.ts';

/** Of a file and layer in a session as much as a long day of work needs; in all as much as a disk does not feel. */
const HISTORY_LIMITS: HistoryLimits = { calls: 10_000, bytes: 1_048_576, all: 1_000_000 };

export const HISTORY_NAME = 'history.db';
/** A broken file gets this name: the last one stays, for people. */
const ASIDE = 'history.db.broken';
/** SQLite appends these for its own files. They go first: a log of one file must not be read into the next. */
const PARTS = ['-wal', '-shm', ''] as const;

export interface SqliteHistoryOptions {
  /** Both are called when something is first asked. */
  readonly folder: () => string;
  readonly key: () => Uint8Array;
  readonly leftMs?: () => number;
  readonly nowMs: () => number;
  readonly limits?: HistoryLimits;
}

/** A history store in a file of its own. */
export interface SqliteHistory extends HistoryStore {
  /** Why this process has set the kept history aside; undefined if it has not. */
  lost(): string | undefined;
}

/**
 * The history in the state folder. A file that is broken, or that a full disk keeps from being written, is set aside, and a new
 * one begins: nothing is taken from a store that may lack something.
 */
export function createSqliteHistory(options: SqliteHistoryOptions): SqliteHistory {
  const { folder, key, leftMs, nowMs, limits = HISTORY_LIMITS } = options;
  let opened: { readonly store: HistoryStore; readonly inode: number; readonly path: string } | undefined;
  let failure: StateError | undefined;
  let lost: string | undefined;

  const open = (): NonNullable<typeof opened> => {
    const at = folder();
    const path = join(at, HISTORY_NAME);
    const hashes = hashesOf(keyOf(key));
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    let database: StateDatabase;
    try {
      database = openHistory(at, leftMs?.(), nowMs);
    } catch (error) {
      if (inode !== undefined && isBroken(error)) setAside(at, inode);
      throw error;
    }
    const store = createHistoryStore(createSqliteTables(database), hashes, limits);
    return { store, inode: inode ?? statSync(path).ino, path: at };
  };

  const use = <T>(action: (store: HistoryStore) => T): T => {
    if (failure !== undefined) throw failure;
    try {
      opened ??= open();
      return action(opened.store);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      if (!isBroken(error)) {
        // To wait for a lock again would make the answer late.
        failure = error;
        throw error;
      }
      if (opened !== undefined) setAside(opened.path, opened.inode);
      opened = undefined;
      lost ??= error.message;
      throw error;
    }
  };

  /** A second time in a new file, if the first has ended in the old one's being set aside. */
  const twice = <T>(action: (store: HistoryStore) => T): T => {
    try {
      return use(action);
    } catch (error) {
      if (!isBroken(error)) throw error;
      return use(action);
    }
  };

  return {
    look(call) {
      const view = twice((store) => store.look(call));
      const guarded: History = {
        hash: view.hash,
        past: (fact, window) => use(() => view.past(fact, window)),
        carriedIn: (fact, window, pieces) => use(() => view.carriedIn(fact, window, pieces)),
      };
      originals.set(guarded, view);
      return guarded;
    },
    keep: (call, facts, refused, seen) =>
      twice((store) => store.keep(call, facts, refused, seen && originals.get(seen))),
    settle: (result) => twice((store) => store.settle(result)),
    startTurn: (call) => twice((store) => store.startTurn(call)),
    exclusively: (action) => use((store) => store.exclusively(action)),
    lost: () => lost,
  };
}

function keyOf(key: () => Uint8Array): Uint8Array {
  try {
    return key();
  } catch (error) {
    throw error instanceof StateError ? error : stateError('Cannot use the key of this machine', error);
  }
}

const originals = new WeakMap<History, History>();

/** Hashes that nobody without the machine's key can make or check. */
function hashesOf(key: Uint8Array): HistoryHashes {
  let pieces: readonly [mask: bigint, factor: bigint] | undefined;
  return {
    text: (text) => keyedDigest(key, 'history', text).slice(0, 32),
    piece(piece) {
      pieces ??= pieceKeyOf(key);
      const [mask, factor] = pieces;
      return BigInt.asUintN(64, (piece ^ mask) * factor);
    },
  };
}

function pieceKeyOf(key: Uint8Array): readonly [mask: bigint, factor: bigint] {
  const bytes = Uint8Array.fromHex(keyedDigest(key, 'history pieces', ''));
  const [mask = 0n, factor = 0n] = new BigUint64Array(bytes.buffer, 0, 2);
  return [mask, factor | 1n];
}

/** If it still is the same file: another process may have been faster. */
function setAside(folder: string, inode: number): void {
  if (statSync(join(folder, HISTORY_NAME), { throwIfNoEntry: false })?.ino !== inode) return;
  for (const part of PARTS) {
    try {
      renameSync(join(folder, HISTORY_NAME + part), join(folder, ASIDE + part));
    } catch (error) {
      if (part === '')
        throw new StateError(`Cannot set the broken "${join(folder, HISTORY_NAME)}" aside: ${error}`);
    }
  }
}

export function openHistory(folder: string, leftMs?: number, nowMs: () => number = Date.now): StateDatabase {
  const schema = () => schemaIn(folder, nowMs());
  return openDatabase(folder, leftMs, { name: HISTORY_NAME, version: 1, schema, brief: true });
}

/** A new file that follows a broken one does not know the earlier calls. */
function schemaIn(folder: string, nowMs: number): string {
  const aside = statSync(join(folder, ASIDE), { throwIfNoEntry: false });
  if (aside === undefined || aside.ctimeMs < Date.now() - EXPIRY_MS) return HISTORY_SCHEMA;
  return `${HISTORY_SCHEMA}; UPDATE store SET restarted_ms = ${Math.floor(nowMs)}`;
}
