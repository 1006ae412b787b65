import { describe, expect, test } from 'bun:test';
import { does, runs } from './reads.ts';

describe('readCommand with find', () => {
  test.each([
    'find . -exec rm -rf {} \\;',
    "find . -name '*.o' -exec rm -rf {} +",
    'find . -execdir rm -rf {} ";"',
    'find . -ok rm -rf {} \\;',
    'find . -exec sh -c \'rm -rf "$1"\' _ {} \\;',
    'find . -exec sudo rm -rf {} \\;',
    'find . -type f -print0 | xargs -0 rm -rf',
    'find . | while read -r f; do rm -rf "$f"; done',
    'for f in $(find .); do rm -rf $f; done',
    'fd -x rm -rf',
    'fd pattern -X rm -rf',
    'fd -e o -x rm -rf',
    "fd -g '*.o' -x rm -rf",
    'busybox find . -exec rm -rf {} \\;',
    'find . -exec rm -rf {}',
  ])('sees the deletion in %p', (text) => {
    const removal = runs(text).find((line) => line.startsWith('rm -rf'));
    expect(removal).toMatch(/^rm -rf '?(?:\.\/|‹)/);
  });

  test.each([
    ['find . -delete', 'deletes /work and everything below'],
    ['find /srv -depth -delete', 'deletes /srv and everything below'],
    ['find /srv /opt -delete', 'deletes /opt and everything below'],
    ["find . -name '*.o' -delete", 'deletes what is named *.o below /work'],
    ['find ~/.ssh -type f', 'lists /home/me/.ssh and some of what is below'],
    ['find . -fprint out', 'writes /work/out'],
  ])('says that %p %s', (text, effect) => {
    expect(does(text)).toContain(effect);
  });

  test.each([
    ["find a -delete -name '*.o'", 'deletes /work/a and everything below'],
    ['find a -depth -delete -type f', 'deletes /work/a and everything below'],
    ['find a -mindepth 1 -maxdepth 2 -delete', 'deletes /work/a and everything below'],
    ['find a -name keep -prune -o -delete', 'deletes /work/a and everything below'],
    ["find a -name '*.o' , -delete", 'deletes /work/a and everything below'],
    ["find a -name '*.o' -delete -delete", 'deletes what is named *.o below /work/a'],
    ["find a -delete -name '*.o' -delete", 'deletes /work/a and everything below'],
    ['find a -type l -delete', 'deletes what is named ‹{}› below /work/a'],
    ['find a -xtype l -delete', 'deletes what is named ‹{}› below /work/a'],
    ['find a -type f,l -delete', 'deletes /work/a and some of what is below'],
    ['find a -type "$X" -delete', 'deletes /work/a and some of what is below'],
    ['find a ! -type l -delete', 'deletes /work/a and some of what is below'],
    ['find a -type f -delete', 'deletes /work/a and some of what is below'],
    ['find a ! -name keep -delete', 'deletes /work/a and some of what is below'],
    ['find a \\( -type f -o -type l \\) -delete', 'deletes /work/a and some of what is below'],
    ['find a -mtime 7 \\( -type f -o -type l \\) -delete', 'deletes what is named ‹{}› below /work/a'],
    ['find a \\( -name x -o -true \\) -delete', 'deletes /work/a and everything below'],
    ['find a \\( -name x -prune \\) -o -delete', 'deletes /work/a and everything below'],
    ['find a \\( -name x -o -name y \\) -delete', 'deletes what is named ‹{}› below /work/a'],
    ['gfind a -delete', 'deletes /work/a and everything below'],
    ['find a -type f -delete -o -name x -delete', 'deletes /work/a and some of what is below'],
    ['find a -name x -delete -o -type f -delete', 'deletes /work/a and some of what is below'],
    ['find a -name x -delete -o -name y -delete', 'deletes what is named ‹{}› below /work/a'],
    ['find a -name x -delete -o -name x -size 0 -delete', 'deletes what is named x below /work/a'],
    ['find a -type f -delete -o -delete', 'deletes /work/a and everything below'],
    ['find a ! \\( -name keep \\) -delete', 'deletes /work/a and some of what is below'],
    ['find a -not \\( -name x -o -name y \\) -delete', 'deletes /work/a and some of what is below'],
    ['find a ! ! -name x -delete', 'deletes what is named x below /work/a'],
    ['find a ! \\( -name x \\) -name y -delete', 'deletes what is named y below /work/a'],
    ['find a -name x \\( -delete \\)', 'deletes what is named x below /work/a'],
    ['find a -name x -o -name y -delete', 'deletes what is named y below /work/a'],
    ["find a -name '*' -delete", 'deletes /work/a and some of what is below'],
    ["find a -path './*' -delete", 'deletes /work/a and some of what is below'],
    ["find a -iwholename '*/*' -delete", 'deletes /work/a and some of what is below'],
    ["find a -regex '.*' -delete", 'deletes /work/a and some of what is below'],
    ["find a -regex '^\\./.+/.*$' -delete", 'deletes /work/a and some of what is below'],
    ["find a -name '.*' -delete", 'deletes what is named .* below /work/a'],
    ["find a -path '*/cache/*' -delete", 'deletes what is named cache/* below /work/a'],
    ["find . -path './.git/o*/*' -delete", 'deletes what is named .git/o*/* below /work'],
    ["find a -path '*.o' -delete", 'deletes what is named *.o below /work/a'],
    ["find a -regex '.*[.]o' -delete", 'deletes what is named ‹{}› below /work/a'],
  ])('takes only the tests in front of -delete for its own: %p %s', (text, effect) => {
    expect(does(text).filter((each) => each.startsWith('deletes'))).toEqual([effect]);
  });

  test('takes only the tests in front of a command for its own', () => {
    expect(runs("find . -exec rm {} + -name '*.o'")).toContain('rm ./**');
    expect(runs("find . -name '*.o' -exec rm {} +")).toContain('rm ./‹{}›/*.o');
  });

  test.each([
    'find . -name -delete',
    'find . -newer -exec',
    "find . -path '-delete' -print",
    'find . -exec echo -delete \\;',
    "find . -name 'x' -printf '-delete'",
  ])('sees no deletion in %p', (text) => {
    expect(does(text).filter((each) => each.startsWith('deletes'))).toEqual([]);
  });
});
