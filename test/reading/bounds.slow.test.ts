import { describe, expect, test } from 'bun:test';
import { withinProcessorTime } from '../support/processor-time.ts';
import { gapsIn, read } from './reads.ts';

/** Generous, because the machine may be slow; the aim is a fifth of it. */
const MAX_MS = 1_000;

function nested(open: string, close: string, depth: number, inner = 'rm x'): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

function each(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join('');
}

describe('readCommand with texts that are too much', () => {
  const N = 25_000;
  const BLANKS = ' '.repeat(N);
  const [STARS = '', SLASHES, COLONS, BRACKETS] = ['*', '/', ':', '['].map((sign) => sign.repeat(16_000));
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
    ['semicolons', ';'.repeat(250_000)],
    ['commands', 'a;'.repeat(100_000)],
    ['pipes', 'a|'.repeat(50_000)],
    ['newlines', 'a\n'.repeat(100_000)],
    ['here-documents that do not end', `a ${'<<E '.repeat(2_500)}\n`],
    ['words', 'a '.repeat(100_000)],
    ['assignments', 'a=b '.repeat(50_000)],
    ['quotations', '\'a\'"b"'.repeat(25_000)],
    ['flags that undo each other', `git push ${'--force --no-force '.repeat(5_000)}`],
    ['wrappers', `${'sudo '.repeat(5_000)}rm x`],
    ['python calls', `python -c '${'f('.repeat(12_500)}'`],
    ['python texts that double', `python -c '${'x=f"{x}{x}"\n'.repeat(3_000)}'`],
    ['python lists that double', `python -c 'x=["a"]\n${'x=x+x\n'.repeat(3_000)}'`],
    [
      'python loops over many values',
      `python -c 'for a in [${'"v",'.repeat(64)}]: pass\n${'os.system("rm "+a)\n'.repeat(300)}'`,
    ],
    ['blocks in blocks', `ruby -e '${'Dir["a"].each { |x| '.repeat(1_500)}'`],
    ['callbacks in callbacks', `node -e '${'["a"].map(x => '.repeat(1_500)}'`],
    ['texts of perl beside each other', `perl -e 'f(${'"a" '.repeat(3_750)})'`],
    ['lists and loops of perl', `perl -e '${'map { '.repeat(2_000)}'; perl -e 'f ${'for '.repeat(3_750)}'`],
    ['functions in functions', `node -e '${'x => '.repeat(9_000)}1'`],
    ['sums in sums', `python3 -c '${'('.repeat(200)}a${`)${'+a'.repeat(60)}`.repeat(200)}'`],
    ['lists in lists', `python3 -c 'x=[a]\n${'x=[x, a]\n'.repeat(2_000)}'`],
    ['patterns of fd that everything fits', `fd '${'.*'.repeat(40)}x' / -X rm`],
    ['blanks for vim', `vim -c '${BLANKS}x' -c 'sil${BLANKS}x'`],
    ['keys for vim', `vim -c '${'+'.repeat(N)}' -c '${'.+'.repeat(N / 2)}' -c '${'|norm x'.repeat(N / 7)}'`],
    ['texts that vim runs', `vim -c '${'|sil sil '.repeat(N / 9)}' -c '${'exe "'.repeat(N / 5)}'`],
    ['calls of vim', `vim -c '${'rename(writefile('.repeat(N / 20)}'`],
    ['blanks for ed and in AppleScript', `ed f <<< '${BLANKS}x'; osascript -e 'do shell script${BLANKS}x'`],
    ['blanks in lisp and clojure', `emacs --eval '(call-process${BLANKS}x'; bb -e '(sh${BLANKS}x'`],
    ['words of consoles', `lftp -c '${';get -'.repeat(N / 2)}'; fzf --bind '${'transform-g'.repeat(N / 4)}'`],
    ['SQL', `mysql -e '${'drop /*a*/ '.repeat(N / 4)}'; psql -c '${'/* drop table '.repeat(N / 4)}'`],
    ['quotes that are escaped in groovy', `groovy -e '${'"\\'.repeat(N / 2)}'`],
    ['parts of a makefile', `make --eval 'a=$(shell${BLANKS}('; make --eval 'x:;${'$(x)'.repeat(5_000)}'`],
    ['formats of python', `python3 -c 'x="%${'0'.repeat(N / 2)}" % a; x="${'%s'.repeat(7_500)}" % a'`],
    ['words that code is started with', `perl ${"-e 'unlink @ARGV' ".repeat(4_000)}${'a '.repeat(4_000)}`],
    ['parts of lists of python', `python3 -c 'x=sys.argv${'[0:]'.repeat(2_500)}' ${'a '.repeat(4_000)}`],
    ['folders of code', `python3 -c '${'os.chdir("a");'.repeat(4_000)}'`],
    [
      'files that find may come upon',
      `${'curl -o a.sh u;'.repeat(2_000)}${'find . -name x -exec sh {} +;'.repeat(2_000)}`,
    ],
    ['modules that load modules', `printf 'import b\\n%.0s' ${'x '.repeat(4_000)}> b.py; python3 -m b`],
    ['files that are written and read', `${'sort a > b; sort b > a;'.repeat(4_000)}`],
    ['outputs that are kept', `${'a=$(b "$a");'.repeat(2_000)}`],
    ['names that hide', `cat ${'.e*'.repeat(5_000)}`],
    ['names that ls is given', `${`ls ${'a '.repeat(1_000)}|xargs rm;`.repeat(30)}`],
    [
      'replaced texts that grow',
      `python3 -c 'x="${'a'.repeat(7_500)}".replace("a", "${'b'.repeat(7_500)}")'`,
    ],
    ['calls on a long text', `python3 -c 'x="${'A'.repeat(7_500)}"${'.lower()'.repeat(5_000)}'`],
    ['expressions in texts', `php -r 'x("${'$a['.repeat(5_000)}");'; ruby -e 'x "${'#{'.repeat(N / 4)}"'`],
    ['variables of awk', `awk 'BEGIN { ${'x = x x;'.repeat(3_000)} print | x }'`],
    ['quotes and assignments of awk', `awk 'BEGIN { ${'"='.repeat(N / 2)} }'; awk '${'"\\'.repeat(N)}'`],
    ['calls in the texts of awk', `awk '${'"y")system("\\"'.repeat(N / 4)}'`],
    ['blanks in gnuplot', `gnuplot -e 'system${BLANKS}x' -e '"<${'\t'.repeat(2 * N)}'`],
    ['switches and modes', `cmd /c 'rmdir /a${':/-/-'.repeat(N / 2)}" x'; chmod '2${',+w'.repeat(N)}\n' x`],
    ['digits and places in PowerShell', `pwsh -c '0x${'e'.repeat(2 * N)}_; "${'{0,'.repeat(N)}" -f 1'`],
    ['a class and names in PowerShell', `pwsh -c 'class a :${BLANKS}'; pwsh -c '"${'${a'.repeat(N)}"'`],
    ['comments of a here-document', `cat <<E\n$(${'#'.repeat(2 * N)}\nE`],
    ['letters of set and sh', `set -${'a'.repeat(2 * N)}_; sh -${'n'.repeat(2 * N)}o`],
    ['variables in a text of PowerShell', `pwsh -c '"${'$a='.repeat(N)}"'`],
    ['blanks before an interpreter', `printf '#!${BLANKS}${BLANKS}' > f; ./f`],
    ['commands of a console', `elixir -e '${'System.cmd("a", ['.repeat(2_500)}'`],
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
    ['configurations that include themselves', `cat > c <<'E'\n${'Include c\n'.repeat(2_000)}E\nssh -F c h`],
    ['files of a decoder', `printf 'rm x' | base64 -d ${'d '.repeat(7_500)}| sh`],
    ['braces that multiply', `echo ${'{a,b}'.repeat(40)}`],
    ['finds', `find ${'a '.repeat(2_000)} ${'-exec rm {} + '.repeat(2_000)}`],
    ['directories', 'cd a;'.repeat(5_000)],
    ['links', `${each(4_000, (index) => `ln -s a${index} b${index};`)}${'cat b1/c/d/e;'.repeat(4_000)}`],
    [
      'links that lead to each other',
      `${'ln -s a b; ln -s b a; ln -s a/b/c c;'.repeat(1_000)}${'cat a/b/c/d;'.repeat(4_000)}`,
    ],
    ['a link below many folders', `ln -s a b; ${`cat b${'/c'.repeat(2_000)};`.repeat(200)}`],
    ['files that are put into a folder', `cp ${'a '.repeat(10_000)}d`],
    ['sums', `echo $(( ${'1+'.repeat(5_000)}1 ))`],
    ['lines and starts of sed', `sed $'${'\\n'.repeat(16_000)}' f; sed '${';s%a'.repeat(3_000)}' f`],
    ['scripts of sed', `sed ${`-e '${'\n'.repeat(4_000)}' `.repeat(12)} f`],
    ['wildcards of find', `find . -name '${STARS}' -exec rm {} +; find . -name '${STARS}x' -delete`],
    ['stages of a pipeline', `a${' | sh'.repeat(5_000)}`],
    ['places for what xargs is given', `ls | xargs -I{} sh -c 'rm ${'{}'.repeat(5_000)}'`],
    ['unknown elements of a list', `a=(${'$x '.repeat(5_000)}); rm "\${a[*]}"`],
    ['braces that do not close', `echo ${'{'.repeat(250_000)}`],
    ['braces beside those that multiply', `echo {a,b}{1..5}${'{'.repeat(10_000)}`],
    ['blanks behind a program', `echo ${'\t'.repeat(250_000)}`],
    ['old sums that do not end', `echo ${'$['.repeat(125_000)}`],
    ['brackets of one word', `echo ${'[a-z]'.repeat(50_000)}`],
    ['stars in a pattern of python', `python3 -c 'for f in glob("${'*.'.repeat(7_500)}"): os.remove(f)'`],
    ['unknown words of a script', `eval ${'$x '.repeat(5_000)}`],
    ['actions in brackets of find', `find . ${'\\( '.repeat(2_500)} ${'-delete '.repeat(2_500)}`],
    ['letters of one flag', `az group delete -${'q'.repeat(225_000)}; git push -${'f'.repeat(N)}`],
    ['brackets of names', `find . -name '${BRACKETS}' -exec rm {} +; x='${BRACKETS}/]'; rm $x`],
    ['patterns that do not end', `node -e '${'[/'.repeat(8_000)}'`],
    ['formats of printf', `rm $(printf '%${'0'.repeat(16_000)}!') $(printf '${'\\n'.repeat(15_000)}x\\n')`],
    ['slashes of places', `x=$(dirname 'a${SLASHES}x'); rm $x; git clone 'h:${SLASHES}x'`],
    ['colons of places', `scp 'a${COLONS}! x' .; git fetch 'a${COLONS}!'; docker pull ${COLONS}`],
    [
      'fetched files that a wildcard runs',
      `${each(1_000, (n) => `curl -o f${n} URL;`)}${'sh *;'.repeat(1_000)}`,
    ],
    [
      'fetched files that wildcards put together',
      `${each(1_000, (n) => `curl -o f${n} URL;`)}${each(1_000, (n) => `cat * > g${n};`)}`,
    ],
    [
      'fetched folders that wildcards copy',
      each(1_000, (n) => `git clone https://h.example/r${n} d${n}; cp -r d* e${n};`),
    ],
    [
      'folders that are copied into each other',
      `echo a > d/f;${each(1_000, (n) => `cp -r . d; cp -r d e${n};`)}`,
    ],
    [
      'python loops that run many values',
      `python -c 'for a in [${'"v",'.repeat(40)}]: pass\n${'os.system("rm "+a)\n'.repeat(800)}'`,
    ],
    ['digits of a program', `${`${'1'.repeat(16_000)}x b;`.repeat(4)}`],
  ])('is done with %s in no time', (_, text) => {
    const { gaps, commands } = withinProcessorTime(MAX_MS, () => read(`${text}\nthe-end`));
    // Either it was read to its end or it says that it was not.
    expect(gaps.length > 0 || commands.some(({ name }) => name === 'the-end')).toBe(true);
  });

  test('reads four thousand paths, and says that there are more', () => {
    const few = read(`rm ${'x '.repeat(4_000)}`);
    expect(few.complete).toBe(true);
    expect(few.commands[0]?.effects).toHaveLength(4_000);
    const many = read(`rm ${'x '.repeat(10_000)}; rm y`);
    expect(many.commands).toHaveLength(1);
    expect(many.commands[0]?.effects).toHaveLength(4_000);
    expect(many.gaps.map(({ reason }) => reason)).toEqual(['too_many_steps']);
  });

  test('reads a thousand redirections, and says where there are more', () => {
    const few = read(`a ${'>x '.repeat(1_000)}`);
    expect(few.complete).toBe(true);
    expect(few.commands[0]?.redirections).toHaveLength(1_000);
    const many = read(`a ${'>x '.repeat(10_000)}`);
    expect(many.commands[0]?.redirections).toHaveLength(1_000);
    expect(many.gaps).toMatchObject([{ reason: 'too_many_steps', span: { start: 3_002, end: 3_004 } }]);
  });

  test('says why a part cannot be read behind any number of other gaps', () => {
    const others = Array.from({ length: 100 }, (_, index) => `$X${index}`).join(';');
    expect(gapsIn(`${others}; eval "$(tool)"`)).toContain('unknown_script');
    expect(gapsIn(`${others}; ${'a;'.repeat(4_000)}`)).toContain('too_many_steps');
    expect(gapsIn(`${others}; ${nested('echo $(', ')', 80)}`)).toContain('too_deep');
    expect(gapsIn(others)).toHaveLength(64);
  });

  test('says that not every file is followed that is loaded, nor every word that code is given', () => {
    expect(read(`${'. a;'.repeat(32)}. .env; env`).gaps.map(({ reason }) => reason)).toEqual([
      'too_many_steps',
    ]);
    const code = "python3 -c 'import sys, os; [os.system(a) for a in sys.argv[1:]]'";
    expect(read(`${code} ${'ls '.repeat(64)}`).gaps).toEqual([]);
    expect(read(`${code} ${'ls '.repeat(64)} rm`).gaps).not.toEqual([]);
  });

  test('reads long scripts and texts of the ordinary kind to their end', () => {
    const step = (n: number) =>
      `if [ -f "a${n}" ]; then cp "a${n}" "b/$D/${n}"; sed -i "s/x/$Y/" c${n} | grep -v q; fi\n`;
    expect(read(Array.from({ length: 400 }, (_, n) => step(n)).join('')).complete).toBe(true);
    expect(read(`cat > f <<'E'\n${'hello :( world of text\n'.repeat(3_000)}E`).complete).toBe(true);
  });

  test('counts the parentheses of a long text, those that close as well', () => {
    const text = (open: number, close: number) =>
      `echo '${`${'('.repeat(open)}${')'.repeat(close)}`.repeat(7)}'`;
    expect(read(text(2_000, 2_000)).complete).toBe(true);
    expect(read(text(2_000, 1_000)).gaps.map(({ reason }) => reason)).toEqual(['too_deep']);
  });

  test('says that it does not know which of too many files a wildcard runs', () => {
    const files = each(1_000, (n) => `curl -o f${n} URL;`);
    expect(read(`${files}sh *;`).gaps.map(({ reason }) => reason)).toEqual(['unknown_script']);
    expect(read(files + 'sh *;'.repeat(100)).gaps.map(({ reason }) => reason)).toContain('too_many_steps');
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

  test('names no place behind the end of a text that breaks off', () => {
    const text = 'rm ${ x \\';
    for (const { span } of read(text).commands) expect(span.end).toBeLessThanOrEqual(text.length);
  });

  test('reads sixty levels of scripts inside scripts', () => {
    const { commands, complete } = read(nested('echo $(', ')', 60));
    expect(complete).toBe(true);
    expect(commands.filter(({ name }) => name === 'rm')).toHaveLength(1);
  });
});
