import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createProgramCache } from '../../src/hook/state/program-cache.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function digestOf(n: number): string {
  return n.toString(16).padStart(64, '0');
}

function cacheIn(home: string, bounds: { maxFiles?: number; maxBytes?: number } = {}) {
  return createProgramCache({ XDG_STATE_HOME: home }, bounds);
}

function fileOf(home: string, n: number): string {
  return join(home, 'policy', 'cache', `${digestOf(n)}.json`);
}

describe('createProgramCache', () => {
  test('gives a text back by its digest, also to another process', () => {
    const home = temporaryFolder();
    cacheIn(home).write(digestOf(1), 'text ü');
    expect(cacheIn(home).read(digestOf(1))).toBe('text ü');
    expect(cacheIn(home).read(digestOf(2))).toBeUndefined();
  });

  test('writes files that only their owner can read and leaves no others behind', () => {
    const home = temporaryFolder();
    cacheIn(home).write(digestOf(1), 'text');
    expect(readdirSync(join(home, 'policy', 'cache'))).toEqual([`${digestOf(1)}.json`]);
    expect(statSync(fileOf(home, 1)).mode & 0o777).toBe(0o600);
  });

  test('makes nothing when it is only read', () => {
    const home = temporaryFolder();
    expect(cacheIn(home).read(digestOf(1))).toBeUndefined();
    expect(existsSync(join(home, 'policy'))).toBe(false);
  });

  test('follows no link', () => {
    const home = temporaryFolder();
    cacheIn(home).write(digestOf(1), 'text');
    symlinkSync(fileOf(home, 1), fileOf(home, 2));
    expect(cacheIn(home).read(digestOf(2))).toBeUndefined();
  });

  test.each(['../../etc/passwd', '', 'ABC', 'g'.repeat(64)])('takes digest %j for a miss', (digest) => {
    const home = temporaryFolder();
    const cache = cacheIn(home);
    cache.write(digest, 'text');
    expect(cache.read(digest)).toBeUndefined();
    expect(existsSync(join(home, 'policy'))).toBe(false);
  });

  test('misses quietly where the state folder cannot be used', () => {
    const home = temporaryFolder({ policy: '' });
    const cache = cacheIn(home);
    cache.write(digestOf(1), 'text');
    expect(cache.read(digestOf(1))).toBeUndefined();
    expect(createProgramCache({}).read(digestOf(1))).toBeUndefined();
  });

  test('trusts no folder that others may write to', () => {
    const home = temporaryFolder();
    cacheIn(home).write(digestOf(1), 'text');
    Bun.spawnSync(['chmod', '777', join(home, 'policy', 'cache')]);
    expect(cacheIn(home).read(digestOf(1))).toBeUndefined();
  });

  test('keeps the sets that were used last within its count', () => {
    const home = temporaryFolder();
    const cache = cacheIn(home, { maxFiles: 2 });
    for (let n = 1; n <= 2; n++) {
      cache.write(digestOf(n), 'text');
      utimesSync(fileOf(home, n), n, n);
    }
    // Long unused, so reading marks it as used.
    cache.read(digestOf(1));
    cache.write(digestOf(3), 'text');
    expect([1, 2, 3].filter((n) => cache.read(digestOf(n)) !== undefined)).toEqual([1, 3]);
  });

  test('keeps within its total size', () => {
    const home = temporaryFolder();
    const cache = cacheIn(home, { maxBytes: 5_000 });
    cache.write(digestOf(1), 'x'.repeat(2_000));
    utimesSync(fileOf(home, 1), 1, 1);
    cache.write(digestOf(2), 'x'.repeat(4_000));
    expect(cache.read(digestOf(1))).toBeUndefined();
    expect(cache.read(digestOf(2))).toBeDefined();
  });

  test('sweeps up what a process left that died while it wrote', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'policy', 'cache'), { recursive: true, mode: 0o700 });
    for (const [name, seconds] of [
      ['old.tmp', 1],
      ['new.tmp', Date.now() / 1000],
    ] as const) {
      writeFileSync(join(home, 'policy', 'cache', name), '');
      utimesSync(join(home, 'policy', 'cache', name), seconds, seconds);
    }
    cacheIn(home).write(digestOf(1), 'text');
    expect(readdirSync(join(home, 'policy', 'cache')).sort()).toEqual([`${digestOf(1)}.json`, 'new.tmp']);
  });
});
