import { join } from 'node:path';
import { isBusy, makeFile } from '../../../hook/state/database.ts';
import { StateError, stateError } from '../../../hook/state/state-error.ts';

const FILE = 'export.db';
const MAX_WAIT_MS = 2_000;

/** How far the decision log has been sent, for each place that it is sent to. All calls throw `StateError`. */
export interface ExportCursors {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  close(): void;
}

/**
 * Opens them for this process alone, until it closes them or ends: two that send at the same time would send the same.
 *
 * @throws StateError if another process has them, or if they cannot be read or written
 */
export function openExportCursors(folder: string): ExportCursors {
  const path = join(folder, FILE);
  const { Database } = require('bun:sqlite') as typeof import('bun:sqlite');
  const guarded = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      if (isBusy(error))
        throw new StateError('Cannot send decisions: another process on this machine is sending them');
      throw stateError(`Cannot use "${path}"`, error);
    }
  };
  return guarded(() => {
    makeFile(path);
    const connection = new Database(path, { readwrite: true });
    try {
      connection.run(`PRAGMA busy_timeout = ${MAX_WAIT_MS}`);
      // The first write keeps its lock.
      connection.run('PRAGMA locking_mode = EXCLUSIVE');
      connection.run('BEGIN EXCLUSIVE');
      connection.run(
        'CREATE TABLE IF NOT EXISTS cursor (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
      );
      connection.run('COMMIT');
    } catch (error) {
      connection.close();
      throw error;
    }
    return {
      get: (name) =>
        guarded(
          () =>
            connection.query<{ value: string }, [string]>('SELECT value FROM cursor WHERE name = ?').get(name)
              ?.value,
        ),
      set: (name, value) =>
        guarded(() => {
          connection.query('INSERT OR REPLACE INTO cursor VALUES (?, ?)').run(name, value);
        }),
      close: () => connection.close(),
    };
  });
}
