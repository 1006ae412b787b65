import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StateError } from '../../src/hook/state/state-error.ts';
import { createTrustStore } from '../../src/hook/state/trust-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RECORD = { digest: 'd1', ruleDigests: ['r1', 'r2'] };

function storeIn(home: string) {
  return createTrustStore({ XDG_STATE_HOME: home });
}

/** The one file of the store. */
function fileIn(home: string): string {
  const folder = join(home, 'policy', 'trust');
  return join(folder, readdirSync(folder)[0] ?? '');
}

describe('createTrustStore', () => {
  test('knows what was recorded for a project, and for that project only', () => {
    const home = temporaryFolder();
    storeIn(home).record('/projects/a', RECORD);
    expect(storeIn(home).trusted('/projects/a')).toEqual(RECORD);
    expect(storeIn(home).trusted('/projects/a/b')).toBeUndefined();
    expect(storeIn(home).trusted('/projects')).toBeUndefined();
  });

  test('replaces a record', () => {
    const home = temporaryFolder();
    storeIn(home).record('/p', RECORD);
    storeIn(home).record('/p', { digest: 'd2', ruleDigests: [] });
    expect(storeIn(home).trusted('/p')).toEqual({ digest: 'd2', ruleDigests: [] });
  });

  test('takes trust back', () => {
    const home = temporaryFolder();
    const store = storeIn(home);
    store.record('/p', RECORD);
    expect(store.revoke('/p')).toBe(true);
    expect(store.trusted('/p')).toBeUndefined();
    expect(store.revoke('/p')).toBe(false);
  });

  test('makes nothing when it is only asked, and works without a home', () => {
    const home = temporaryFolder();
    expect(storeIn(home).trusted('/p')).toBeUndefined();
    expect(storeIn(home).revoke('/p')).toBe(false);
    expect(existsSync(join(home, 'policy'))).toBe(false);
    expect(createTrustStore({}).trusted('/p')).toBeUndefined();
    expect(() => createTrustStore({}).record('/p', RECORD)).toThrow(StateError);
  });

  test('writes files that only their owner can read', () => {
    const home = temporaryFolder();
    storeIn(home).record('/p', RECORD);
    expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['torn', '{"version":1,'],
    ['empty', ''],
    ['of another version', JSON.stringify({ version: 2, root: '/p', digest: 'd', rule_digests: [] })],
    ['of another project', JSON.stringify({ version: 1, root: '/q', digest: 'd', rule_digests: [] })],
    ['without digests', JSON.stringify({ version: 1, root: '/p', digest: 'd' })],
    ['with odd digests', JSON.stringify({ version: 1, root: '/p', digest: 'd', rule_digests: [1] })],
  ])('cannot tell if its file is %s, and says so', (_what, text) => {
    const home = temporaryFolder();
    storeIn(home).record('/p', RECORD);
    writeFileSync(fileIn(home), text);
    expect(() => storeIn(home).trusted('/p')).toThrow(StateError);
    expect(() => storeIn(home).trusted('/p')).toThrow('Cannot read the trust in "/p"');
  });

  test('cannot tell if others may write to its folder', () => {
    const home = temporaryFolder();
    storeIn(home).record('/p', RECORD);
    chmodSync(join(home, 'policy'), 0o777);
    expect(() => storeIn(home).trusted('/p')).toThrow('others may write to it');
  });
});
