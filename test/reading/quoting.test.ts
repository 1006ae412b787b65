import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { last, runs } from './reads.ts';

describe('readCommand with quoting', () => {
  test.each([
    ['rm -rf /srv', 'rm -rf /srv'],
    ['\\rm -rf /srv', 'rm -rf /srv'],
    ['r\\m -r\\f /srv', 'rm -rf /srv'],
    ["'rm' '-rf' '/srv'", 'rm -rf /srv'],
    ['"rm" "-rf" "/srv"', 'rm -rf /srv'],
    ['r""m -r\'\'f /s""rv', 'rm -rf /srv'],
    ['r"m" -"rf" /"s"rv', 'rm -rf /srv'],
    ["$'rm' $'-rf' $'/srv'", 'rm -rf /srv'],
    ["$'\\x72\\x6d' $'\\055rf' $'/s\\u0072v'", 'rm -rf /srv'],
    ['$"rm" -rf /srv', 'rm -rf /srv'],
    ['rm \\\n  -rf \\\n  /srv', 'rm -rf /srv'],
    ['r\\\nm -rf /srv', 'rm -rf /srv'],
    ['  rm\t-rf\t/srv  # and a comment', 'rm -rf /srv'],
    ['/bin/rm -rf /srv', '/bin/rm -rf /srv'],
    ['rm -rf "/srv/a b"', "rm -rf '/srv/a b'"],
    ['rm -rf /srv/a\\ b', "rm -rf '/srv/a b'"],
  ])('reads %p as %p', (text, line) => {
    expect(runs(text)).toEqual([line]);
  });

  test.each([
    ['/usr/local/bin/git status', 'git'],
    ['GIT.EXE status', 'git'],
    ['"C:\\tools\\git.exe" status', 'git'],
    ['./run.sh', 'run.sh'],
  ])('names the program of %p %p', (text, name) => {
    expect(last(text).name).toBe(name);
  });

  test('tells where a program stands, so that it can be rewritten', () => {
    const text = 'cd x && sudo "npm" install';
    const { programSpan } = last(text);
    expect(programSpan === undefined ? undefined : text.slice(programSpan.start, programSpan.end)).toBe(
      'npm',
    );
    expect(last("n''pm install").programSpan).toBeUndefined();
    expect(last('bash -c "npm install"').programSpan).toEqual({ start: 9, end: 12 });
  });

  /** Ways to write the same word. */
  const spelled = (word: string) =>
    fc
      .array(fc.constantFrom('bare', 'single', 'double', 'escaped', 'ansi', 'empty'), {
        minLength: word.length,
        maxLength: word.length,
      })
      .map((ways) => [...word].map((char, index) => spell(char, ways[index] ?? 'bare')).join(''));

  test('gives the same program and arguments however they are quoted', () => {
    const words = ['rm', '-rf', '/srv/data', 'a.txt', '--force=x'];
    fc.assert(
      fc.property(
        fc.tuple(...words.map(spelled)),
        fc.array(fc.constantFrom(' ', '\t', ' \\\n ', '  '), { minLength: 4, maxLength: 4 }),
        (spellings, gaps) => {
          const text = spellings.map((word, index) => word + (gaps[index] ?? '')).join('');
          expect(runs(text)).toEqual([words.join(' ')]);
        },
      ),
    );
  });
});

function spell(char: string, way: string): string {
  switch (way) {
    case 'single':
      return `'${char}'`;
    case 'double':
      return `"${char}"`;
    case 'escaped':
      return `\\${char}`;
    case 'ansi':
      return `$'\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}'`;
    case 'empty':
      return `""${char}''`;
    default:
      return char;
  }
}
