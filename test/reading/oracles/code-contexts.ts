import { type Context, contexts, ended, quoted, singleQuoted } from './context.ts';

/** What makes text into code: what it holds is written as text. */
export const CODE: readonly Context[] = contexts('statements', 'statements', {
  eval: (inner, random) =>
    `${random.pick(['', '', 'command ', 'builtin '])}eval ${random.pick(['', '-- ', ': \\; '])}${quoted(inner, random)}`,
  'eval of parts': (inner) => `eval ${ended(inner).split(' ').map(singleQuoted).join(' ')}`,
  'eval of a variable': (inner, random) => `x=${quoted(inner, random)}; eval "$x"`,
  'eval of an added variable': (inner, random) => `x=; x+=${quoted(inner, random)}; eval "$x"`,
  'eval of a shortened variable': (inner) => `x=${singleQuoted(`Z${inner}`)}; eval "\${x#Z}"`,
  'eval of a part of a variable': (inner) => `x=${singleQuoted(`Z${inner}`)}; eval "\${x:1}"`,
  'eval of a replacement': (inner) => `x=${singleQuoted(inner.replace('echo', 'Zecho'))}; eval "\${x/Z/}"`,
  'eval of an element': (inner, random) => `a=(: ${quoted(inner, random)}); eval "\${a[1]}"`,
  'eval of a key': (inner) => `declare -A a=([k]=${singleQuoted(inner)}); eval "\${a[k]}"`,
  'eval of keys': (inner) => `declare -A a=([${singleQuoted(inner)}]=1); eval "\${!a[@]}"`,
  'eval of a default': (inner) => `eval "\${u:-\${v-}}" ; x=\${u:=${singleQuoted(inner)}}; eval "$u"`,
  'eval of an argument': (inner, random) => `f() { eval "$1"; }; f ${quoted(inner, random)}`,
  'eval of all arguments': (inner) => `set -- ${singleQuoted(inner)}; eval "$@"`,
  'eval of a reference': (inner) => `x=${singleQuoted(inner)}; declare -n r=x; eval "$r"`,
  'eval of what a reference sets': (inner) => `declare -n r=x; r=${singleQuoted(inner)}; eval "$x"`,
  'eval through a name': (inner) => `x=${singleQuoted(inner)}; y=x; eval "\${!y}"`,
  'eval of what printf sets': (inner) => `printf -v x %s ${singleQuoted(inner)}; eval "$x"`,
  'eval of what read sets': (inner) => `IFS= read -r -d '' x <<'EOT'\n${inner}\nEOT\neval "$x"`,
  'eval of what mapfile sets': (inner) =>
    `mapfile -d '' a < <(printf %s ${singleQuoted(inner)}); eval "\${a[0]}"`,
  'eval of what printf prints': (inner) => `eval "$(printf %s ${singleQuoted(inner)})"`,
  'eval of what a function prints': (inner) => `f() { printf %s ${singleQuoted(inner)}; }; eval "$(f)"`,
  'eval of a here-document': (inner) => `eval "$(cat <<'EOT'\n${inner}\nEOT\n)"`,
  'eval of a file': (inner) => `printf %s ${singleQuoted(inner)} > x.txt; eval "$(< x.txt)"`,
  'eval of a definition': (inner) => `f() { ${inner}\n}; eval "$(declare -f f)"; f`,
  'eval in a loop': (inner) => `for i in : ${singleQuoted(inner)}; do eval "$i"; done`,
  'eval of an escaped text': (inner) => `x=${singleQuoted(inner.replaceAll('\\', '\\\\'))}; eval "\${x@E}"`,
  'eval of a lowered text': (inner) => `declare -l x=${singleQuoted(inner)}; eval "$x"`,
  'trap on exit': (inner, random) =>
    `trap ${random.pick(['', '-- '])}${quoted(inner, random)} ${random.pick(['EXIT', '0', 'exit', 'INT EXIT'])}`,
  'trap on each command': (inner) => `trap ${singleQuoted(inner)} DEBUG; :; trap - DEBUG`,
  'trap on an error': (inner) => `trap ${singleQuoted(inner)} ERR; ! :; test`,
  'trap on return': (inner) => `f() { trap ${singleQuoted(`trap - RETURN\n${inner}`)} RETURN; }; f`,
  'trap on a signal': (inner) => `trap ${singleQuoted(inner)} USR1; kill -USR1 $BASHPID; :`,
  'trap of a variable': (inner) => `x=${singleQuoted(inner)}; trap "$x" EXIT`,
  'trap of a name': (inner) => `f() { ${inner}\n}; trap f EXIT`,
  'shell with code': (inner, random) =>
    `${random.pick(['bash', 'sh', '$BASH', '"$BASH"', '$0', 'exec bash', 'command bash', 'env bash', 'env -- bash'])} ${random.pick(['-c', '-ec', '+x -c', '-c --', '--norc -c'])} ${quoted(inner, random)}`,
  'shell with arguments': (inner) => `bash -c 'eval "$1"' b ${singleQuoted(inner)}`,
  'shell with a variable': (inner) => `x=${singleQuoted(inner)} bash -c 'eval "$x"'`,
  'shell with an exported variable': (inner) => `export x=${singleQuoted(inner)}; bash -c 'eval "$x"'`,
  'shell with an exported function': (inner) => `f() { ${inner}\n}; export -f f; bash -c f`,
  'shell with a function of the environment': (inner) =>
    `env ${singleQuoted(`BASH_FUNC_f%%=() { ${inner}\n}`)} bash -c f`,
  'shell with a here-string': (inner, random) =>
    `bash ${random.pick(['', '-s ', '/dev/stdin ', '-s a '])}<<< ${quoted(inner, random)}`,
  'shell with a here-document': (inner) => `bash <<'EOT'\n${inner}\nEOT`,
  'shell in a pipe': (inner, random) =>
    `printf ${random.pick(['%s', '%s\\\\n', '--  %s'])} ${singleQuoted(inner)} | bash`,
  'shell behind cat': (inner) => `cat <<'EOT' | bash\n${inner}\nEOT`,
  'shell behind tee': (inner) => `printf %s ${singleQuoted(inner)} | tee x.txt | bash`,
  'shell behind rev': (inner) =>
    `printf '%s\\n' ${singleQuoted([...ended(inner).replaceAll('\n', ';')].reverse().join(''))} | rev | bash`,
  'shell behind tr': (inner) => `printf %s ${singleQuoted(inner.replaceAll('e', 'Z'))} | tr Z e | bash`,
  'shell behind a group': (inner) => `{ :; printf %s ${singleQuoted(inner)}; } | bash`,
  'shell with a substituted file': (inner) => `bash <(printf %s ${singleQuoted(inner)})`,
  'shell into a substituted shell': (inner) => `printf %s ${singleQuoted(inner)} > >(bash); wait`,
  'shell with a file': (inner) => `printf %s ${singleQuoted(inner)} > x.sh; bash x.sh`,
  'shell with a file of a here-document': (inner) => `cat > x.sh <<'EOT'\n${inner}\nEOT\nbash ./x.sh`,
  'shell with a file of a descriptor': (inner) =>
    `exec 3> x.sh; printf %s ${singleQuoted(inner)} >&3; bash x.sh`,
  'shell with a file of a named descriptor': (inner) =>
    `exec {fd}> x.sh; printf %s ${singleQuoted(inner)} >&$fd; bash x.sh`,
  'shell with a file of a group': (inner) => `{ printf %s ${singleQuoted(inner)}; } > x.sh; bash x.sh`,
  'shell with a file of tee': (inner) => `tee x.sh <<< ${singleQuoted(inner)}; bash x.sh`,
  'shell with a file as its input': (inner) => `printf %s ${singleQuoted(inner)} > x.sh; bash < x.sh`,
  'shell with a file as every input': (inner) => `printf %s ${singleQuoted(inner)} > x.sh; exec < x.sh; bash`,
  'shell of the environment': (inner) => `BASH_ENV=<(printf %s ${singleQuoted(inner)}) bash -c :`,
  'shell of an exported environment': (inner) =>
    `printf %s ${singleQuoted(inner)} > x.sh; export BASH_ENV=$PWD/x.sh; bash -c :`,
  'shell of a variable': (inner) => `x=bash; $x -c ${singleQuoted(inner)}`,
  'shell of a default': (inner) => `\${u:-bash} -c ${singleQuoted(inner)}`,
  'shell of a joined name': (inner) => `x=ba; "$x"sh -c ${singleQuoted(inner)}`,
  'shell of an array': (inner) => `a=(bash -c ${singleQuoted(inner)}); "\${a[@]}"`,
  'shell of arguments': (inner) => `set -- bash -c ${singleQuoted(inner)}; "$@"`,
  'shell of braces': (inner) => `{bash,-c,${singleQuoted(inner)}}`,
  'shell of a remembered name': (inner) => `hash -p "$BASH" q; q -c ${singleQuoted(inner)}`,
  'shell of a table of names': (inner) => `BASH_CMDS[q]=$BASH; q -c ${singleQuoted(inner)}`,
  'shell of a reference': (inner) => `declare -n r=x; r=bash; $x -c ${singleQuoted(inner)}`,
  'shell behind xargs': (inner) => `printf '%s\\0' ${singleQuoted(inner)} | xargs -0 bash -c`,
  'source of a substitution': (inner, random) =>
    `${random.pick(['.', 'source', 'command .', 'builtin source'])} <(printf %s ${singleQuoted(inner)})`,
  'source of a here-string': (inner) => `. /dev/stdin <<< ${singleQuoted(inner)}`,
  'source of a here-document': (inner) => `source /dev/stdin <<'EOT'\n${inner}\nEOT`,
  'source in a pipe': (inner) => `printf %s ${singleQuoted(inner)} | . /dev/stdin`,
  'source of a descriptor': (inner) => `. /dev/fd/3 3<<< ${singleQuoted(inner)}`,
  'source of a file': (inner, random) =>
    `printf %s ${singleQuoted(inner)} > x.sh; . ${random.pick(['./x.sh', 'x.sh', '"$PWD/x.sh"', './*.sh'])}`,
  'source of a file of a descriptor': (inner) =>
    `exec 3> x.sh; printf %s ${singleQuoted(inner)} >&3; . ./x.sh`,
  'source of a file written twice': (inner) =>
    `echo : > x.sh; printf %s ${singleQuoted(inner)} >> x.sh; . ./x.sh`,
  'shown commands': (inner) => `PS4=${singleQuoted(`$(${ended(inner)})`)}; set -x; :; set +x`,
  'commands shown by another shell': (inner) => `PS4=${singleQuoted(`$(${ended(inner)})`)} bash -x -c :`,
  'prompt of a variable': (inner) => `x=${singleQuoted(`$(${ended(inner)})`)}; : "\${x@P}"`,
  'prompt of an argument': (inner) => `set -- ${singleQuoted(`$(${ended(inner)})`)}; : "\${1@P}" "\${@@P}"`,
  alias: (inner) => `shopt -s expand_aliases\nalias q=${singleQuoted(inner)}\nq`,
  'alias of a table': (inner) => `shopt -s expand_aliases\nBASH_ALIASES[q]=${singleQuoted(inner)}\nq`,
  'alias that goes on': (inner) => `shopt -s expand_aliases\nalias q='eval '\nq ${singleQuoted(inner)}`,
  'alias of a shell': (inner) =>
    `bash -O expand_aliases -c ${singleQuoted(`alias q=${singleQuoted(inner)}\nq`)}`,
  'completion by a command': (inner) => `compgen -C ${singleQuoted(`${inner}\n:`)} x`,
  'completion of words': (inner) => `compgen -W ${singleQuoted(`$(${ended(inner)})`)}`,
  'completion by a function': (inner) => `f() { ${inner}\n}; compgen -F f x`,
  'callback of mapfile': (inner, random) =>
    `${random.pick(['mapfile', 'readarray'])} -C ${singleQuoted(`${inner}\n:`)} -c 1 a <<< b`,
});

/** A text that runs code when it is taken for a number or for a variable. */
function asNumber(use: string): (inner: string) => string {
  return (inner) => `x=${singleQuoted(`a[$(${ended(inner)})]`)}; ${use}`;
}

/** Places in which the shell takes the text of a variable for an arithmetic expression or the name of an element. */
export const NUMBERS: readonly Context[] = contexts(
  'statements',
  'statements',
  Object.fromEntries(
    [
      ...[
        '((x))',
        '((y = x))',
        '(( $x ))',
        ': $((x))',
        ': $(( $x + 1 ))',
        ': $[x]',
        'let x',
        'let "$x"',
        'let y=x',
      ],
      ...[
        '[[ x -eq 1 ]]',
        '[[ $x -eq 1 ]]',
        '[[ 1 -lt "$x" ]]',
        '[[ -v $x ]]',
        'test -v "$x"',
        '[ -v "$x" ]',
      ],
      ...[
        '[ "$x" -eq 1 ]',
        '[ 1 -eq 1 -a -v "$x" ]',
        'declare -i y=x',
        'declare -i y="$x"',
        'declare -i y; y=x',
      ],
      ...['f() { local -i y=$x; }; f', 'typeset -i y; y+=x', 'readonly -i y=$x', 'export -i y=$x'],
      ...[
        'printf -v "$x" 1',
        'unset "$x"',
        'unset -v "$x"',
        'read "$x" <<< 1',
        'declare "$x=1"',
        'export "$x=1"',
      ],
      ...[
        'readonly "$x=1"',
        'getopts o "$x" -o',
        'wait -p "$x" -n',
        ': & wait -p "$x" $!',
        'y[x]=1',
        'y[$x]=1',
      ],
      ...[
        ': ${y[x]}',
        ': ${y[$x]}',
        ': ${#y[x]}',
        ': ${BASH_VERSION:x}',
        ': ${BASH_VERSION:0:x}',
        ': ${BASH_VERSION:$x}',
      ],
      ...[
        ': ${@:x}',
        ': ${!x}',
        ': "${!x:-}"',
        'declare -n r="$x"; : $r',
        'declare -n r="$x"; r=1',
        'for ((x; 0; )); do :; done',
      ],
      ...[
        'for r in "$x"; do ((r)); done',
        'y=(["x"]=1)',
        'y=([x]=1)',
        'declare -a y=([$x]=1)',
        'exec {x}> f',
        'shift $x',
      ],
      ...[
        'printf %d "$x"',
        'return $x',
        'y=$x; ((y))',
        'export x; bash -c "((x))"',
        'f() { (($1)); }; f "$x"',
        'set -- "$x"; (($1))',
      ],
      ...[
        'read y <<< "$x"; ((y))',
        'y=$x z=y; ((z))',
        'while ((x)); do break; done',
        'select r in a; do ((x)); break; done <<< 1',
      ],
      ...[
        '[[ $x -eq 1 || a ]]',
        ': "$((x))"',
        ': <<< $((x))',
        'ulimit -n $x',
        'mapfile -O x y <<< 1',
        'test 1 -eq "$x"',
      ],
      ...[
        'unset y; declare -A y; y[$x]=1; unset "y[$x]"',
        'declare -A y; [[ -v y[$x] ]]',
        'read -a y <<< "$x"; ((y))',
        'printf -v y %s "$x"; ((y))',
      ],
    ].map((use) => [`number: ${use}`, asNumber(use)]),
  ),
);
