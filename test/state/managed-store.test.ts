import { expect, test } from 'bun:test';
import { existsSync, utimesSync } from 'node:fs';
import { withManagedStore } from '../../src/tools/cli/sync/managed-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LONG_AGO = new Date(Date.now() - 7 * 24 * 60 * 60 * 1_000);

test('a tree that was in force until now is kept for hooks that have just read its name, and goes later', async () => {
  await withManagedStore(temporaryFolder(), async (store) => {
    const [before = '', current = ''] = ['a', 'b'].map((text) =>
      store.keep(new Map([['a.yaml', new TextEncoder().encode(text)]])),
    );
    utimesSync(before, LONG_AGO, LONG_AGO);
    store.prune(current, before);
    expect([existsSync(before), existsSync(current)]).toEqual([true, true]);
    utimesSync(before, LONG_AGO, LONG_AGO);
    store.prune(current, current);
    expect([existsSync(before), existsSync(current)]).toEqual([false, true]);
  });
});
