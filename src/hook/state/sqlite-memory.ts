import type { Json } from '../../lib/json.ts';
import type { Memory, MemorySpace } from '../../model/memory.ts';
import type { StateDatabase } from './database.ts';
import { StateError } from './state-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A value that nobody has touched for so long belongs to a conversation that is over. */
const EXPIRY_MS = 7 * DAY_MS;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const PRUNE_EVERY_WRITES = 256;
const MAX_ROWS = 20_000;
const MAX_VALUE_CHARS = 1024 * 1024;
/** With every try of one process another has changed the value. */
const MAX_TRIES = 1_000;

/**
 * Memory in the state file, for hosts that start a process for every event. Values that nobody has written for 7 days
 * are gone. A state that has failed once has failed for this process: to wait for a lock again would make it late.
 *
 * @param open opens the state file; called when memory is first asked for something
 * @param maxRows rows that are left after pruning
 */
export function createSqliteMemory(
  open: () => StateDatabase,
  nowMs: () => number,
  maxRows = MAX_ROWS,
): Memory {
  let opened: StateDatabase | undefined;
  let failure: { readonly error: unknown } | undefined;
  let writes = 0;

  const use = <T>(action: (database: StateDatabase) => T): T => {
    if (failure !== undefined) throw failure.error;
    try {
      opened ??= open();
      return action(opened);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };

  const textOf = (space: MemorySpace, key: string): string | undefined => {
    const sql = 'SELECT value FROM memory WHERE space = ? AND key = ? AND updated_ms > ?';
    const value = use((database) => database.row(sql, [space, key, nowMs() - EXPIRY_MS]))?.['value'];
    return typeof value === 'string' ? value : undefined;
  };

  const set = (space: MemorySpace, key: string, value: Json | undefined): void => {
    if (value === undefined) {
      use((database) => database.run('DELETE FROM memory WHERE space = ? AND key = ?', [space, key]));
      return;
    }
    const text = textFor(space, value);
    use((database) => {
      database.run(PUT, [space, key, text, nowMs()]);
      sweep(database);
    });
  };

  /** One statement, for which others hardly wait; false if there is something else now than there was. */
  const swap = (space: MemorySpace, key: string, before: string | undefined, after: Json | undefined) =>
    use((database) => {
      const now = nowMs();
      if (after === undefined) return before === undefined || database.run(DROP, [space, key, before]) > 0;
      const text = textFor(space, after);
      const changes =
        before === undefined
          ? database.run(ADD, [space, key, text, now, now - EXPIRY_MS])
          : database.run(CHANGE, [text, now, space, key, before]);
      if (changes > 0) sweep(database);
      return changes > 0;
    });

  const update: Memory['update'] = (space, key, change) => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const text = textOf(space, key);
      const before = text === undefined ? undefined : parse(space, text);
      const after = change(before);
      // If another process was faster, this one starts again.
      if (after === before || swap(space, key, text, after)) return;
    }
    throw new StateError(`Cannot change a value of "${space}": others change it all the time`);
  };

  const sweep = (database: StateDatabase): void => {
    if (writes++ % PRUNE_EVERY_WRITES === 0) pruneIfDue(database, nowMs(), maxRows, writes > 1);
  };

  return {
    get: (space, key) => {
      const text = textOf(space, key);
      return text === undefined ? undefined : parse(space, text);
    },
    set,
    update,
  };
}

const PUT = `INSERT INTO memory (space, key, value, updated_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms`;
const ADD = `${PUT} WHERE memory.updated_ms <= ?`;
const CHANGE = 'UPDATE memory SET value = ?, updated_ms = ? WHERE space = ? AND key = ? AND value = ?';
const DROP = 'DELETE FROM memory WHERE space = ? AND key = ? AND value = ?';

function textFor(space: MemorySpace, value: Json): string {
  const text = JSON.stringify(value);
  if (text.length <= MAX_VALUE_CHARS) return text;
  throw new StateError(
    `Cannot remember a value of "${space}": it is longer than ${MAX_VALUE_CHARS} characters`,
  );
}

/** Once an hour among all processes, and by every process that writes a lot. */
function pruneIfDue(database: StateDatabase, nowMs: number, maxRows: number, always: boolean): void {
  const doneMs = database.row("SELECT done_ms FROM housekeeping WHERE name = 'prune'", [])?.['done_ms'];
  if (!always && typeof doneMs === 'number' && nowMs - doneMs < PRUNE_EVERY_MS) return;
  database.transaction(() => {
    database.run('DELETE FROM memory WHERE updated_ms <= ?', [nowMs - EXPIRY_MS]);
    const oldestKept = 'SELECT updated_ms FROM memory ORDER BY updated_ms DESC LIMIT 1 OFFSET ?';
    database.run(`DELETE FROM memory WHERE updated_ms < (${oldestKept})`, [maxRows - 1]);
    database.run("INSERT OR REPLACE INTO housekeeping (name, done_ms) VALUES ('prune', ?)", [nowMs]);
  });
}

function parse(space: MemorySpace, text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new StateError(`Cannot read a value of "${space}": it is not JSON`);
  }
}
