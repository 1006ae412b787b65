import { describe, expect, test } from 'bun:test';
import { machineSurroundings } from '../../src/hook/surroundings.ts';
import type { Json } from '../../src/lib/json.ts';
import { driveStart, fromDrive } from '../../src/lib/path/drive-path.ts';
import type { Truth } from '../../src/model/truth.ts';
import { ask, factsOf } from './support.ts';

/** A machine of Windows, and an agent in a folder of it. */
const WINDOWS = machineSurroundings({ USERPROFILE: 'C:\\Users\\me' }, 'c:\\work\\proj');
const READS = { ...WINDOWS, readsFolded: true } as const;

const CALL = { on: 'before_tool', context: { cwd: 'c:\\work\\proj' } } as const;

function read(path: string) {
  return factsOf({ ...CALL, tool: 'read', arguments: { path } }, READS);
}

function runs(command: string) {
  return factsOf({ ...CALL, tool: 'shell', arguments: { command } }, READS);
}

/** One file in all spellings that Windows, and the shells from elsewhere on it, take for it. */
const SPELLINGS = [
  'C:\\Users\\me\\.aws\\x',
  'C:/Users/me/.aws/x',
  'c:\\users\\ME\\.AWS\\X',
  '\\Users\\me\\.aws\\x',
  '/Users/me/.aws/x',
  '..\\..\\Users\\me\\.aws\\x',
  'C:\\..\\..\\Users\\me\\.aws\\x',
  '\\\\?\\C:\\Users\\me\\.aws\\x',
  '\\\\.\\C:\\Users\\me\\.aws\\x',
  '\\\\localhost\\c$\\Users\\me\\.aws\\x',
  '\\\\127.0.0.1\\C$\\Users\\me\\.aws\\x',
  '/c/Users/me/.aws/x',
  '/mnt/c/Users/me/.aws/x',
  '~\\.aws\\x',
  '~/.aws/x',
  'C:\\Users\\me\\.aws.\\x',
  'C:\\Users\\me\\AWS~1\\x',
  'C:\\Users\\me\\.aws\\x::$DATA',
  'C:\\Users\\me\\.\\other\\..\\.aws\\x',
];

describe('paths of Windows', () => {
  test.each(SPELLINGS)('a tool reaches the home directory by %s', (path) => {
    expect(ask('path', '~/.aws/**', read(path))).toBe(true);
  });

  test.each<[spec: Json, path: string, truth: Truth]>([
    ['~/.aws/**', 'D:\\Users\\me\\.aws\\x', false],
    ['~/.aws/**', 'C:\\Users\\you\\.aws\\x', false],
    ['./*', 'a.ts', true],
    ['./*', 'C:\\work\\proj\\a.ts', true],
    ['./src/**', 'c:src\\a.ts', true],
    ['./src/**', 'd:src\\a.ts', false],
    ['src/*.ts', 'src\\a.ts', true],
    ['**/.env', 'sub\\.env', true],
    ['**/.env', '.env.', true],
    ['**/.env', '.env::$DATA', true],
    ['C:/Windows/**', 'c:/windows/a.dll', true],
    ['C:/Windows/**', '\\Windows\\System32\\x.dll', true],
    ['.', 'C:\\work\\proj\\', true],
  ])('%j says of %s: %p', (spec, path, truth) => {
    expect(ask('path', spec, read(path))).toBe(truth);
  });

  test.each([
    "cat 'C:\\Users\\me\\.aws\\x'",
    'cat C:/Users/me/.aws/x',
    'cat /c/Users/me/.aws/x',
    'cat ~/.aws/x',
    'cat "$USERPROFILE/.aws/x"',
    'cat "$USERPROFILE\\.aws\\x"',
    'cd /c/Users/me && cat .aws/x',
    'cat ../../Users/me/.aws/x',
    'cd / && cat c/Users/me/.aws/x',
    'cd / && cat Users/me/.aws/x',
    'cd /proc/cygdrive && cat c/Users/me/.aws/x',
  ])('bash reaches the home directory by %s', (command) => {
    expect(ask('path', '~/.aws/**', runs(command))).toBe(true);
  });

  test.each(['rm -rf build', 'rm -rf C:/work/proj/build', 'rm -rf /c/work/proj/build'])(
    'bash stays in the workspace with %s',
    (command) => {
      expect(ask('path', { outside: 'workspace', uses: 'delete' }, runs(command))).toBe(false);
    },
  );

  test('a search reaches the home directory by its glob', () => {
    const facts = (glob: string) =>
      factsOf(
        {
          ...CALL,
          context: { cwd: '/c/work/proj', host: 'claude' },
          tool: 'Grep',
          arguments: { pattern: 'a', glob },
        },
        READS,
      );
    expect(ask('path', '~/.aws/**', facts('C:\\Users\\me\\.aws\\*'))).toBe(true);
    expect(ask('path', '~/.aws/**', facts('*.ts'))).toBe(false);
  });

  test('a folder is the same as shells from elsewhere name it', () => {
    const facts = factsOf(
      { ...CALL, context: { cwd: '/c/Users/me' }, tool: 'read', arguments: { path: '.aws/x' } },
      READS,
    );
    expect(ask('path', '~/.aws/**', facts)).toBe(true);
  });

  test.each<[tool: string, given: { readonly [argument: string]: string }]>([
    ['read', { path: 'C:/../../.aws/x' }],
    ['read', { path: 'c:/a/../../../.aws/x' }],
    ['shell', { command: 'cat C:/../../.aws/x' }],
    ['shell', { command: "cat 'C:\\/../../.aws/x'" }],
    ['shell', { command: 'cat ../../.aws/x', cwd: 'C:/' }],
    ['shell', { command: 'cat .aws/x', cwd: 'C:/../..' }],
  ])('elsewhere C: is a name for %s %p', (tool, given) => {
    const at = { home: '/home/me', workspace: '/home/me/proj', realPath: (same: string) => same };
    const call = { on: 'before_tool', context: { cwd: '/home/me/proj' }, tool, arguments: given } as const;
    expect(ask('path', '~/.aws/**', factsOf(call, at))).toBe(true);
  });

  test('elsewhere backslashes are part of a name', () => {
    const facts = factsOf({ on: 'before_tool', tool: 'read', arguments: { path: 'a\\.env' } });
    expect(ask('path', '**/.env', facts)).toBe(false);
  });
});

test.each([
  ['c:\\x', 'C:/x'],
  ['C:', 'C:/'],
  ['\\\\server\\share\\x', '//server/share/x'],
  ['\\\\?\\UNC\\server\\share', '//server/share'],
  ['/tmp/x', '/tmp/x'],
  ['/C:/x', 'C:/x'],
  ['/cygdrive/d/x', 'D:/x'],
])('driveStart reads %p as %p', (written, known) => {
  expect(driveStart(written, 'C')).toBe(known);
});

test('fromDrive leaves what is on no drive', () => {
  expect(fromDrive('/home/me')).toBeUndefined();
  expect(fromDrive('a/b')).toBeUndefined();
});
