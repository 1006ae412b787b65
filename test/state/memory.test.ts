import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, STATE_FILE } from '../../src/hook/state/database.ts';
import { createProcessMemory } from '../../src/hook/state/process-memory.ts';
import { createSqliteMemory } from '../../src/hook/state/sqlite-memory.ts';
import { StateError } from '../../src/hook/state/state-error.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Memory } from '../../src/model/memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

const IMPLEMENTATIONS: readonly (readonly [string, () => Memory])[] = [
  ['process memory', () => createProcessMemory()],
  ['SQLite memory', () => inFolder(temporaryFolder())],
];

function inFolder(folder: string, nowMs: () => number = () => 1_000_000_000, maxRows?: number): Memory {
  return createSqliteMemory(() => openDatabase(folder), nowMs, maxRows);
}

describe.each(IMPLEMENTATIONS)('%s', (_name, create) => {
  test('knows nothing at first', () => {
    expect(create().get('model', 'session')).toBeUndefined();
  });

  test('gives back what was set last', () => {
    const memory = create();
    memory.set('model', 's', 'claude-x');
    memory.set('model', 's', 'gpt-y');
    expect(memory.get('model', 's')).toBe('gpt-y');
  });

  test('keeps spaces and keys apart, odd keys included', () => {
    const memory = create();
    memory.set('model', 'k', 1);
    memory.set('retries', 'k', 2);
    memory.set('retries', '__proto__', 3);
    memory.set('retries', 'a\0b', 4);
    memory.set('retries', 'a\0c', 5);
    expect(memory.get('model', 'k')).toBe(1);
    expect(memory.get('retries', 'k')).toBe(2);
    expect(memory.get('retries', '__proto__')).toBe(3);
    expect(memory.get('retries', 'a\0b')).toBe(4);
    expect(memory.get('texts', '__proto__')).toBeUndefined();
  });

  test.each([[null], [0], [''], [false], [{ a: [1, { b: 'ü\u0000' }] }], [[]]])(
    'gives %j back as it was',
    (value) => {
      const memory = create();
      memory.set('pending', 'k', value);
      expect(memory.get('pending', 'k')).toEqual(value);
    },
  );

  test('changes what was there, or nothing, into something, or nothing', () => {
    const memory = create();
    const seen: unknown[] = [];
    const change = (after: Json | undefined) =>
      memory.update('pending', 'k', (before) => {
        seen.push(before);
        return after;
      });
    change(undefined);
    change([1]);
    change(undefined);
    change('x');
    expect(seen).toEqual([undefined, undefined, [1], undefined]);
    expect(memory.get('pending', 'k')).toBe('x');
  });

  test('forgets what is set to undefined', () => {
    const memory = create();
    memory.set('verdict', 'k', 1);
    memory.set('verdict', 'k', undefined);
    memory.set('verdict', 'never', undefined);
    expect(memory.get('verdict', 'k')).toBeUndefined();
  });
});

describe('createProcessMemory', () => {
  test('makes room by what was used longest ago', () => {
    const memory = createProcessMemory(2);
    memory.set('model', 'a', 1);
    memory.set('model', 'b', 2);
    memory.get('model', 'a');
    memory.set('model', 'c', 3);
    expect([memory.get('model', 'a'), memory.get('model', 'b'), memory.get('model', 'c')]).toEqual([
      1,
      undefined,
      3,
    ]);
  });

  test('makes no room for a key it has', () => {
    const memory = createProcessMemory(2);
    memory.set('model', 'a', 1);
    memory.set('model', 'b', 2);
    memory.set('model', 'b', 3);
    expect(memory.get('model', 'a')).toBe(1);
  });
});

describe('createSqliteMemory', () => {
  test('opens nothing before it is asked', () => {
    let opened = 0;
    const memory = createSqliteMemory(() => {
      opened++;
      return openDatabase(temporaryFolder());
    }, Date.now);
    expect(opened).toBe(0);
    memory.get('model', 'k');
    memory.set('model', 'k', 1);
    expect(opened).toBe(1);
  });

  test('asks a state that has failed no second time', () => {
    let opened = 0;
    const memory = createSqliteMemory(() => {
      opened++;
      throw new StateError('Cannot open the state file: it is locked');
    }, Date.now);
    expect(() => memory.get('model', 'k')).toThrow('it is locked');
    expect(() => memory.set('model', 'k', 1)).toThrow('it is locked');
    expect(opened).toBe(1);
  });

  test('gives up in time on a state that another process has locked', () => {
    const folder = temporaryFolder();
    openDatabase(folder).close();
    const other = new Database(join(folder, 'state.db'));
    other.run('PRAGMA locking_mode = EXCLUSIVE');
    other.run('BEGIN EXCLUSIVE');
    const started = performance.now();
    expect(() => openDatabase(folder, 2_000)).toThrow(StateError);
    expect(performance.now() - started).toBeLessThan(2_000);
    other.close();
  });

  test('shares its values with other processes', () => {
    const folder = temporaryFolder();
    inFolder(folder).set('model', 'k', 'v');
    expect(inFolder(folder).get('model', 'k')).toBe('v');
  });

  test('forgets after 7 days without a write, not earlier', () => {
    const folder = temporaryFolder();
    let nowMs = 0;
    const memory = inFolder(folder, () => nowMs);
    memory.set('model', 'k', 'v');
    nowMs = 7 * DAY_MS - 1;
    expect(memory.get('model', 'k')).toBe('v');
    nowMs = 7 * DAY_MS;
    expect(memory.get('model', 'k')).toBeUndefined();
  });

  test('does not try for ever to change what is no text', () => {
    const folder = temporaryFolder();
    const memory = inFolder(folder);
    memory.set('pending', 'k', 1);
    const file = new Database(join(folder, 'state.db'));
    file.run("UPDATE memory SET value = x'00'");
    file.close();
    expect(() => memory.update('pending', 'k', () => 2)).toThrow(StateError);
  });

  test('changes nothing into something after 7 days', () => {
    let nowMs = 0;
    const memory = inFolder(temporaryFolder(), () => nowMs);
    const count = () => memory.update('retries', 'k', (before = 0) => Number(before) + 1);
    count();
    nowMs = 7 * DAY_MS;
    count();
    expect(memory.get('retries', 'k')).toBe(1);
  });

  test('deletes what has expired when a later process writes', () => {
    const folder = temporaryFolder();
    inFolder(folder, () => 0).set('model', 'old', 'v');
    inFolder(folder, () => 8 * DAY_MS).set('model', 'new', 'v');
    const row = openDatabase(folder).row('SELECT count(*) AS count FROM memory', []);
    expect(row).toEqual({ count: 1 });
  });

  test('prunes at most once an hour among processes that write once', () => {
    const folder = temporaryFolder();
    let nowMs = 0;
    const write = (key: string) => inFolder(folder, () => nowMs, 2).set('model', key, 1);
    for (const key of ['a', 'b', 'c', 'd']) {
      nowMs += 1_000;
      write(key);
    }
    const count = () => openDatabase(folder).row('SELECT count(*) AS count FROM memory', [])?.['count'];
    expect(count()).toBe(4);
    nowMs += 3_600_000;
    write('e');
    expect(count()).toBe(2);
    expect(inFolder(folder, () => nowMs).get('model', 'e')).toBe(1);
    expect(inFolder(folder, () => nowMs).get('model', 'c')).toBeUndefined();
  });

  test('stays bounded in a process that writes a lot', () => {
    const folder = temporaryFolder();
    let nowMs = 0;
    const memory = inFolder(folder, () => nowMs++, 100);
    const database = openDatabase(folder);
    for (let i = 0; i < 1_000; i++) memory.set('texts', `k${i}`, i);
    const count = database.row('SELECT count(*) AS count FROM memory', [])?.['count'];
    expect(count).toBeLessThanOrEqual(100 + 256);
    expect(memory.get('texts', 'k999')).toBe(999);
  });

  test('refuses a value that is too large, and says so', () => {
    const memory = inFolder(temporaryFolder());
    expect(() => memory.set('texts', 'k', 'x'.repeat(2 * 1024 * 1024))).toThrow(StateError);
    expect(memory.get('texts', 'k')).toBeUndefined();
  });
});

describe('openDatabase', () => {
  test('makes a file that only its owner can read', () => {
    const folder = temporaryFolder();
    const database = openDatabase(folder);
    database.run("INSERT INTO memory VALUES ('model', 'k', '1', 0)", []);
    for (const name of ['state.db', 'state.db-wal', 'state.db-shm']) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    }
  });

  test('throws a StateError for a damaged file', () => {
    const folder = temporaryFolder({ 'state.db': 'this is no database, however long it is '.repeat(200) });
    expect(() => openDatabase(folder)).toThrow(StateError);
    expect(() => inFolder(folder).get('model', 'k')).toThrow('Cannot open the state file');
  });

  test('throws a StateError for a file of a newer version', () => {
    const folder = temporaryFolder();
    openDatabase(folder).run('PRAGMA user_version = 99', []);
    expect(() => openDatabase(folder)).toThrow('it has version 99, this program knows 1');
  });

  test('throws a StateError where there is no folder', () => {
    expect(() => openDatabase(join(temporaryFolder(), 'missing'))).toThrow(StateError);
  });

  test('throws a StateError for a value that is no JSON', () => {
    const folder = temporaryFolder();
    openDatabase(folder).run("INSERT INTO memory VALUES ('model', 'k', '{torn', 2000000000)", []);
    expect(() => inFolder(folder).get('model', 'k')).toThrow('it is not JSON');
  });

  test('undoes a transaction that throws', () => {
    const database = openDatabase(temporaryFolder());
    expect(() =>
      database.transaction(() => {
        database.run("INSERT INTO memory VALUES ('model', 'k', '1', 0)", []);
        throw new StateError('stop');
      }),
    ).toThrow('stop');
    expect(database.row('SELECT * FROM memory', [])).toBeUndefined();
  });
});

test('eight processes that start at once on a new state file lose no write', async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dir, 'write-memory.ts');
  const children = Array.from({ length: 8 }, (_, i) =>
    Bun.spawn([process.execPath, script, folder, `p${i}`, '50'], { stdout: 'inherit', stderr: 'inherit' }),
  );
  expect(await Promise.all(children.map((child) => child.exited))).toEqual(Array(8).fill(0));
  const row = openDatabase(folder).row('SELECT count(*) AS count FROM memory', []);
  expect(row).toEqual({ count: 400 });
});

test('a state file that another process is making is waited for', async () => {
  const folder = temporaryFolder();
  const path = join(folder, STATE_FILE);
  // SQLite gives up at once here: no log can be had while somebody writes without one.
  const make = `
    const file = new (require('bun:sqlite').Database)(${JSON.stringify(path)});
    file.run('BEGIN IMMEDIATE');
    console.log('writing');
    Bun.sleepSync(200);
    file.run('ROLLBACK');
  `;
  const child = Bun.spawn([process.execPath, '-e', make], { stdout: 'pipe', stderr: 'inherit' });
  await child.stdout.getReader().read();
  expect(openDatabase(folder).row('PRAGMA journal_mode', [])).toEqual({ journal_mode: 'wal' });
  expect(await child.exited).toBe(0);
});

test('of what eight processes change at once nothing is lost', async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dir, 'count-memory.ts');
  const children = Array.from({ length: 8 }, () =>
    Bun.spawn([process.execPath, script, folder, '50'], { stdout: 'inherit', stderr: 'inherit' }),
  );
  expect(await Promise.all(children.map((child) => child.exited))).toEqual(Array(8).fill(0));
  expect(inFolder(folder, Date.now).get('retries', 'k')).toBe(400);
});
