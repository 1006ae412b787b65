import { describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeLockFile, readLockFile } from '../../src/fleet/sources/lock-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ENTRY = { revision: 'c'.repeat(40), digest: `sha256:${'a'.repeat(64)}` };

describe('a lock file', () => {
  test('is made, changed and left alone where nothing is said', async () => {
    const path = join(temporaryFolder(), 'policy.lock');
    expect(readLockFile(path).size).toBe(0);
    await changeLockFile(
      path,
      new Map([
        ['git+https://a', ENTRY],
        ['git+https://b', ENTRY],
      ]),
    );
    await changeLockFile(
      path,
      new Map([
        ['git+https://a', undefined],
        ['git+https://c', ENTRY],
      ]),
    );
    expect([...readLockFile(path).keys()]).toEqual(['git+https://b', 'git+https://c']);
  });

  test('that cannot be used is neither read nor written', async () => {
    const path = join(temporaryFolder(), 'policy.lock');
    writeFileSync(path, '{"version": 2, "sources": {}}');
    expect(() => readLockFile(path)).toThrow('a newer policy has written');
    await expect(changeLockFile(path, new Map([['git+https://a', ENTRY]]))).rejects.toThrow('a newer policy');
    expect(readdirSync(join(path, '..'))).toEqual(['policy.lock']);
  });

  test('that is a link to what never ends, or far too large, is not read to its end', async () => {
    const path = join(temporaryFolder(), 'policy.lock');
    symlinkSync('/dev/zero', path);
    expect(() => readLockFile(path)).toThrow(
      `Cannot use "${path}": it is not a regular file; take policy.lock`,
    );
    rmSync(path);
    writeFileSync(path, ' '.repeat(5_000_000));
    expect(() => readLockFile(path)).toThrow('it is larger than');
  });

  test('is written in the end where its last writer has died', async () => {
    const path = join(temporaryFolder(), 'policy.lock');
    writeFileSync(`${path}.held`, '');
    utimesSync(`${path}.held`, 0, 0);
    await changeLockFile(path, new Map([['git+https://a', ENTRY]]));
    expect(readLockFile(path).size).toBe(1);
    expect(readdirSync(join(path, '..'))).toEqual(['policy.lock']);
  });

  test('says why it cannot be written', async () => {
    const path = join(temporaryFolder(), 'none/policy.lock');
    await expect(changeLockFile(path, new Map([['git+https://a', ENTRY]]))).rejects.toThrow(
      `Cannot write "${path}"`,
    );
  });

  test('keeps what several processes write at once', async () => {
    const path = join(temporaryFolder(), 'policy.lock');
    const script = (i: number) => `
      const { changeLockFile } = await import(${JSON.stringify(join(import.meta.dir, '../../src/fleet/sources/lock-file.ts'))});
      for (let j = 0; j < 10; j++)
        await changeLockFile(${JSON.stringify(path)}, new Map([['git+https://${i}-' + j, ${JSON.stringify(ENTRY)}]]));
    `;
    const runs = [0, 1, 2, 3].map((i) =>
      Bun.spawn([process.execPath, '-e', script(i)], { stderr: 'inherit' }),
    );
    expect(await Promise.all(runs.map((run) => run.exited))).toEqual([0, 0, 0, 0]);
    expect(readLockFile(path).size).toBe(40);
  });
});
