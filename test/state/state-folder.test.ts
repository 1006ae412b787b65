import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openStateFolder, openStateSubfolder, stateFolderPath } from '../../src/hook/state/state-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('stateFolderPath', () => {
  test.each([
    [{ XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/policy'],
    [{ HOME: '/h' }, '/h/.local/state/policy'],
    [{ XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/policy'],
    [{ XDG_STATE_HOME: 'relative', HOME: '/h' }, '/h/.local/state/policy'],
  ])('from %p gives %s', (env, expected) => {
    expect(stateFolderPath(env)).toBe(expected);
  });

  test.each([[{}], [{ HOME: '' }], [{ HOME: 'relative' }]])('from %p says what to set', (env) => {
    expect(() => stateFolderPath(env)).toThrow('set HOME or XDG_STATE_HOME');
  });
});

describe('openStateFolder', () => {
  test('makes the folder with mode 0700, parents included', () => {
    const home = join(temporaryFolder(), 'a', 'b');
    const folder = openStateFolder({ XDG_STATE_HOME: home });
    expect(folder).toBe(join(home, 'policy'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('takes a folder that is there, also one that others may read', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'policy'), { mode: 0o755 });
    expect(openStateFolder({ XDG_STATE_HOME: home })).toBe(join(home, 'policy'));
  });

  test.each([0o770, 0o707, 0o722])('refuses a folder with mode %o', (mode) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'policy'));
    chmodSync(join(home, 'policy'), mode);
    expect(() => openStateFolder({ XDG_STATE_HOME: home })).toThrow('others may write to it');
  });

  test.skipIf(process.getuid?.() !== 0)('refuses a folder of another user', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'policy'), { mode: 0o700 });
    chownSync(join(home, 'policy'), 12345, 12345);
    expect(() => openStateFolder({ XDG_STATE_HOME: home })).toThrow('it belongs to another user');
  });

  test('refuses a file, and a folder below a file', () => {
    const home = temporaryFolder({ policy: '' });
    expect(() => openStateFolder({ XDG_STATE_HOME: home })).toThrow('it is not a folder');
    expect(() => openStateFolder({ XDG_STATE_HOME: join(home, 'policy') })).toThrow(
      /Cannot (use|make) the state folder/,
    );
  });

  test('looks at what a link leads to', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'open'));
    chmodSync(join(home, 'open'), 0o777);
    symlinkSync(join(home, 'open'), join(home, 'policy'));
    expect(() => openStateFolder({ XDG_STATE_HOME: home })).toThrow('others may write to it');
  });
});

test('openStateSubfolder makes a folder inside with mode 0700', () => {
  const home = temporaryFolder();
  const folder = openStateSubfolder({ XDG_STATE_HOME: home }, 'cache');
  expect(existsSync(folder)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
