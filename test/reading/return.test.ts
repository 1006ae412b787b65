import { describe, expect, test } from 'bun:test';
import { showWord } from '../../src/reader/reading/word.ts';
import { read, runs } from './reads.ts';

describe('readCommand with functions that are left early', () => {
  test.each([
    'X=a; f() { if x; then X=b; return; fi; }; f; rm $X',
    'X=a; f() { x && { X=b; return 0; }; }; f; rm $X',
    'X=a; f() { case x in y) X=b; return;; esac; X=c; }; f; rm $X',
    'X=a; f() { for i in 1; do if x; then X=b; return; fi; done; }; f; rm $X',
    'X=a; f() { if x; then if y; then X=b; return; fi; fi; }; f; rm $X',
  ])('%j may keep what was set before that', (script) => {
    expect(runs(script)).toContain('rm b');
  });

  test.each([
    ['X=a; f() { if x; then X=b; return; fi; rm $X; }; f', ['rm a']],
    ['X=a; f() { if x; then X=b; exit; fi; }; f; rm $X', ['rm a']],
    ['X=a; f() { (X=b; return); }; f; rm $X', ['rm a']],
  ])('%j keeps nothing of it', (script, lines) => {
    expect(runs(script).filter((line) => line.startsWith('rm'))).toEqual(lines);
  });

  test.each([
    ['f() { if x; then cd /; return; fi; }; f; pwd; rm -rf a', '$PWD/a'],
    ['f() { cd b || return; rm a; }; f; rm -rf a', '/work/b/a'],
  ])('follows the directory of %j', (script, path) => {
    const paths = read(script).commands.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.type === 'path' ? [showWord(effect.path)] : [])),
    );
    expect(paths.at(-1)).toBe(path);
  });
});
