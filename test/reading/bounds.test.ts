import { describe, expect, test } from 'bun:test';
import { read } from './reads.ts';

/** Generous, because the machine may be busy; the aim is a fifth of it. */
const MAX_MS = 1_000;

function nested(open: string, close: string, depth: number, inner = 'rm x'): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

describe('readCommand with texts that are too much', () => {
  const N = 100_000;
  test.each<[string, string]>([
    ['nested substitutions', 'echo $('.repeat(N)],
    ['nested substitutions that close', nested('echo $(', ')', N)],
    ['nested substitutions in quotes', '"$('.repeat(N)],
    ['nested parameters', '${a:-'.repeat(N)],
    ['nested arithmetic', '$(('.repeat(N)],
    ['nested process substitutions', '<('.repeat(N)],
    ['nested groups', '{ '.repeat(N)],
    ['nested subshells', '( '.repeat(N)],
    ['nested conditionals', 'if a; then '.repeat(N / 2)],
    ['nested extended globs', '@('.repeat(N)],
    ['nested braces', '{a,'.repeat(N)],
    ['function after function', 'f() '.repeat(N)],
    ['coproc after coproc', 'coproc '.repeat(N)],
    ['backticks', '`'.repeat(N)],
    ['semicolons', ';'.repeat(1_000_000)],
    ['commands', 'a;'.repeat(400_000)],
    ['pipes', 'a|'.repeat(200_000)],
    ['newlines', 'a\n'.repeat(400_000)],
    ['here-documents that do not end', `a ${'<<E '.repeat(10_000)}\n`],
    ['words', 'a '.repeat(400_000)],
    ['assignments', 'a=b '.repeat(200_000)],
    ['quotations', '\'a\'"b"'.repeat(100_000)],
    ['bundled flags that may undo others', `git push -${'f'.repeat(N)}`],
    ['flags that undo each other', `git push ${'--force --no-force '.repeat(20_000)}`],
    ['wrappers', `${'sudo '.repeat(20_000)}rm x`],
    ['python calls', `python -c '${'f('.repeat(50_000)}'`],
    [
      'functions that call two',
      `${Array.from({ length: 40 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; };`).join('')} f0`,
    ],
    ['a script that evaluates itself', 'x=\'eval "$x"; eval "$x"\'; eval "$x"'],
    ['a function that calls itself', 'f() { f | f & }; f'],
    [
      'a variable that doubles',
      `a0=x;${Array.from({ length: 64 }, (_, i) => `a${i + 1}=$a${i}$a${i};`).join('')}$a64`,
    ],
    [
      'values that multiply',
      `${Array.from({ length: 20 }, (_, i) => `if x; then v${i}=1; else v${i}=2; fi;`).join('')} echo ${Array.from({ length: 20 }, (_, i) => `$v${i}`).join(' ')}`,
    ],
    ['braces that multiply', `echo ${'{a,b}'.repeat(40)}`],
    ['finds', `find ${'a '.repeat(2_000)} ${'-exec rm {} + '.repeat(2_000)}`],
    ['directories', 'cd a;'.repeat(20_000)],
    ['sums', `echo $(( ${'1+'.repeat(20_000)}1 ))`],
    ['lines of sed', `sed $'${'\\n'.repeat(64_000)}' f`],
    ['scripts of sed', `sed ${`-e '${'\n'.repeat(4_000)}' `.repeat(12)} f`],
    ['starts of sed', `sed '${';s%a'.repeat(12_000)}' f`],
    ['wildcards of find', `find . -name '${'*'.repeat(64_000)}' -exec rm {} +`],
    ['brackets of find', `find . -name '${'['.repeat(64_000)}' -exec rm {} +`],
    ['brackets that do not close', `x='${'['.repeat(64_000)}/]'; rm $x`],
    ['patterns that do not end', `node -e '${'[/'.repeat(32_000)}'`],
    ['zeros of printf', `x=$(printf '%${'0'.repeat(64_000)}!'); rm $x`],
    ['lines of output', `x=$(printf '${'\\n'.repeat(60_000)}x\\n'); rm $x`],
    ['slashes of a folder', `x=$(dirname 'a${'/'.repeat(64_000)}x'); rm $x`],
    ['slashes of a repository', `git clone 'h:${'/'.repeat(64_000)}x'`],
    ['digits of a program', `${`${'1'.repeat(64_000)}x b;`.repeat(4)}`],
  ])('is done with %s in no time', (_, text) => {
    const start = performance.now();
    const { gaps, commands } = read(text);
    expect(performance.now() - start).toBeLessThan(MAX_MS);
    // Either it was read to its end or it says that it was not.
    expect(gaps.length > 0 || commands.length < 10_000).toBe(true);
  });

  test('reads ten thousand redirections', () => {
    const { commands, complete } = read(`a ${'>x '.repeat(10_000)}`);
    expect(complete).toBe(true);
    expect(commands[0]?.redirections).toHaveLength(10_000);
  });

  test.each<[string, string]>([
    ['too_long', 'a'.repeat(1_048_577)],
    ['too_many_steps', 'a;'.repeat(100_000)],
    ['too_many_steps', `a ${'b '.repeat(100_000)}`],
    ['too_many_steps', 'a=b '.repeat(100_000)],
    ['too_deep', nested('echo $(', ')', 80)],
    ['too_deep', `${'sudo '.repeat(100)}rm x`],
    ['syntax', "rm x 'y"],
    ['syntax', 'echo $(rm x'],
    ['syntax', 'rm ('],
    ['syntax', 'rm ( x'],
    ['syntax', 'rm \\\n( x'],
    ['syntax', 'sh -c "rm ( x"'],
    ['syntax', 'if true; then rm x'],
  ])('says %s', (reason, text) => {
    const { complete, gaps } = read(text);
    expect(complete).toBe(false);
    expect(gaps.map((gap) => gap.reason)).toContain(reason as never);
  });

  test('reads what it can of a text that does not parse', () => {
    expect(read("rm -rf /srv 'unterminated").commands[0]?.name).toBe('rm');
    expect(read('rm x; fi').commands[0]?.name).toBe('rm');
  });

  test('reads sixty levels of scripts inside scripts', () => {
    const { commands, complete } = read(nested('echo $(', ')', 60));
    expect(complete).toBe(true);
    expect(commands.filter(({ name }) => name === 'rm')).toHaveLength(1);
  });
});
