import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createSourceStore } from '../../src/hook/state/source-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const FILES = new Map([
  ['b.yaml', bytes('b')],
  ['deep/a.yaml', bytes('ä')],
]);

function storeIn(home: string) {
  return createSourceStore({ HOME: home });
}

function folderOf(home: string): string {
  return join(home, '.local/state/policy/sources');
}

describe('the store of sources', () => {
  test('gives back what it was given, by a digest that sha256sum tells too', () => {
    const home = temporaryFolder();
    const store = storeIn(home);
    const digest = store.keep(FILES);
    expect(digest).toBe(store.digestOf(FILES));
    const found = store.open(digest);
    if (typeof found === 'string') throw new Error(found);
    expect([...found.files]).toEqual([
      ['b.yaml', 'b'],
      ['deep/a.yaml', 'ä'],
    ]);
    const script = "find . -type f -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum";
    const told = execFileSync('sh', ['-c', script], { cwd: found.folder, encoding: 'utf8' });
    expect(`sha256:${told.slice(0, 64)}`).toBe(digest);
    expect(store.keep(new Map([...FILES].toReversed()))).toBe(digest);
  });

  test.each([
    ['sha256:none', 'missing'],
    [`sha256:${'0'.repeat(64)}`, 'missing'],
    ['sha256:../../../../etc', 'missing'],
  ] as const)('has nothing under %s', (digest, found) => {
    const store = storeIn(temporaryFolder());
    expect(store.open(digest)).toBe(found);
    store.keep(FILES);
    expect(store.open(digest)).toBe(found);
  });

  test.each<[string, (folder: string) => void]>([
    ['a changed file', (folder) => writeFileSync(join(folder, 'b.yaml'), 'c')],
    ['one file more', (folder) => writeFileSync(join(folder, 'c.yaml'), '')],
    ['one file less', (folder) => rmSync(join(folder, 'b.yaml'))],
    [
      'a link in the place of a file',
      (folder) => {
        writeFileSync(join(folder, '../b.yaml'), 'b');
        rmSync(join(folder, 'b.yaml'));
        symlinkSync('../b.yaml', join(folder, 'b.yaml'));
      },
    ],
    [
      'nothing',
      (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      },
    ],
  ])('is altered by %s, and mended by keeping it again', (_, alter) => {
    const home = temporaryFolder();
    const store = storeIn(home);
    const digest = store.keep(FILES);
    alter(join(folderOf(home), 'sha256', digest.slice('sha256:'.length)));
    expect(store.open(digest)).toBe('altered');
    expect(store.keep(FILES)).toBe(digest);
    expect(store.open(digest)).toBeObject();
    expect(readdirSync(folderOf(home))).toEqual(['sha256']);
  });

  test('keeps nothing in part, and sweeps up what died half way', () => {
    const home = temporaryFolder();
    const store = storeIn(home);
    const digest = store.keep(FILES);
    const half = join(folderOf(home), 'update-1-x');
    mkdirSync(half);
    utimesSync(half, 0, 0);
    const fresh = join(folderOf(home), 'update-2-y');
    mkdirSync(fresh);
    // A name that no file can have in the place of a folder: writing ends in the middle.
    const torn = new Map([...FILES, ['b.yaml/c.yaml', bytes('c')] as const]);
    expect(() => store.keep(torn)).toThrow('Cannot keep the files of a source');
    expect(store.open(store.digestOf(torn))).toBe('missing');
    expect(store.open(digest)).toBeObject();
    expect(readdirSync(folderOf(home)).sort()).toEqual(['sha256', 'update-2-y']);
  });

  test('is not used where others may write', () => {
    const home = temporaryFolder();
    const store = storeIn(home);
    const digest = store.keep(FILES);
    chmodSync(folderOf(home), 0o777);
    expect(() => store.open(digest)).toThrow('others may write to it');
  });

  test('of several processes that keep the same at once, all are served', async () => {
    const home = temporaryFolder();
    const script = `
      const { createSourceStore } = await import(${JSON.stringify(join(import.meta.dir, '../../src/hook/state/source-store.ts'))});
      const files = new Map(Array.from({ length: 200 }, (_, i) => [i + '.yaml', new TextEncoder().encode('x' + i)]));
      const store = createSourceStore({ HOME: ${JSON.stringify(home)} });
      const digest = store.keep(files);
      console.log(typeof store.open(digest) === 'object' ? digest : 'not whole');
    `;
    const runs = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' }),
    );
    const said = await Promise.all(runs.map((run) => new Response(run.stdout).text()));
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toStartWith('sha256:');
    expect(existsSync(folderOf(home)) && readdirSync(folderOf(home))).toEqual(['sha256']);
  });
});
