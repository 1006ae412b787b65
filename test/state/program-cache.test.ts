import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../../src/model/policy.ts';
import { createProgramCache } from '../../src/state/program-cache.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const temporaryFolder = temporaryFolders();

function programOf(digest: string, file = 'file'): Program {
  return { digest, rules: [], unmatchedDeny: [{ layer: 'user', file }], onErrorContinue: false };
}

function digestOf(n: number): string {
  return n.toString(16).padStart(64, '0');
}

function cacheIn(home: string, bounds: { maxFiles?: number; maxTotalBytes?: number } = {}, nowMs = Date.now) {
  return createProgramCache({ env: { XDG_STATE_HOME: home }, nowMs, ...bounds });
}

describe('createProgramCache', () => {
  test('gives a program back by its digest, also to another process', () => {
    const home = temporaryFolder();
    cacheIn(home).write(programOf(digestOf(1)));
    expect(cacheIn(home).read(digestOf(1))).toEqual(programOf(digestOf(1)));
    expect(cacheIn(home).read(digestOf(2))).toBeUndefined();
  });

  test('writes files that only their owner can read and leaves no others behind', () => {
    const home = temporaryFolder();
    cacheIn(home).write(programOf(digestOf(1)));
    const folder = join(home, 'policy', 'cache');
    expect(readdirSync(folder)).toEqual([`${digestOf(1)}.json`]);
    expect(statSync(join(folder, `${digestOf(1)}.json`)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['torn', '{"digest":"'],
    ['empty', ''],
    ['no object', '[]'],
    ['of another digest', JSON.stringify(programOf(digestOf(9)))],
    ['without rules', JSON.stringify({ digest: digestOf(1), unmatchedDeny: [], onErrorContinue: false })],
  ])('takes a file that is %s for a miss', (_what, text) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'policy', 'cache'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, 'policy', 'cache', `${digestOf(1)}.json`), text);
    expect(cacheIn(home).read(digestOf(1))).toBeUndefined();
  });

  test('follows no link', () => {
    const home = temporaryFolder();
    cacheIn(home).write(programOf(digestOf(1)));
    const folder = join(home, 'policy', 'cache');
    const elsewhere = join(home, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify(programOf(digestOf(2))));
    symlinkSync(elsewhere, join(folder, `${digestOf(2)}.json`));
    expect(cacheIn(home).read(digestOf(2))).toBeUndefined();
  });

  test.each(['../../etc/passwd', '', 'ABC', 'g'.repeat(64)])('takes digest %j for a miss', (digest) => {
    const home = temporaryFolder();
    const cache = cacheIn(home);
    cache.write(programOf(digest));
    expect(cache.read(digest)).toBeUndefined();
    expect(readdirSync(join(home, 'policy', 'cache'))).toEqual([]);
  });

  test('misses quietly where the state folder cannot be used', () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'policy'), '');
    const cache = cacheIn(home);
    cache.write(programOf(digestOf(1)));
    expect(cache.read(digestOf(1))).toBeUndefined();
    expect(createProgramCache({ env: {}, nowMs: Date.now }).read(digestOf(1))).toBeUndefined();
  });

  test('keeps the sets that were used last within its count', () => {
    const home = temporaryFolder();
    const cache = cacheIn(home, { maxFiles: 2 });
    for (let n = 1; n <= 2; n++) {
      cache.write(programOf(digestOf(n)));
      utimesSync(join(home, 'policy', 'cache', `${digestOf(n)}.json`), n, n);
    }
    // Long unused, so reading marks it as used.
    cache.read(digestOf(1));
    cache.write(programOf(digestOf(3)));
    expect(cache.read(digestOf(1))).toBeDefined();
    expect(cache.read(digestOf(2))).toBeUndefined();
    expect(cache.read(digestOf(3))).toBeDefined();
  });

  test('keeps within its total size', () => {
    const home = temporaryFolder();
    const cache = cacheIn(home, { maxTotalBytes: 5_000 });
    cache.write(programOf(digestOf(1), 'x'.repeat(2_000)));
    utimesSync(join(home, 'policy', 'cache', `${digestOf(1)}.json`), 1, 1);
    cache.write(programOf(digestOf(2), 'x'.repeat(4_000)));
    expect(cache.read(digestOf(1))).toBeUndefined();
    expect(cache.read(digestOf(2))).toBeDefined();
  });

  test('sweeps up what a process left that died while it wrote', () => {
    const home = temporaryFolder();
    const cache = cacheIn(home);
    cache.write(programOf(digestOf(1)));
    const folder = join(home, 'policy', 'cache');
    for (const [name, seconds] of [
      ['old', 1],
      ['new', Date.now() / 1000],
    ] as const) {
      writeFileSync(join(folder, `${name}.tmp`), '');
      utimesSync(join(folder, `${name}.tmp`), seconds, seconds);
    }
    cache.write(programOf(digestOf(2)));
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual(['new.tmp']);
  });
});
