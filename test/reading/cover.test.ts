import { describe, expect, test } from 'bun:test';
import { isDetermined, showWord } from '../../src/reader/reading/word.ts';
import { gapsIn, read, runs } from './reads.ts';

describe('readCommand with substitutions wherever a shell expands words', () => {
  test.each([
    'x=[$(rm a)]',
    'export x=[$(rm a)]',
    '[[ a[$(rm a)] ]]',
    'case [$(rm a)] in x) ;; esac',
    'case x in [$(rm a)]) ;; esac',
    'echo > f[$(rm a)]',
    'cat <<< [$(rm a)]',
    'echo ${x#[$(rm a)]}',
    'echo ${x^^$(rm a)}',
    'echo ${x/$(rm a)/y}',
    'echo ${x/"$(cd /; rm a)"/y}',
    'x=$${q[$(rm a)]}',
    'echo {1..300}$(rm a)',
    'echo {a,b}$(echo $(rm a))',
    'echo {a,[$(rm a)]}',
    'echo {a,[<(rm a)]}',
    'echo {a,[`rm a`]}{b,c}',
    'echo "${x:-\'$(rm a)\'}"',
    'y=(["$(rm a)"]=1)',
    'x=([1]=<(rm a))',
  ])('reads what runs in %p', (text) => {
    expect(runs(text)).toContain('rm a');
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    'f() { rm a; }; export -f f; bash -c f',
    'f() { ls; }; export -f f; f() { rm a; }; bash -c f',
    "${BASH_VERSION:+eval 'rm a'}",
    'set -a; f() { rm a; }; bash -c f',
    "echo 'eval \"$1\"' > x.sh; . ./x.sh 'rm a'",
    "x=:; unset x; eval ${x:-'r\\\nm a'}",
    'exec < f; echo rm a | { read -r x; $x; }',
    'echo rm a > x.sh; { exec < f; } < g; bash < x.sh',
    "command_not_found_handle() { IFS=Z; }; no-such-program; x='rm a'; $x",
    "$0 -c 'rm a'",
    'f=*x.sh; printf %s \'rm a\' > "$f"; source "$f"',
    '. ""<(echo \'rm a\')',
    '{bash,${u:--c},"rm a"}',
    "printf '%s\\0' ': '\"$u\"'; printf \"rm a\" > x.sh; . ./x.sh' | { read -r -d '' x; eval \"$x\"; }",
    'eval "$(printf \'r\\0m a\')"',
    "printf 'rm a' > x; printf ls > y; ln -s y x; bash x",
    "echo ls > x.sh; echo 'rm a' >> x.sh*; . ./x.sh",
    'trap clean EXIT; clean() { rm a; }',
    "printf 'rm a' > x?.sh; bash *.sh",
    "x=ls; trap '$x' EXIT; x='rm a'",
    "trap 'exit 1' INT; rm a",
    "f() { rm a; }; trap 'f() { :; }' RETURN; f",
    '$BASH -c "rm a"',
    ": <<E\n${x:-'$(rm a)'}\nE",
    "x='a[$(rm a)]'; echo ${!x}",
    "x='$(rm a)'; echo ${x@P}",
    "PS4='$(rm a)'; set -x; :",
  ])('reads text that becomes code in %p', (text) => {
    expect(runs(text).filter((line) => line === 'rm a')).not.toEqual([]);
  });

  test.each(['cp /bin/rm q; ./q -rf ~', 'ln -s /bin/rm q; ./q -rf ~', 'cp /bin/rm ~/bin/q; q -rf ~'])(
    'reads a program by the name of a copy: %p',
    (text) => {
      expect(runs(text)).toContain('/bin/rm -rf /home/me');
    },
  );

  test.each([
    "x='a[$(rm a)]'; (( x ))",
    "x='a[$(rm a)]'; y=x; echo $(( y + 1 ))",
    "x='a[$(rm a)]'; [[ $x -eq 1 ]]",
    "x='a[$(rm a)]'; [[ x -eq 1 ]]",
    "x='a[$(rm a)]'; echo ${y[x]} ${y:x:1}",
    "x='a[$(rm a)]'; y[$x]=1",
    "x='a[$(rm a)]'; y=([x]=1)",
    "x='a[$(rm a)]'; declare -i y=x",
    "x='a[$(rm a)]'; declare -i y; y=x",
    "let 'a[$(rm a)]'",
    "x='a[$(rm a)]'; declare -a y=([$x]=1)",
    "x='a[$(rm a)]'; (( $x ))",
    "x='a[$(rm a)]'; : ${y[x]~} $(( $!x + 1 ))",
    "x='a[$(declare a[1]=$(rm a))]'; declare -a y=([$x]=1)",
    "x='a[$(rm a)]'; : $[x\\\n]",
    "x='a[$(rm a)]'; echo {1..$((x))} [$((x))]",
    "x='a[$(rm a)]'; RANDOM=$x",
    'x=\'a[$(rm a)]\'; declare -i y; read y <<< "$x"',
    "x='a[$(rm a)]' export x; bash -c '((x))'",
    "x='a[$(rm a)]' y=$x bash -c '((y))'",
    "x='a[$(rm a)]'; y=x let 'z = y'",
    'x=\'a[$(rm a)]\'; [[ 1 -lt "$x"$u ]]',
    'x=\'a[$(rm a)]\'; declare -ai y=(1 "$x")',
    `z='a[$(rm a)]'; x='${'b+ '.repeat(16)}z )'; ((x))`,
  ])('does not follow what runs in a sum: %p', (text) => {
    expect(gapsIn(text)).toContain('unknown_script');
  });

  test.each([
    ['BASH_ENV=<(echo rm a) bash -c :', 'syntax'],
    ['((1 <<$((rm a); :)))', 'syntax'],
    [': |& { printf %s "rm a" > >(bash); } |& :', 'unknown_script'],
    ['BASH_ALIASES[foo]="rm a"; foo', 'unknown_script'],
    ['BASH_CMDS[foo]=/bin/rm; foo a', 'unknown_script'],
    ['exec 3> x.sh; echo rm a >&3; sh x.sh', 'unknown_script'],
    ['exec > x.sh; echo rm a; sh x.sh', 'unknown_script'],
    [". /dev/fd/3 3<<< 'rm a'", 'unknown_script'],
    ["env 'BASH_FUNC_f%%=() { rm a; }' bash -c f", 'unknown_script'],
    ["mapfile -d '' a < <(printf %s 'rm a'); eval \"${a[0]}\"", 'unknown_script'],
    ['{ echo rm a >&3; } 3> x.sh; . ./x.sh', 'unknown_script'],
    ['coproc bash; echo rm a >&"${COPROC[1]}"', 'unknown_script'],
    ['IFS=Z read x y <<< "Zrm a"; eval "$y"', 'unknown_script'],
    ["read x <<< 'r\\m a'; $x", 'unknown_program'],
    ['declare -n r; for r in x; do eval "$r"; done', 'unknown_script'],
    ['x=RM; ${x,,} a', 'unknown_script'],
    ['x=xrm; ${x:1} a', 'unknown_script'],
    ['y=rm; x=y; ${!x} a', 'unknown_script'],
    ['x=([0]=rm [1]=a); "${x[@]}"', 'unknown_script'],
    ['exec <<< "rm a"; bash', 'unknown_script'],
    ['exec 5<x 0<<< "rm a"; bash', 'unknown_script'],
    ['echo rm a > x.sh; exec < x.sh; bash', 'unknown_script'],
    ['echo a | { echo rm a > x.sh; exec < x.sh; bash; }', 'unknown_script'],
    ['f() { exec < x.sh; }; echo rm a > x.sh; echo a | { f; bash; }', 'unknown_script'],
    ['coproc rm a', 'unknown_script'],
    ['a[3]=\'rm a\'; eval "${a[3]}"', 'unknown_script'],
    ['a=([3]="rm a"); eval "${a[3]}"', 'unknown_script'],
    ["PROMPT_COMMAND='rm x' bash -i", 'unknown_script'],
    ["fish -C 'rm x'", 'unknown_script'],
    ["nu -e 'rm x'", 'unknown_script'],
    ["GIT_CONFIG_PARAMETERS=\"'core.pager'='rm y'\" git log", 'unknown_script'],
    ["printf -v 'a[$(rm a)]' x", 'unknown_script'],
    ["declare 'a[$(rm a)]=1'", 'unknown_script'],
    ["declare -a 'a=($(rm a))'", 'unknown_script'],
    ["test -v 'a[$(rm a)]'", 'unknown_script'],
    ["[[ -v 'a[$(rm a)]' ]]", 'unknown_script'],
    ["unset 'a[$(rm a)]'", 'unknown_script'],
    ["read 'a[$(rm a)]' <<< 1", 'unknown_script'],
    ["wait -p 'a[$(rm a)]'", 'unknown_script'],
    ["declare -n p=PS4; p='$(rm a)'; set -x; :", 'unknown_script'],
    ["compgen -C 'rm a'", 'unknown_script'],
    ["mapfile -C 'rm a' -c 1 x < f", 'unknown_script'],
    ['echo ${!-"$(rm a)"}', 'syntax'],
    ['x=$\'q\\n\\uF8FF\\n$((y))\'; : "${x@P}"', 'syntax'],
    ['a[${R~<({rm,a})}]=1', 'syntax'],
    [': ${#B[${V~~{$(rm a)}}]}', 'syntax'],
    ["alias q='command ' w='rm '; q w a", 'unknown_script'],
    ['alias q=rm; x && unalias q; q a', 'unknown_script'],
    ["alias q='eval '; q \"alias q='rm a'; eval q\"", 'unknown_script'],
    ["alias q='command '; q eval 'bash -O expand_aliases -c \"alias q=rm\nq a\"'", 'unknown_script'],
    ["printf %s 'rm a' | . /de*v/stdin", 'unknown_script'],
    ["printf -v 'a[1]' 'rm a'; eval \"${a[1]}\"", 'unknown_script'],
    ['x=\'$(rm a)\'; : "${x\\\n@P}"', 'syntax'],
    ["tar cf a.tar b --checkpoint=1 --checkpoint-action=exec='rm x'", 'unknown_script'],
    ['hash -p /bin/rm foo; command foo -rf ~', 'unknown_script'],
    ["printf 'echo rm a >> x.sh' > x.sh; bash x.sh", 'unknown_script'],
    ['n=x; (( $n = 2 ))', 'unknown_script'],
    ['x="rm a"; eval "$\\\nx"', 'syntax'],
    ['> <(ls)] rm a', 'syntax'],
    ["x='a[$(rm a)]'; (\\\n(x++))", 'syntax'],
    [': ${V,$\\\n((rm a); :)}', 'syntax'],
    ['$(printf rm%) a', 'unknown_program'],
    ["echo '. <(echo tee >(bash))' | source /dev/stdin", 'unknown_script'],
    ["alias q='cat <<E\nE\nrm a'; q", 'unknown_script'],
    ['((: <<E\nrm a\nE\n); (:))', 'syntax'],
    ['a=(rm a); "${a[@\\\n]}"', 'syntax'],
    ['rma=rm; "$rm\\\na" a', 'syntax'],
    ["$'\\x{72}m' a", 'syntax'],
    ["printf 'rm a' > x; bash <(cat ${u:-}x)", 'unknown_script'],
    ['(( $(: <<"E"\n) "\nE\nset ;-- rm a; "$@"\n) ))', 'syntax'],
    [': *(a\nrm a\n|b)', 'syntax'],
    ['bash + <&3 3<<< "rm a"', 'unknown_script'],
    ['y=(["x"]=1)\\\n\n', 'syntax'],
    [': <<E\n$((rm a) # ) "\nrm b\n)\nE', 'syntax'],
    ['a=(ls ls); declare -n r="a[1]"; r=rm; ${a[1]} a', 'unknown_script'],
    ['printf -v "BASH_CMDS[foo]" /bin/rm; foo a', 'unknown_script'],
    ['command_not_found_handle() { eval "$2"; }; nosuch "rm a"', 'unknown_script'],
    ['read -n4 x <<< "rm abc"; eval "$x"', 'unknown_script'],
    ['mapfile -s1 a <<< $\'ls\\nrm a\'; eval "${a[0]}"', 'unknown_script'],
    ['a=(ls "rm a"); unset "a[0]"; eval "${a[@]}"', 'unknown_script'],
    ['declare -l x="$A"; eval "$x"', 'unknown_script'],
    ["declare -n p=PS4; p='$(rm a)'; set -x; :", 'unknown_script'],
    ['command_not_found_handle() { rm a; }; no-such-program', 'unknown_script'],
  ] as const)('says that %p cannot be read: %s', (text, reason) => {
    expect(gapsIn(text)).toContain(reason);
  });

  test.each([
    'LOG=[$(date)] make',
    'echo \'$(rm a)\' "\\$(rm \\`a\\`)" # `date` $(rm a)',
    '# $(rm a)\nls',
    "cat <<'E'\n$(rm a) `x` ${y[}\nE",
    'ls "a <(b)" \\<\\(b\\)',
    'echo $(( 1 <(2) ))',
    'f() { echo "$(rm a)"; }',
    'declare -A m=([a]="$(x)" [b]="$(y)")',
    'for ((i=0;i<(n+1);i++)); do ls; done',
    'f() { rm a; }; complete -F f prog',
    'echo "${x//\'$(\'/}"',
    'for x; do echo "$(rm a)"; done',
    "git commit -m 'use `x` and $(y)'",
    'echo `echo \\`date\\` "\\$(date)"`',
    'x=a[1] y="[$HOME]" ls',
    'exec 2> errors.log; ls; cat errors.log',
    'PS1="\\u@\\h:\\w\\$ "',
    "PS1='$(whoami)@\\h:'; PS4='+ $(date +%s) '",
    'find <path> -type d -name "*.txt"',
    "PS4='+(${BASH_SOURCE}:${LINENO}): ${FUNCNAME[0]:+${FUNCNAME[0]}(): }'; set -x",
    'n=3; (( n > 2 )) && echo ${x:n:1} $(( n * 2 ))',
    "sed 's/`/x/' f | awk '{ print $(1) }'",
  ])('has nothing to say of %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
    expect(runs(text).filter((line) => line.startsWith('rm'))).toEqual([]);
  });

  test.each([
    'd=(build /etc); i=0; while ((i<2)); do rm -rf "${d[i]}"; i=$((i+1)); done',
    'd=(build /etc); for ((i=0;i<2;i++)); do rm -rf "${d[i]}"; done',
    '[ "$1" = all ] && i=1 || i=0; d=(build /etc); rm -rf "${d[i]}"',
    'i=1; ((0 ? (i=0) : 0)); d=(build /etc); rm -rf "${d[i]}"',
    'declare -A d=([tmp]=/etc [out]=build); tmp=1; rm -rf "${d[tmp]}"',
    'set -- build /etc; n=2; rm -rf "${@:n:1}"',
  ])('does not take what a sum comes to for certain in %p', (text) => {
    const { commands } = read(text);
    const deleted = commands.flatMap(({ name, operands }) => (name === 'rm' ? operands : []));
    expect(deleted.filter((word) => ['/etc'].includes(showWord(word)) || !isDetermined(word))).not.toEqual(
      [],
    );
  });

  test('does not run out of stack or time where sums name themselves', () => {
    const long = `x='${Array(230).fill('x').join('+')}'; ((x))`;
    const ring = 'x=y; y=x; ((x))';
    for (let round = 0; round < 2; round++) expect([gapsIn(long), gapsIn(ring)]).toBeArray();
  });
});
