import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StateDatabase } from '../../../hook/state/database.ts';
import { HISTORY_NAME, openHistory } from '../../../hook/state/history/sqlite-history.ts';
import type { HidingReason, PastCall } from '../../../model/history.ts';

/** A call as people read it. */
export interface RememberedCall extends Pick<PastCall, 'startedMs' | 'refused' | 'result'> {
  readonly host: string;
  readonly tool: string;
  /** Id of the fact that it met, or may have. */
  readonly fact: string;
  /** False if it only may have met it. */
  readonly met: boolean;
  readonly hiddenBy?: HidingReason | undefined;
}

/** The kept calls of the sessions of this name, of any agent, oldest first. Makes nothing. */
export function rememberedCalls(folder: string, session: string): readonly RememberedCall[] {
  return withDatabase(folder, [], (database) =>
    namesOf(database, session).flatMap((name) =>
      database.rows(CALLS, [name]).map((row) => {
        const { met, hiddenBy } = JSON.parse(String(row['certain']));
        return {
          startedMs: Number(row['started_ms']),
          host: name.slice(0, name.indexOf(' ')),
          tool: String(row['tool']),
          fact: String(row['fact']),
          refused: row['refused'] === 1,
          result: String(row['result']) as PastCall['result'],
          met: met === true,
          hiddenBy,
        };
      }),
    ),
  );
}

/** Forgets the sessions of a name, and says how many calls that were. */
export function forgetSession(folder: string, session: string): number {
  return withDatabase(folder, 0, (database) =>
    database.transaction(() => {
      let calls = 0;
      for (const name of namesOf(database, session)) {
        database.run('DELETE FROM met WHERE session = ?', [name]);
        database.run('DELETE FROM file WHERE session = ?', [name]);
        database.run('DELETE FROM session WHERE name = ?', [name]);
        calls += database.run('DELETE FROM call WHERE session = ?', [name]);
      }
      database.run('UPDATE store SET sequence = sequence + 1, calls = calls - ?', [calls]);
      return calls;
    }),
  );
}

const CALLS = `SELECT c.started_ms, c.tool, c.refused, c.result, m.fact, m.certain
  FROM call c JOIN met m ON m.sequence = c.sequence WHERE c.session = ? ORDER BY c.sequence, m.fact`;

/** Agents may give the same name to sessions. */
function namesOf(database: StateDatabase, session: string): readonly string[] {
  return database
    .rows("SELECT name FROM session WHERE substr(name, instr(name, ' ') + 1) = ?", [session])
    .map(({ name }) => String(name));
}

function withDatabase<T>(folder: string, none: T, use: (database: StateDatabase) => T): T {
  if (!existsSync(join(folder, HISTORY_NAME))) return none;
  const database = openHistory(folder);
  try {
    return use(database);
  } finally {
    database.close();
  }
}
