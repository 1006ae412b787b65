import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { load } from 'js-yaml';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { ArgumentCommand } from '../../../src/model/event.ts';
import { rewriteInput } from '../input.ts';
import { rewritten } from './command.ts';

const push = { subcommand: ['git', 'push'] };

/** The item, a command and what becomes of it; `same` if nothing does. */
const ALL = load(readFileSync(join(import.meta.dir, 'flags.yaml'), 'utf8')) as readonly (readonly [
  JsonObject,
  string,
  string,
])[];

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
      '! Cannot change flag "--force" of "git": it is not in the command word for word; write it plainly',
    );
  });

  test.each([
    'eval git push --force',
    'echo git push --force | sh',
    'bash <<E\ngit push --force $X\nE',
    'sh -c "git push --force $X"',
  ])('refuses %p: the flag stands in a text that is put together', (command) => {
    expect(rewritten('flags', [{ ...push, remove: ['--force'] }], command)).toBe(
      '! Cannot change flag "--force" of "git": it is in a text that is joined from parts before it runs; write it plainly',
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
      'Cannot add flag "-n" to "git": the subcommand is not in the command word for word; write it plainly',
    ],
    [
      { ...push, add: ['-n'] },
      'bash -c git\\ push',
      'Cannot add flag "-n" to "git": the subcommand is in a text that is joined from parts before it runs; write it plainly',
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
      'Cannot change flag "-f" of "rm": it is not in the command word for word; write it plainly',
    ],
    [
      { run: 'tar', rename: { '-f': '--file' } },
      'tar "-xf" a',
      'Cannot change flag "-f" of "tar": it is not in the command word for word; write it plainly',
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
    expect(() => apply({ ...push, remove: ['--force'] })).toThrow('its words come from several texts');
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
