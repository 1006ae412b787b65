import type { PastCall } from '../../../model/history.ts';
import type { SqlValue, StateDatabase } from '../database.ts';
import { type HistoryTables, MAX_OPEN, type PastRow, type StoredCall } from './tables.ts';

export const HISTORY_SCHEMA = `
  CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    sequence INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    restarted_ms INTEGER
  );
  INSERT INTO store VALUES (1, 0, 0, 0, NULL);
  CREATE TABLE session (
    name TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    last_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX session_by_age ON session (last_ms);
  CREATE TABLE file (
    session TEXT NOT NULL,
    name TEXT NOT NULL,
    calls INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    PRIMARY KEY (session, name)
  ) WITHOUT ROWID;
  CREATE INDEX file_over ON file (name) WHERE is_over = 1;
  CREATE TABLE call (
    sequence INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    id TEXT,
    twin TEXT,
    tool TEXT NOT NULL,
    digest TEXT NOT NULL,
    sent TEXT,
    repository TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    same INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    result TEXT NOT NULL,
    settled INTEGER
  );
  CREATE INDEX call_open ON call (session, tool) WHERE result = 'open';
  CREATE INDEX call_in_group ON call (same) WHERE same <> sequence;
  CREATE TABLE met (
    sequence INTEGER NOT NULL,
    fact TEXT NOT NULL,
    session TEXT NOT NULL,
    repository TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    certain TEXT NOT NULL,
    vals TEXT NOT NULL,
    pieces BLOB,
    PRIMARY KEY (sequence, fact)
  ) WITHOUT ROWID;
  CREATE INDEX met_in_session ON met (session, fact, sequence);
  CREATE INDEX met_in_repository ON met (repository, fact, sequence);
`;

/** No repository at all, in a column that an index can find. */
const NOWHERE = '';
/** So many are dropped with each that is added, at most. */
const MAX_DROPPED = 100;

/** Tables in the history file of the state folder. */
export function createSqliteTables(database: StateDatabase): HistoryTables {
  return {
    transaction: (action) => database.transaction(action),
    rows(session) {
      const row = database.row(ROWS, [session]) ?? {};
      return {
        store: {
          sequence: Number(row['sequence']),
          lastMs: Number(row['last_ms']),
          calls: Number(row['calls']),
          restartedMs: optionalNumber(row['restarted_ms']),
        },
        session: { revision: Number(row['revision'] ?? 0), turn: Number(row['turn'] ?? 0) },
      };
    },
    putRows(name, { store: { sequence, lastMs, calls }, session: { revision, turn } }) {
      database.run('UPDATE store SET sequence = ?, last_ms = ?, calls = ?', [sequence, lastMs, calls]);
      database.run('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)', [name, revision, turn, lastMs]);
    },
    file(session, file) {
      const sql = 'SELECT calls, bytes, is_over FROM file WHERE session = ? AND name = ?';
      const row = database.row(sql, [session, file]);
      return {
        calls: Number(row?.['calls'] ?? 0),
        bytes: Number(row?.['bytes'] ?? 0),
        isOver: row?.['is_over'] === 1,
      };
    },
    putFile: (session, file, { calls, bytes, isOver }) => {
      database.run('INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)', [
        session,
        file,
        calls,
        bytes,
        Number(isOver),
      ]);
    },
    isOver: (file) =>
      database.row('SELECT 1 FROM file WHERE name = ? AND is_over = 1 LIMIT 1', [file]) !== undefined,
    add(call, facts) {
      const repository = call.repository ?? NOWHERE;
      database.run('INSERT INTO call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        call.sequence,
        call.session,
        call.turn,
        call.id ?? null,
        call.twin ?? null,
        call.tool,
        call.digest,
        call.sent ?? null,
        repository,
        call.startedMs,
        call.group,
        Number(call.refused),
        call.result,
        call.settled ?? null,
      ]);
      for (const { fact, values, ...certain } of facts)
        database.run('INSERT INTO met VALUES (?, ?, ?, ?, ?, ?, ?, NULL)', [
          call.sequence,
          fact,
          call.session,
          repository,
          call.startedMs,
          JSON.stringify(certain),
          JSON.stringify(values),
        ]);
    },
    change: ({ sequence, refused, result, settled }) => {
      database.run('UPDATE call SET refused = ?, result = ?, settled = ? WHERE sequence = ?', [
        Number(refused),
        result,
        settled ?? null,
        sequence,
      ]);
    },
    open(session, tool, { digest, id, twin }) {
      const [of = null, named = null, same = null] = [digest, id, twin];
      return database.rows(OPEN, [session, tool, MAX_OPEN, of, named, same]).map(callOf);
    },
    group: (_session, group) =>
      database
        .rows(
          'SELECT * FROM call WHERE sequence = ? UNION ALL SELECT * FROM call WHERE same = ? AND same <> sequence ORDER BY sequence',
          [group, group],
        )
        .map(callOf),
    endOpen: (session, turn, settled) => {
      database.run(
        "UPDATE call SET settled = ? WHERE session = ? AND result = 'open' AND settled IS NULL AND turn = coalesce(?, turn)",
        [settled, session, turn ?? null],
      );
    },
    facts: (_session, sequence) =>
      database.rows('SELECT fact FROM met WHERE sequence = ?', [sequence]).map(({ fact }) => String(fact)),
    past: (session, fact, sinceMs) =>
      database.rows(`${PAST} WHERE m.session = ? ${SINCE}`, [session, fact, sinceMs]).map(pastOf),
    pastIn: (repository, fact, sinceMs) =>
      database
        .rows(`${PAST} WHERE m.repository = ? ${SINCE}`, [repository ?? NOWHERE, fact, sinceMs])
        .map(pastOf),
    addPieces: (_session, fact, { sequence, pieces }) => {
      const bytes = new Uint8Array(pieces.buffer, pieces.byteOffset, pieces.byteLength);
      database.run('UPDATE met SET pieces = ? WHERE sequence = ? AND fact = ?', [bytes, sequence, fact]);
    },
    pieces: (session, fact) =>
      database
        .rows(
          'SELECT sequence, pieces FROM met WHERE session = ? AND fact = ? AND pieces IS NOT NULL ORDER BY sequence',
          [session, fact],
        )
        .map(({ sequence, pieces }) => ({ sequence: Number(sequence), pieces: piecesOf(pieces) })),
    dropBefore(ms) {
      const oldest = database.row('SELECT started_ms FROM call ORDER BY sequence LIMIT 1', []);
      if (oldest === undefined || Number(oldest['started_ms']) > ms) return 0;
      const sql =
        'SELECT max(sequence) AS last FROM (SELECT * FROM call ORDER BY sequence LIMIT ?) WHERE started_ms <= ?';
      const last = Number(database.row(sql, [MAX_DROPPED, ms])?.['last'] ?? 0);
      database.run('DELETE FROM met WHERE sequence <= ?', [last]);
      for (const name of database.rows('SELECT name FROM session WHERE last_ms <= ? LIMIT ?', [
        ms,
        MAX_DROPPED,
      ])) {
        database.run('DELETE FROM file WHERE session = ?', [name['name'] ?? '']);
        database.run('DELETE FROM session WHERE name = ?', [name['name'] ?? '']);
      }
      return database.run('DELETE FROM call WHERE sequence <= ?', [last]);
    },
  };
}

const ROWS =
  'SELECT store.*, session.revision, session.turn FROM store LEFT JOIN session ON session.name = ?';
const OPEN = `SELECT * FROM
  (SELECT * FROM call WHERE session = ?1 AND tool = ?2 AND result = 'open' ORDER BY sequence DESC LIMIT ?3)
  WHERE digest = ?4 OR sent = ?4 OR id = ?5 OR twin = ?6 OR coalesce(?4, ?5, ?6) IS NULL ORDER BY sequence`;
const PAST = `SELECT '{"values":' || m.vals || ',' || substr(m.certain, 2) AS known,
  c.session, c.turn, c.sequence, c.started_ms, c.refused, c.result, c.settled
  FROM met m JOIN call c ON c.sequence = m.sequence`;
const SINCE = 'AND m.fact = ? AND m.started_ms > ? ORDER BY m.sequence';

type Row = Readonly<Record<string, SqlValue>>;

function callOf(row: Row): StoredCall {
  const repository = String(row['repository']);
  return {
    session: String(row['session']),
    sequence: Number(row['sequence']),
    turn: String(row['turn']),
    id: optionalText(row['id']),
    twin: optionalText(row['twin']),
    tool: String(row['tool']),
    digest: String(row['digest']),
    sent: optionalText(row['sent']),
    repository: repository === NOWHERE ? undefined : repository,
    startedMs: Number(row['started_ms']),
    group: Number(row['same']),
    refused: row['refused'] === 1,
    result: row['result'] as StoredCall['result'],
    settled: optionalNumber(row['settled']),
  };
}

function pastOf(row: Row): PastRow {
  const past: PastCall = {
    ...(JSON.parse(String(row['known'])) as Pick<PastCall, 'met' | 'ran' | 'own' | 'values'>),
    sequence: Number(row['sequence']),
    settledSequence: optionalNumber(row['settled']),
    startedMs: Number(row['started_ms']),
    refused: row['refused'] === 1,
    result: row['result'] as PastCall['result'],
  };
  return { session: String(row['session']), turn: String(row['turn']), past };
}

function optionalText(cell: SqlValue | undefined): string | undefined {
  return typeof cell === 'string' ? cell : undefined;
}

function optionalNumber(cell: SqlValue | undefined): number | undefined {
  return typeof cell === 'number' ? cell : undefined;
}

/** A copy, since the bytes of a row may begin anywhere. */
function piecesOf(cell: SqlValue | undefined): BigUint64Array {
  return cell instanceof Uint8Array
    ? new BigUint64Array(cell.buffer.slice(cell.byteOffset, cell.byteOffset + cell.byteLength))
    : new BigUint64Array();
}
