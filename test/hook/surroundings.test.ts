import { describe, expect, test } from 'bun:test';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineSurroundings } from '../../src/hook/surroundings.ts';
import { OutOfTime, withTimeLimit } from '../../src/lib/time-limit.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('machineSurroundings', () => {
  test('knows absolute folders only', () => {
    const { home, workspace } = machineSurroundings({ HOME: '/home/me' }, '/work');
    expect([home, workspace]).toEqual(['/home/me', '/work']);
    const relative = machineSurroundings({ HOME: 'me' }, 'work');
    expect([relative.home, relative.workspace]).toEqual([undefined, undefined]);
    expect(machineSurroundings({ USERPROFILE: '/me' }, undefined).home).toBe('/me');
  });
});

describe('realPath', () => {
  function real(path: string): string {
    return machineSurroundings({}, undefined).realPath(path);
  }

  test('follows links to what is there, and to what is not there yet', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'a/file'), '');
    symlinkSync('a', join(folder, 'to-a'));
    symlinkSync(join(folder, 'a/file'), join(folder, 'to-file'));
    symlinkSync('a/b/../new', join(folder, 'to-new'));
    symlinkSync(join(folder, 'nowhere/deep'), join(folder, 'to-nowhere'));
    symlinkSync('to-new', join(folder, 'to-to-new'));
    const cases = {
      'to-file': 'a/file',
      'to-a/file': 'a/file',
      'to-a/b/new/x': 'a/b/new/x',
      'to-new': 'a/new',
      'to-to-new': 'a/new',
      'to-nowhere': 'nowhere/deep',
      'to-nowhere/x/y': 'nowhere/deep/x/y',
      'a/file/x': 'a/file/x',
      'plain/x': 'plain/x',
    };
    for (const [path, expected] of Object.entries(cases)) {
      expect([path, real(join(folder, path))]).toEqual([path, join(folder, expected)]);
    }
    expect(real('/')).toBe('/');
    expect(real('/nothing/here')).toBe('/nothing/here');
  });

  test('finds a link that was made since calls that arrived before', async () => {
    const path = join(temporaryFolder(), 'a');
    expect(real(path)).toBe(path);
    await new Promise(setImmediate);
    symlinkSync('b', path);
    expect(real(path)).toBe(join(path, '../b'));
  });

  test('comes back from links in a circle', () => {
    const folder = temporaryFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(real(join(folder, 'a/x'))).toStartWith(`${folder}/`);
  });

  test('follows the link behind any number of other paths', () => {
    const folder = temporaryFolder({ secret: '' });
    symlinkSync('secret', join(folder, 'link'));
    const { realPath } = machineSurroundings({}, undefined);
    for (let i = 0; i < 5_000; i++) realPath(join(folder, `f${i}`));
    expect(realPath(join(folder, 'link'))).toBe(join(folder, 'secret'));
  });

  test('takes paths of a megabyte, and what cannot be a path', () => {
    const long = '/a'.repeat(500_000);
    const inside = `${realpathSync(temporaryFolder())}/${'b/'.repeat(500_000)}c`;
    expect(withinProcessorTime(1_000, () => real(long))).toBe(long);
    expect(withinProcessorTime(1_000, () => real(inside))).toBe(inside);
    expect(real('/a\0b')).toBe('/a\0b');
  });

  test('ends when the time is over, and not before', () => {
    const { realPath } = machineSurroundings({}, undefined);
    expect(() =>
      withTimeLimit(
        () => true,
        () => realPath('/x'),
      ),
    ).toThrow(OutOfTime);
    expect(
      withTimeLimit(
        () => false,
        () => realPath('/x'),
      ),
    ).toBe('/x');
  });
});

describe('isThere', () => {
  test('says whether something is at a path, a link to nothing too', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a'));
    symlinkSync('nothing', join(folder, 'l'));
    const { isThere } = machineSurroundings({}, undefined);
    expect(['a', 'l', 'b', 'a/b', 'b/c'].map((name) => isThere?.(join(folder, name)))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('knownAs', () => {
  const at = (name: string) => join('/srv/nowhere', name);
  const home = at('home');

  function known(env: Readonly<Record<string, string>>, path: string, below = false): readonly string[] {
    return machineSurroundings({ HOME: home, ...env }, undefined).knownAs?.(path, below, false) ?? [];
  }

  test.each<[string, string, string, string]>([
    ['XDG_CONFIG_HOME', 'x', 'x/policy/a.yaml', '.config/policy/a.yaml'],
    ['XDG_STATE_HOME', 'x', 'x/policy/state.db', '.local/state/policy/state.db'],
    ['J_DATA_PATH', 'x', 'x/agent/hooks', '.jdata/agent/hooks'],
    ['GEMINI_CLI_HOME', 'x', 'x/.gemini/settings.json', '.gemini/settings.json'],
    ['GEMINI_CLI_TRUSTED_FOLDERS_PATH', 'x/t.json', 'x/t.json', '.gemini/trustedFolders.json'],
    ['PICOCLAW_HOME', 'x', 'x/auth.json', '.picoclaw/auth.json'],
    ['PICOCLAW_CONFIG', 'x/c.json', 'x/c.json', '.picoclaw/config.json'],
  ])('%s moves a place', (name, value, path, usual) => {
    expect(known({ [name]: at(value) }, at(path))).toEqual([join(home, usual)]);
    expect(known({ [name]: value }, at(path))).toEqual([]);
    expect(known({}, at(path))).toEqual([]);
    expect(known({ [name]: at(value) }, at('xy'))).toEqual([]);
  });

  test('names every place below a folder that is meant with all that is in it', () => {
    const env = { J_DATA_PATH: at('x/j'), PICOCLAW_HOME: at('x/p') };
    expect(known(env, at('x'))).toEqual([]);
    expect(known(env, at('x'), true).toSorted()).toEqual([join(home, '.jdata'), join(home, '.picoclaw')]);
    expect(known(env, '/', true)).toContain('/usr/local/bin/policy');
    expect(known(env, at('y'), true)).toEqual([]);
  });

  test('follows a link at a usual place back', () => {
    const there = realpathSync(temporaryFolder());
    mkdirSync(join(there, 'dotfiles'));
    symlinkSync('dotfiles', join(there, '.gemini'));
    expect(known({ HOME: there }, join(there, 'dotfiles/settings.json'))).toEqual([
      join(there, '.gemini/settings.json'),
    ]);
  });

  test('takes policies in force for policies, wherever they lie', () => {
    const files = new Set(['/srv/team/a.yaml', '/srv/team/b.yaml']);
    const { knownAs } = machineSurroundings({}, undefined, files);
    expect(knownAs?.('/srv/team/a.yaml', false, false)).toEqual(['/.policy/a.yaml']);
    expect(knownAs?.('/srv/team', false, false)).toEqual([]);
    expect(knownAs?.('/srv', true, false)).toEqual(['/.policy/a.yaml', '/.policy/b.yaml']);
  });
});
