import { describe, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { ArgumentCommand } from '../../../src/model/event.ts';
import { rewriteInput } from '../input.ts';
import { rewritten } from './command.ts';

const push = { subcommand: ['git', 'push'] };

/** The items, then commands and what becomes of them; `same` if nothing does. */
const CASES: readonly (readonly [JsonObject, readonly (readonly [string, string])[]])[] = [
  [
    { ...push, remove: ['--force'] },
    [
      ['git push --force', 'git push'],
      ['git push "--force"  origin', 'git push  origin'],
      ['git push -f origin; git push', 'git push origin; git push'],
      ['git push -uf origin', 'git push -u origin'],
      ['git push -fu origin', 'git push -u origin'],
      ['git push "-uf" origin', 'git push "-u" origin'],
      ['git push --force -f --force', 'git push'],
      ['git -C x push origin --force>log', 'git -C x push origin>log'],
      ['git push \\\n  --force \\\n  origin', 'git push \\\n  origin'],
      ["sh -c 'git push -f' && $(git push -f)", "sh -c 'git push' && $(git push)"],
      ['xargs git push -f', 'xargs git push'],
      ['git push --no-force --force --no-force', 'same'],
      ['git push -- --force', 'same'],
      ['git push $X "$@"', 'same'],
      ['git push --force-with-lease', 'same'],
      ['git fetch --force; hg push --force', 'same'],
    ],
  ],
  [
    { run: 'head', remove: ['-n', '-q'] },
    [
      ['head -n 5 x', 'head x'],
      ['head -n5 -v x', 'head -v x'],
      ['head -vn5 x', 'head -v x'],
      ['head -qvn \\\n 5 x', 'head -v x'],
      ['head -vqqv x', 'head -vv x'],
      ['head -qq -n "$N" x', 'head x'],
      ['head -vn"$N" x', 'head -v x'],
      ['head -n$N x', 'head x'],
      ['head -n "$(head -n 1 x)" y', 'head y'],
    ],
  ],
  [
    { run: ['rm', 'r*dir'], remove: ['-rf'] },
    [
      ['rm -rf x; rm -r x', 'rm x; rm -r x'],
      ['rmdir -rf x', 'rmdir x'],
    ],
  ],
  [{ run: '*', remove: ['--force'] }, [['sudo -n a --force; b --force c', 'sudo -n a; b c']]],
  [
    { ...push, rename: { '--force': '--force-with-lease' } },
    [
      ['git push --force x', 'git push --force-with-lease x'],
      ['git push --force=a x', 'git push --force-with-lease=a x'],
      ['git push -f; git push -uf x', 'git push --force-with-lease; git push -u --force-with-lease x'],
      ['git push -fu x', 'git push --force-with-lease -u x'],
      ['git push --force-with-lease', 'same'],
    ],
  ],
  [
    { ...push, rename: { '-f': '--force' } },
    [['git push -f; git push --force', 'git push --force; git push --force']],
  ],
  [
    { run: 'head', rename: { '-n': '--lines', '-q': '-v' } },
    [
      ['head -n 5 x', 'head --lines 5 x'],
      ['head -n5 x', 'head --lines=5 x'],
      ['head -zn5 x', 'head -z --lines=5 x'],
      ['head -zn"$N" x', 'head -z --lines="$N" x'],
      ['head -zn 5 x', 'head -z --lines 5 x'],
      ['head -n=5 x', 'head --lines=5 x'],
      ['head -zqq -q x', 'head -zvv -v x'],
    ],
  ],
  [
    { ...push, add: ['--dry-run'] },
    [
      ['git push', 'git push --dry-run'],
      ['git push origin main;git push', 'git push --dry-run origin main;git push --dry-run'],
      ['git -C x push -u origin', 'git -C x push --dry-run -u origin'],
      ['"git" \'push\' x', '"git" \'push\' --dry-run x'],
      ['git push --no-dry-run x', 'git push --no-dry-run --dry-run x'],
      ['git push -- --dry-run', 'git push --dry-run -- --dry-run'],
      ["sh -c 'git push'", "sh -c 'git push --dry-run'"],
      ['git push -n x; git push x --dry-run', 'same'],
      ['git pull', 'same'],
    ],
  ],
  [
    { subcommand: ['git', 'clone'], add: ['--depth=1'] },
    [
      ['git clone u', 'git clone --depth=1 u'],
      ['git clone --depth 5 u', 'git clone --depth 5 --depth=1 u'],
      ['git clone u --depth="$N"', 'git clone u --depth="$N" --depth=1'],
      ['git clone --depth $N u', 'git clone --depth $N --depth=1 u'],
      ['git clone --depth 5 --depth 1 u', 'same'],
    ],
  ],
  [
    { subcommand: ['git', 'clone'], remove: ['--depth'], add: ['--depth=1'] },
    [
      ['git clone u', 'git clone --depth=1 u'],
      ['git clone --depth 5 u', 'git clone --depth=1 u'],
      ['git clone u --depth=5 --depth 1', 'git clone u --depth 1'],
      ['git clone --depth=1 u', 'same'],
    ],
  ],
  [
    { subcommand: ['npm', ['ci', 'install']], add: ['--ignore-scripts', '--no-audit'] },
    [
      ['npm ci>log', 'npm ci --no-audit --ignore-scripts>log'],
      [
        'npm install --ignore-scripts=false x',
        'npm install --no-audit --ignore-scripts=false --ignore-scripts x',
      ],
      ['npm test', 'same'],
    ],
  ],
  [{ run: 'sudo', add: ['-n'] }, [['sudo -u me x -n', 'sudo -n -u me x -n']]],
];

const ALL = CASES.flatMap(([item, cases]) => cases.map(([from, to]) => [item, from, to] as const));

describe('flags', () => {
  test.each([...ALL])('%j of %p gives %p', (item, command, expected) => {
    const wanted = expected === 'same' ? command : expected;
    expect(rewritten('flags', [item], command)).toBe(wanted);
    expect(rewritten('flags', [item], wanted)).toBe(wanted);
  });

  test('carries out its items in order', () => {
    const items = [
      { ...push, rename: { '--force': '--force-with-lease' } },
      { run: 'git', remove: ['--force-with-lease'], add: ['--no-pager'] },
    ];
    expect(rewritten('flags', items, 'git push -f x')).toBe('git --no-pager push x');
  });

  test.each([
    'F=--force; git push $F',
    'F=--force; git push "$F"',
    'git push --"force"',
    'git push \\--force',
    'git push {--force,-u}',
    'git push --force{,=x}',
    'f() { git "$@"; }; f push --force',
    'for o in --force -u; do git push $o; done',
  ])('refuses %p: the flag does not stand there as it is', (command) => {
    expect(rewritten('flags', [{ ...push, remove: ['--force'] }], command)).toBe(
      '! Cannot change flag "--force" of "git": it does not stand in the command as it is; write it plainly',
    );
  });

  test.each([
    'eval git push --force',
    'echo git push --force | sh',
    'bash <<E\ngit push --force $X\nE',
    'sh -c "git push --force $X"',
  ])('refuses %p: the flag stands in a text that is put together', (command) => {
    expect(rewritten('flags', [{ ...push, remove: ['--force'] }], command)).toBe(
      '! Cannot change flag "--force" of "git": it stands in a text that is put together before it runs; write it plainly',
    );
  });

  test('changes flags in a here-document that a shell runs', () => {
    const command = "bash <<'E'\n git push  --force $X # --force\nE\n";
    expect(rewritten('flags', [{ ...push, remove: ['--force'] }], command)).toBe(
      "bash <<'E'\n git push $X # --force\nE\n",
    );
  });

  test.each<[JsonObject, string, string]>([
    [
      { ...push, add: ['-n'] },
      'f() { git "$@"; }; f push',
      'Cannot add flag "-n" to "git": the subcommand does not stand in the command as it is; write it plainly',
    ],
    [
      { ...push, add: ['-n'] },
      'bash -c git\\ push',
      'Cannot add flag "-n" to "git": the subcommand stands in a text that is put together before it runs; write it plainly',
    ],
    [
      { run: 'ls', add: ['-l'] },
      'bash -c ls',
      'Cannot add flag "-l": the command would not be read as wanted then',
    ],
    [
      { run: 'echo', add: ['-n'] },
      'echo x',
      'Cannot add flag "-n": the command would not be read as wanted then',
    ],
    [
      { run: 'rm', remove: ['-f'] },
      'rm -f$X y',
      'Cannot change flag "-f" of "rm": it does not stand in the command as it is; write it plainly',
    ],
    [
      { run: 'tar', rename: { '-f': '--file' } },
      'tar "-xf" a',
      'Cannot change flag "-f" of "tar": it does not stand in the command as it is; write it plainly',
    ],
    [
      { run: 'head', rename: { '--lines': '-n' } },
      'head --lines=5',
      'Cannot rename flag "--lines" to "-n": its value is joined to it by "="',
    ],
    [
      { ...push, remove: ['-f'] },
      "git push '",
      'Cannot look for program "git": the command cannot be read to its end; write it more simply',
    ],
    [
      { run: 'g*t', remove: ['-f'] },
      "git push '",
      'Cannot look for program "g*t": the command cannot be read to its end; write it more simply',
    ],
  ])('%j refuses %p', (item, command, message) => {
    expect(rewritten('flags', [item], command)).toBe(`! ${message}`);
  });
});

describe('flags of a command whose words stand apart', () => {
  test.each<[JsonObject, readonly ArgumentCommand[] | undefined]>([
    [{ command: ['git', 'push', '--force'] }, undefined],
    [{ command: 'git', args: ['push', '--force'] }, undefined],
    [
      { program: 'git', args: 'push --force' },
      [{ at: ['program'], words: [['args']], directories: [], uncertain: true }],
    ],
  ])('are refused: %j', (args, commands) => {
    const subject = { tool: 'what', arguments: args };
    const input = { ...rewriteInput('before_tool', subject), commands };
    const apply = (item: JsonObject) => rewriteForm('flags')?.apply([item], subject, input);
    expect(() => apply({ ...push, remove: ['--force'] })).toThrow('its words do not stand in one text');
    expect(apply({ ...push, remove: ['--quiet'] })).toBe(subject);
  });
});

describe('check of flags', () => {
  test.each<[JsonObject, readonly string[]]>([
    [{ run: 'a', remove: ['-x', '--long', '-rf'] }, []],
    [{ run: 'a', rename: { '-x': '-x', '-y': '--long' }, add: ['-x', '--a=b,c'] }, []],
    [{ remove: ['-x'] }, ['missing-key at 0']],
    [{ run: 'a' }, ['missing-key at 0']],
    [{ run: 'a', remove: ['-x', 'x', '--x=1'] }, ['bad-value at 0.remove.1', 'bad-value at 0.remove.2']],
    [{ run: 'a', rename: { '-x': '-y', '-y': '-z' } }, ['bad-value at 0.rename.-x']],
    [{ run: 'a', rename: { x: '-y' } }, ['bad-value at 0.rename.x']],
    [{ run: 'a', rename: { '-x': '--x=1' } }, ['bad-value at 0.rename.-x']],
    [{ run: 'a', add: ['--x=$Y'] }, ['bad-value at 0.add.0']],
    [{ run: 'a', add: ['-x', '--x y'] }, ['bad-value at 0.add.1']],
    [{ run: 'a', add: ['--'] }, ['bad-value at 0.add.0']],
  ])('of %j finds %j', (item, expected) => {
    const problems = rewriteForm('flags')?.check?.([item]) ?? [];
    expect(problems.map(({ code, path }) => `${code} at ${path.join('.')}`)).toEqual([...expected]);
  });

  test.each<[Json, boolean]>([
    [{ run: ['a', 'b*'], remove: ['-x'] }, true],
    [{ subcommand: ['a', ['b', 'c']], rename: { '-x': '--long' }, add: ['-x'] }, true],
    [{ subcommand: ['a'], remove: ['-x'] }, false],
    [{ run: 'a', remove: '-x' }, false],
    [{ run: 'a', other: 1 }, false],
  ])('%j is right: %p', (item, expected) => {
    expect(new Ajv2020().validate(rewriteForm('flags')?.schema ?? {}, [item])).toBe(expected);
  });
});
