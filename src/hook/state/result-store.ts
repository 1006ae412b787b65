import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseFile, isBroken, openDatabase, type StateDatabase } from './database.ts';

/** One kept result, for people. */
export interface KeptResult {
  readonly policy: string;
  readonly tool: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly madeMs: number;
  readonly expiresMs: number;
}

/** A call whose result is to be kept when it comes. */
export interface ExpectedResult {
  /** Of everything that tells calls apart; hex. */
  readonly key: string;
  readonly session: string;
  readonly policy: string;
  readonly tool: string;
  readonly ttlMs: number;
}

/** Results of calls in the state folder, for all processes of a user. All calls throw `StateError`. */
export interface ResultStore {
  /** The text kept under a key; undefined if there is none, or its time is over. */
  find(key: string): string | undefined;
  /** Notes that a call runs. */
  expect(call: ExpectedResult): void;
  /** Keeps the text of a result, if its call was noted in this session; once for each. */
  keep(key: string, session: string, text: string): void;
  list(): readonly KeptResult[];
  /** Forgets all results and says how many there were. */
  clear(): number;
  close(): void;
}

/** Those kept longest go first. */
const MAX_RESULTS = 1_000;
/** A call that has shown nothing by then has ended without a result. */
const EXPECTED_FOR_MS = 3_600_000;

/** It may be lost when the machine goes down. */
export const RESULTS_FILE: DatabaseFile = {
  name: 'results.db',
  version: 1,
  brief: true,
  schema: `
  CREATE TABLE expected (
    key TEXT NOT NULL,
    session TEXT NOT NULL,
    policy TEXT NOT NULL,
    tool TEXT NOT NULL,
    ttl_ms INTEGER NOT NULL,
    asked_ms INTEGER NOT NULL,
    PRIMARY KEY (key, session)
  ) WITHOUT ROWID;
  CREATE TABLE result (
    key TEXT PRIMARY KEY,
    policy TEXT NOT NULL,
    tool TEXT NOT NULL,
    value TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
`,
};

/** Opens the results in a folder. A file that is broken goes: what it held can be had again. */
export function openResults(folder: string, nowMs: () => number): ResultStore {
  const open = () => createResultStore(openDatabase(folder, undefined, RESULTS_FILE), nowMs);
  try {
    return open();
  } catch (error) {
    if (!isBroken(error)) throw error;
    for (const ending of ['-wal', '-shm', ''])
      rmSync(join(folder, RESULTS_FILE.name + ending), { force: true });
    return open();
  }
}

function createResultStore(database: StateDatabase, nowMs: () => number): ResultStore {
  return {
    find(key) {
      const now = nowMs();
      // A clock that went back must not prolong anything.
      const sql = 'SELECT value FROM result WHERE key = ? AND expires_ms > ? AND made_ms <= ?';
      const value = database.row(sql, [key, now, now])?.['value'];
      return typeof value === 'string' ? value : undefined;
    },
    expect({ key, session, policy, tool, ttlMs }) {
      const sql = 'INSERT OR REPLACE INTO expected VALUES (?, ?, ?, ?, ?, ?)';
      database.run(sql, [key, session, policy, tool, ttlMs, nowMs()]);
    },
    keep(key, session, text) {
      database.transaction(() => {
        const call = database.row('SELECT * FROM expected WHERE key = ? AND session = ?', [key, session]);
        if (call === undefined) return;
        const { policy = '', tool = '', ttl_ms: ttlMs } = call;
        const now = nowMs();
        database.run('DELETE FROM expected WHERE key = ? AND session = ?', [key, session]);
        const sql = 'INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?)';
        database.run(sql, [key, policy, tool, text, now, now + Number(ttlMs)]);
        prune(database, now);
      });
    },
    list: () =>
      database.rows('SELECT * FROM result WHERE expires_ms > ? ORDER BY made_ms', [nowMs()]).map((row) => ({
        policy: String(row['policy']),
        tool: String(row['tool']),
        bytes: Buffer.byteLength(String(row['value'])),
        madeMs: Number(row['made_ms']),
        expiresMs: Number(row['expires_ms']),
      })),
    clear: () =>
      database.transaction(() => {
        database.run('DELETE FROM expected', []);
        return database.run('DELETE FROM result', []);
      }),
    close: () => database.close(),
  };
}

function prune(database: StateDatabase, nowMs: number): void {
  database.run('DELETE FROM result WHERE expires_ms <= ?', [nowMs]);
  database.run('DELETE FROM expected WHERE asked_ms <= ?', [nowMs - EXPECTED_FOR_MS]);
  const beyond = 'SELECT key FROM result ORDER BY made_ms DESC, key LIMIT -1 OFFSET ?';
  database.run(`DELETE FROM result WHERE key IN (${beyond})`, [MAX_RESULTS]);
}
