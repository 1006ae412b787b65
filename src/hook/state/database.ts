import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/message-of.ts';
import { guarded, StateError } from './state-error.ts';

/** A value of a row, as SQLite gives and takes it. */
export type SqlValue = string | number | null | Uint8Array;

/** The state file, with the few things that are asked of it. All calls throw `StateError`. */
export interface StateDatabase {
  row(sql: string, parameters: readonly SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  rows(sql: string, parameters: readonly SqlValue[]): readonly Readonly<Record<string, SqlValue>>[];
  /** Runs one statement and says how many rows it changed. */
  run(sql: string, parameters: readonly SqlValue[]): number;
  /** Runs the statements inside as one: all or nothing, and no other process in between. */
  transaction<T>(action: () => T): T;
  close(): void;
}

/** The name of the state file in its folder. */
export const STATE_FILE = 'state.db';
/** SQLite appends these for its own files. */
const BESIDE = ['-wal', '-shm', '-journal'] as const;
const SCHEMA_VERSION = 1;
/** Writes take a millisecond, but on a busy machine the process that holds the lock may have to wait for its turn. */
const MAX_WAIT_MS = 5_000;
/** Switching a new file to the write-ahead log does not always honour the busy timeout, so it is tried again. */
const WAL_RETRY_MS = 10;

/** A file of SQLite in the state folder. */
export interface DatabaseFile {
  readonly name: string;
  readonly version: number;
  /** Gives the statements that make its tables; called when there are none. */
  readonly schema: () => string;
  /** True if it may be lost when the machine goes down: then no write waits for the disk. */
  readonly brief?: boolean;
}

const SCHEMA = `
  CREATE TABLE memory (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (space, key)
  ) WITHOUT ROWID;
  CREATE INDEX memory_by_age ON memory (updated_ms);
  CREATE TABLE verdict (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX verdict_by_age ON verdict (made_ms);
  CREATE TABLE verdict_claim (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_ms INTEGER NOT NULL,
    told TEXT,
    told_ms INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE judge_usage (
    key TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE housekeeping (name TEXT PRIMARY KEY, done_ms INTEGER NOT NULL) WITHOUT ROWID;
`;

const STATE: DatabaseFile = { name: STATE_FILE, version: SCHEMA_VERSION, schema: () => SCHEMA };

/**
 * Opens a file of the state folder, making it if it is not there. SQLite is loaded here and nowhere else: it costs a
 * process about 3 ms, which only those that remember something pay.
 *
 * @param timeLeftMs opening, and each call, waits for another process at most half of this, and never over 5 s
 * @throws StateError if the file is damaged, of a newer version, or cannot be read or written
 */
export function openDatabase(
  folder: string,
  timeLeftMs = Number.POSITIVE_INFINITY,
  file: DatabaseFile = STATE,
): StateDatabase {
  const path = join(folder, file.name);
  const maxWaitMs = Math.min(timeLeftMs / 2, MAX_WAIT_MS);
  const { Database } = require('bun:sqlite') as typeof import('bun:sqlite');
  return guarded(`Cannot open the state file "${path}"`, () => {
    makeFile(path);
    const connection = new Database(path, { readwrite: true });
    try {
      // A crash of the machine may lose the last writes, never the file unless it is brief; one of a process loses nothing.
      connection.run(
        `PRAGMA busy_timeout = ${Math.floor(maxWaitMs)}; PRAGMA synchronous = ${file.brief === true ? 'OFF' : 'NORMAL'}`,
      );
      // The file remembers that it has a log.
      if (schemaVersion(connection) !== file.version) {
        useWriteAheadLog(connection, maxWaitMs);
        prepareSchema(connection, file);
      }
    } catch (error) {
      connection.close();
      throw error;
    }
    return wrap(connection, path);
  });
}

type Connection = import('bun:sqlite').Database;

/** Creates the file and its companions with a private mode. Rejects pipes, at which SQLite would wait for ever. */
export function makeFile(path: string): void {
  for (const ending of BESIDE) {
    const stats = statSync(path + ending, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw damage(`"${path + ending}" is not a regular file`);
  }
  const { O_CREAT, O_NONBLOCK, O_RDWR } = constants;
  const descriptor = openSync(path, O_CREAT | O_RDWR | (O_NONBLOCK ?? 0), 0o600);
  try {
    if (!fstatSync(descriptor).isFile()) throw damage('it is not a regular file');
  } finally {
    closeSync(descriptor);
  }
}

/** An error that a new file instead of this one would not have. */
function damage(message: string): Error {
  return Object.assign(new Error(message), { code: DAMAGE });
}

function useWriteAheadLog(connection: Connection, maxWaitMs: number): void {
  const endMs = performance.now() + maxWaitMs;
  for (;;) {
    try {
      connection.run('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= endMs) throw error;
      Bun.sleepSync(WAL_RETRY_MS);
    }
  }
}

/** Codes of errors that are about the moment, or that a new file would have, too. */
const NOT_BROKEN =
  /^(?:SQLITE_(?:BUSY|LOCKED|READONLY|CANTOPEN|PERM|AUTH|NOMEM)|E(?:ACCES|PERM|ROFS|NOSPC|NOENT|MFILE|NFILE))/;
const DAMAGE = 'DAMAGE';

/** True if the file itself is broken, or cannot take a write that it must not miss. */
export function isBroken(error: unknown): boolean {
  const code = String(error instanceof StateError ? codeOf(error.cause) : undefined);
  return (code === DAMAGE || code === 'EISDIR' || code.startsWith('SQLITE_')) && !NOT_BROKEN.test(code);
}

export function isBusy(error: unknown): boolean {
  return String(codeOf(error)).startsWith('SQLITE_BUSY');
}

function prepareSchema(connection: Connection, file: DatabaseFile): void {
  connection
    .transaction(() => {
      const version = schemaVersion(connection);
      if (version === file.version) return;
      if (version !== 0) {
        const message = `Cannot use the state file: it has version ${version}, this program knows ${file.version}`;
        throw new StateError(message, { cause: damage(message) });
      }
      connection.run(file.schema());
      connection.run(`PRAGMA user_version = ${file.version}`);
    })
    .immediate();
}

function schemaVersion(connection: Connection): number {
  const row = connection.query<{ user_version: number }, []>('PRAGMA user_version').get();
  return row?.user_version ?? 0;
}

function wrap(connection: Connection, path: string): StateDatabase {
  const doing = <T>(action: () => T): T => guarded(`Cannot use the state file "${path}"`, action);
  let depth = 0;
  /** A transaction inside of another is a part of it. */
  const transaction = <T>(action: () => T): T => {
    if (depth > 0) return action();
    connection.run('BEGIN IMMEDIATE');
    depth = 1;
    try {
      const result = action();
      connection.run('COMMIT');
      return result;
    } catch (error) {
      // SQLite itself may have ended it.
      if (connection.inTransaction) connection.run('ROLLBACK');
      throw error;
    } finally {
      depth = 0;
    }
  };
  return {
    row: (sql, parameters) =>
      doing(
        () => connection.query<Record<string, SqlValue>, SqlValue[]>(sql).get(...parameters) ?? undefined,
      ),
    rows: (sql, parameters) =>
      doing(() => connection.query<Record<string, SqlValue>, SqlValue[]>(sql).all(...parameters)),
    run: (sql, parameters) =>
      doing(() => connection.query<unknown, SqlValue[]>(sql).run(...parameters).changes),
    transaction: (action) => doing(() => transaction(action)),
    close: () => connection.close(),
  };
}
