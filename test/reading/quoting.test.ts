import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { showWord } from '../../src/reader/reading/word.ts';
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
    ['GIT status', 'git'],
    ['R script', 'R'],
    ['MyTool', 'MyTool'],
    ['git\r', 'git'],
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

  test.each([
    'X=npm; "$X" install',
    'X=npm; $X install',
    '~/bin/npm install',
    "$'npm' install",
    'X=x; bash -c "$X; npm install"',
    'bash -c "$X; npm install"',
    'bash -c "\\"a\\"; npm install"',
  ])('says of %p that its program stands nowhere as it is', (text) => {
    expect(last(text).name).toBe('npm');
    expect(last(text).programSpan).toBeUndefined();
  });

  test('takes carriage returns at the ends of lines for blanks, and keeps places', () => {
    const text = 'cd x\r\nrm "a" b\r\n';
    const command = last(text);
    expect(command.args.map(showWord)).toEqual(['a', 'b']);
    expect(command.argPlaces.map(({ span }) => text.slice(span.start, span.end))).toEqual(['"a"', 'b']);
  });

  test('says where an argument stands only where it stands as it is', () => {
    const places = last('X=a; rm "$X" ~/b "c" d*').argPlaces.map(({ at }) => at);
    expect(places).toEqual([undefined, undefined, 18, undefined]);
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
