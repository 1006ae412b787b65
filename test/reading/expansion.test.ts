import { describe, expect, test } from 'bun:test';
import { knownText } from '../../src/reader/reading/word.ts';
import { gapsIn, last, runs } from './reads.ts';

describe('readCommand with variables', () => {
  test.each([
    ['R=rm; $R -rf x', ['rm -rf x']],
    ['A=r B=m; $A$B x', ['rm x']],
    ['A=rm; B=$A; "$B" x', ['rm x']],
    ['C="rm -rf x"; $C', ['rm -rf x']],
    ['C="rm -rf x"; "$C"', ["'rm -rf x'"]],
    ['export R=rm; $R x', ['export R=rm', 'rm x']],
    ['declare -x R=rm; $R x', ['declare -x R=rm', 'rm x']],
    ['readonly R=rm; $R x', ['readonly R=rm', 'rm x']],
    ['R=r; R+=m; $R x', ['rm x']],
    ['R=; rm -rf $R/', ['rm -rf /']],
    ['R=x; unset R; rm -rf "$R/"', ['unset R', 'rm -rf /']],
    ['R=(rm -rf x); "${R[@]}"', ['rm -rf x']],
    ['R=([0]=a [1]=b); rm "${R[@]}" "${R[1]}"', ['rm ‹R[@]› ‹${R[1]}›']],
    ['R=(a b); R[1]=c; rm "${R[@]}"', ['rm ‹R[@]›']],
    ['R=(rm -rf x); ${R[0]} ${R[2]}', ['rm x']],
    ['R=(rm); R+=(x); "${R[@]}"', ['rm x']],
    ['set -- rm x; "$@"', ['set -- rm x', 'rm x']],
    ['set -- a b; shift; rm $1', ['set -- a b', 'shift', 'rm b']],
    ['read -r P <<< "rm"; $P x', ["read -r P <<< 'rm⏎'", 'rm x']],
    ['printf -v P %s rm; $P x', ['printf -v P %s rm', 'rm x']],
    ['r$@m x', ['rm x']],
    ['IFS=,; X=rm,-rf,x; $X', ['rm -rf x']],
    ['rm${IFS}-rf${IFS}x', ['rm -rf x']],
    ['X=1 rm $X', ['rm ‹$X›']],
  ])('reads %p as %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
  });

  test.each([
    ['X=abc; rm ${X:-y}', ['rm abc']],
    ['X=; rm ${X:-y} ${X-z}', ['rm y']],
    ['unset X; rm ${X-z}', ['unset X', 'rm z']],
    ['X=abc; rm ${X:+y}', ['rm y']],
    ['unset X; : ${X:=y}; rm $X', ['unset X', ': y', 'rm y']],
    ['X=a.tar.gz; rm ${X%.gz} ${X%%.*} ${X#*.} ${X##*.}', ['rm a.tar a tar.gz gz']],
    ['X=aXbXc; rm ${X/X/-} ${X//X/-} ${X/#a/-} ${X/%c/-}', ['rm a-bXc a-b-c -XbXc aXbX-']],
    ['X=abc; rm ${X:1:2} ${X^^} ${#X} ${!X}', ["rm ‹${X:1:2}› ‹${X^^}› '‹${#X}›' ‹${!X}›"]],
    ['set -- x rm y; "${@:2}"', ['set -- x rm y', 'rm y']],
    ['rm $((1+2*3)) $((x=2)) $x', ["rm '‹$((1+2*3))›' '‹$((x=2))›' ‹$x›"]],
    ['rm {a,b}.txt', ['rm a.txt b.txt']],
    ['rm {1..3} {c..a} {01..03..2}', ['rm 1 2 3 c b a 01 03']],
    ['{rm,-rf,x}', ['rm -rf x']],
    ['rm {a,{b,c}d}{1,2}', ['rm a1 a2 bd1 bd2 cd1 cd2']],
    ['rm "{a,b}" \\{a,b} {a} x{a,b', ['rm {a,b} {a,b} {a} x{a,b']],
    ["rm a{'b c',d}e", ["rm 'ab ce' ade"]],
    ['rm ~/x "~/x" ~', ['rm /home/me/x ~/x /home/me']],
    ['dd of=~/x --of=~/x "of=~/x" 1=~/x', ['dd of=/home/me/x --of=~/x of=~/x 1=~/x']],
    ['rm $HOME/x ${HOME}/y "$PWD"/z', ['rm /home/me/x /home/me/y /work/z']],
    ['rm *.txt ?[ab].c', ['rm *.txt ?[ab].c']],
  ])('expands %p to %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
  });

  const TILDES = '""~/x ~""/x "~"/x \\~/x ~ ~/x ~"/x" ~/"x" x~/y ~\\/x ~\\x ~:~/x ~/x:~/y b:~/x ~/${H=z} ~+/x'
    .concat(' a=~/x a=a~/x a=b:~/x a=b:~ a=:~/x a+=~/x b=c=~/x a=b\\:~/x a=b":"~/x a="b":~/x "a"=~/x a\\=~/x')
    .concat(' a=\\~/x a=~\\/x a=~/x${H=z} a=""~/x --opt=~/x 1=~/x ~/a\\ b ~\\\n/x a=\\\n~/x')
    .split(/(?<!\\) /);
  const PLACES = [
    'show WORD',
    'v=WORD; show "$v"',
    'export v=1; v+=WORD; show "$v"',
    'set -- WORD; show "$1"',
  ];
  const DEFAULTS = ['~/"x"', '~/x', '""~/x', '~:x'].map((word) => `show \${q:-${word}}`);

  test('takes a tilde for a folder where bash does', () => {
    const texts = [
      ...PLACES.flatMap((place) => TILDES.map((word) => place.replace('WORD', word))),
      ...DEFAULTS,
    ];
    const script = [
      'show() { printf \'%s\' "$1"; }; cd /usr',
      ...texts.map((text) => `(${text}); echo`),
    ].join('\n');
    const { stdout } = Bun.spawnSync(['bash', '-c', script], {
      env: { HOME: '/home/me', PATH: '/usr/bin:/bin' },
    });
    const read = texts.map(
      (text) => knownText(last(text, { home: '/home/me', cwd: '/usr' }).args[0] ?? []) ?? '?',
    );
    expect(read.map((each, at) => `${texts[at]}: ${each}`)).toEqual(
      stdout
        .toString()
        .trimEnd()
        .split('\n')
        .map((each, at) => `${texts[at]}: ${each}`),
    );
  });

  test('reads a default beside a variable that comes from outside', () => {
    expect(runs('rm ${DIR:-/srv}')).toEqual(['rm ‹${DIR:-/srv}›', 'rm /srv']);
  });

  test('takes what the environment is known to have', () => {
    const context = { home: '/home/me', cwd: '/work', env: { DIR: '/data' } };
    expect(runs('rm $DIR ${DIR:-x} $OTHER', context)).toEqual(['rm /data /data ‹$OTHER›']);
  });

  test('keeps the name of a variable that comes from outside', () => {
    const [word] = last('rm "$TMPDIR/x"').args;
    expect(word?.[0]).toMatchObject({ type: 'unknown', variable: 'TMPDIR', splits: false });
    expect(word?.[1]).toEqual({ type: 'text', text: '/x' });
  });

  test('says that words may follow only where an expansion has no quotes', () => {
    expect(last('rm $X').openEnded).toBe(true);
    expect(last('rm "$X"').openEnded).toBe(false);
  });

  test.each(['$CMD x', '"$CMD" x', '${CMD[1]} x', 'r${x}m x', '/bin/r? x', '`tool` x'])(
    'says that the program of %p is not known',
    (text) => {
      expect(gapsIn(text)).toEqual(['unknown_program']);
    },
  );

  test('reads what follows a program that may be nothing', () => {
    expect(runs('$SUDO rm x')).toEqual(['‹$SUDO› rm x', 'rm x']);
    expect(runs('"$SUDO" rm x')).toHaveLength(1);
  });

  test.each([
    'declare -n r=x; x=rm; $r y',
    'x=ls; declare -n r=x; r=rm; $x y',
    'f() { local -n r=$1; r=rm; }; f x; $x y',
  ])('does not follow a reference to another variable: %s', (text) => {
    expect(gapsIn(text)).not.toEqual([]);
  });
});
