import type { Json } from '../lib/json.ts';
import type { Memory, MemorySpace } from '../model/memory.ts';
import type { StateDatabase } from './database.ts';
import { StateError } from './state-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What nobody has touched for so long belongs to a conversation that is over. */
const EXPIRY_MS = 7 * DAY_MS;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const PRUNE_EVERY_WRITES = 256;
const MAX_ROWS = 20_000;
const MAX_VALUE_CHARS = 1024 * 1024;

export interface SqliteMemoryOptions {
  /** Opens the state file; called when memory is first asked for something. */
  readonly open: () => StateDatabase;
  readonly nowMs: () => number;
  /** Rows that are left after pruning. 20,000 unless told. */
  readonly maxRows?: number;
}

/**
 * Memory in the state file, for hosts that start a process for every event. Values that nobody has written for 7 days
 * are gone. A state that has failed once has failed for this process: to wait for a lock again would make it late.
 */
export function createSqliteMemory(options: SqliteMemoryOptions): Memory {
  const { nowMs } = options;
  const maxRows = options.maxRows ?? MAX_ROWS;
  let opened: StateDatabase | undefined;
  let failure: { readonly error: unknown } | undefined;
  let writes = 0;

  const use = <T>(action: (database: StateDatabase) => T): T => {
    if (failure !== undefined) throw failure.error;
    try {
      opened ??= options.open();
      return action(opened);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };

  const get = (space: MemorySpace, key: string): Json | undefined => {
    const sql = 'SELECT value FROM memory WHERE space = ? AND key = ? AND updated_ms > ?';
    const row = use((database) => database.row(sql, [space, key, nowMs() - EXPIRY_MS]));
    const value = row?.['value'];
    return typeof value === 'string' ? parse(space, value) : undefined;
  };

  const put = (space: MemorySpace, key: string, value: Json | undefined): void => {
    if (value === undefined) {
      use((database) => database.run('DELETE FROM memory WHERE space = ? AND key = ?', [space, key]));
      return;
    }
    const text = JSON.stringify(value);
    if (text.length > MAX_VALUE_CHARS) {
      throw new StateError(
        `Cannot remember a value of "${space}": it is longer than ${MAX_VALUE_CHARS} characters`,
      );
    }
    const sql = `INSERT INTO memory (space, key, value, updated_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms`;
    use((database) => database.run(sql, [space, key, text, nowMs()]));
  };

  const sweep = (): void => {
    if (writes++ % PRUNE_EVERY_WRITES === 0)
      use((database) => pruneIfDue(database, nowMs(), maxRows, writes > 1));
  };

  return {
    get,
    set: (space, key, value) => {
      put(space, key, value);
      if (value !== undefined) sweep();
    },
    // Others wait meanwhile: what can be done afterwards is not done in between.
    update: (space, key, change) => {
      use((database) =>
        database.transaction(() => {
          const before = get(space, key);
          const after = change(before);
          if (after !== before) put(space, key, after);
        }),
      );
      sweep();
    },
  };
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
