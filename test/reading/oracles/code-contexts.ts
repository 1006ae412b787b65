import { type Context, contexts, lineOf, singleQuoted } from './context.ts';

/** Where the shell makes text into code. */
const EVALS: readonly Context[] = contexts('statements', 'statements', {
  eval: '‹·command ·builtin ·\\›eval ‹·-- ·: \\; ›QUOTED',
  'eval of parts': (inner) => `eval ${lineOf(inner).split(' ').map(singleQuoted).join(' ')}`,
  'eval of a variable': 'x=QUOTED; eval ‹"$x"·"${x}"·"$x" a·": $x"$\'\\n\'"$x"›',
  'eval of an added variable': 'x=; x+=QUOTED; eval "$x"',
  'eval of a copied variable': 'x=QUOTED; y=$x; z="$y"; eval "$z"',
  'eval of a variable that evaluates': 'x=QUOTED y=\'eval "$x"\'; eval "$y"',
  'eval of a shortened variable': (inner) => `x=${singleQuoted(`Z${inner}`)}; eval "\${x#Z}"`,
  'eval of a part of a variable': (inner) => `x=${singleQuoted(`Z${inner}`)}; eval "\${x:1}"`,
  'eval of a replacement': (inner) => `x=${singleQuoted(inner.replace('echo', 'Zecho'))}; eval "\${x/Z/}"`,
  'eval of all replaced': (inner) => `x=${singleQuoted(inner.replaceAll(' ', 'Z'))}; eval "\${x//Z/ }"`,
  'eval of lowered text': (inner) => `x=${singleQuoted(inner.replace('echo', 'ECHO'))}; eval "\${x,,}"`,
  'eval of a lowered variable': 'declare -l x=TEXT; eval "$x"',
  'eval of a default': 'eval "${u:-${v-}}"; : ${u:=TEXT}; eval "$u"',
  'eval of a value instead': 'x=TEXT; eval "${x:+$x}"',
  'eval as a default': '${u:-eval TEXT}',
  'eval as a value instead': '${BASH_VERSION:+eval TEXT}',
  'eval of an element': 'a=(: QUOTED); eval "${a[1]}"',
  'eval of elements': 'a=(: TEXT); eval ‹"${a[@]:1}"·"${a[-1]}"·"${a[1]}"·"${a[1]-}"›',
  'eval of a set element': 'a[3]=TEXT; eval "${a[3]}"',
  'eval of a key': 'declare -A a=([k]=TEXT); eval "${a[k]}"',
  'eval of keys': 'declare -A a=([TEXT]=1); eval "${!a[@]}"',
  'eval of an argument': 'f() { eval "$1"; }; f QUOTED',
  'eval of all arguments': 'set -- TEXT; eval ‹"$@"·"$*"·"$1"·"${@}"·"${*:1}"·"${!#}"·"${@: -1}"›',
  'eval of a shifted argument': 'set -- : TEXT; shift; eval "$1"',
  'eval of an option': 'set -- -x TEXT; getopts x: o; eval "$OPTARG"',
  'eval of a reference': 'x=TEXT; declare -n r=x; eval "$r"',
  'eval of what a reference sets': 'declare -n r=x; r=TEXT; eval "$x"',
  'eval of what a reference loops over': 'x=TEXT; declare -n r; for r in x; do eval "$r"; done',
  'eval of a referred element': 'a=(1 TEXT); declare -n r="a[1]"; eval "$r"',
  'eval through a name': 'x=TEXT; y=x; eval "${!y}"',
  'eval of the last word': ': TEXT; eval "$_"',
  'eval of what printf sets': 'printf -v x %s TEXT; eval "$x"',
  'eval of an element that printf sets': 'printf -v \'a[1]\' %s TEXT; eval "${a[1]}"',
  'eval of what printf escapes': (inner) => `eval "$(printf ${singleQuoted(octal(inner))})"`,
  'eval of what echo escapes': (inner) => `eval "$(echo -e ${singleQuoted(hexadecimal(inner))})"`,
  'eval of what %b escapes': (inner) => `printf -v x %b ${singleQuoted(hexadecimal(inner))}; eval "$x"`,
  'eval of what read sets': "IFS= read -r -d '' x <<'EOT'\nINNER\nEOT\neval \"$x\"",
  'eval of what read splits': 'IFS=Z read -d \'\' x y <<< Z""TEXT; eval "$y"',
  'eval of what read replies': 'read -r -d \'\' <<< TEXT; eval "$REPLY"',
  'eval of a line that is read': "while read -r -d '' x; do eval \"$x\"; done < <(printf '%s\\0' TEXT)",
  'eval of what mapfile sets': 'mapfile -d \'\' a < <(printf %s TEXT); eval "${a[0]}"',
  'eval of what a pipe reads': "printf '%s\\0' TEXT | { read -r -d '' x; eval \"$x\"; }",
  'eval of what printf prints': 'eval "$(printf %s TEXT)"',
  'eval of what is kept': 'x=$(printf %s TEXT); eval "$x"',
  'eval of what a function prints': 'f() { printf %s TEXT; }; eval "$(f)"',
  'eval of what a function sets': 'f() { ‹x·declare -g x›=TEXT; }; f; eval "$x"',
  'eval of what a caller sets': 'f() { eval "$x"; }; g() { local x=TEXT; f; }; g',
  'eval of a here-document': 'eval "$(cat <<\'EOT\'\nINNER\nEOT\n)"',
  'eval of a file': 'printf %s TEXT > x.txt; eval "$(‹< x.txt·cat x.txt·cat < x.txt›)"',
  'eval of a definition': 'f() { INNER\n}; eval "$(declare -f f)"; f',
  'eval of a declaration': 'x=TEXT; eval "y=${x@Q}"; eval "$y"',
  'eval of a shown variable': 'x=TEXT; y=$(declare -p x); unset x; eval "$y"; eval "$x"',
  'eval in a loop': 'for i in : QUOTED; do eval "$i"; done',
  'eval of an escaped text': (inner) => `x=${singleQuoted(inner.replaceAll('\\', '\\\\'))}; eval "\${x@E}"`,
  'eval of a removed variable': 'x=:; unset x; eval ${x:-TEXT}',
  'trap on exit': 'trap ‹·-- ›QUOTED ‹EXIT·0·exit·INT EXIT·SIGTERM 0›',
  'trap on each command': 'trap TEXT DEBUG; :; trap - DEBUG',
  'trap on an error': 'trap TEXT ERR; ! :; test',
  'trap on return': (inner) => `f() { trap ${singleQuoted(`trap - RETURN\n${inner}`)} RETURN; }; f`,
  'trap on return of all': 'f() { :; }; set -T; trap TEXT RETURN; f; trap - RETURN',
  'trap on a signal': 'trap TEXT USR1; kill -USR1 $BASHPID; :',
  'trap of a variable': 'x=TEXT; trap "$x" EXIT',
  'trap of a function': 'f() { INNER\n}; trap f EXIT',
  'shown commands': 'PS4=PROMPT; set -x; :; set +x',
  'added to shown commands': 'PS4+=PROMPT; set -x; :; set +x',
  'commands shown by another shell': 'PS4=PROMPT bash -x -c :',
  'commands shown by an exported prompt': 'export PS4=PROMPT; bash -xc :',
  'commands shown by the environment': 'env SHELLOPTS=xtrace PS4=PROMPT bash -c :',
  'prompt of a variable': 'x=PROMPT; : "${x@P}"',
  'prompt of an argument': 'set -- PROMPT; : ‹"${1@P}"·"${@@P}"·"${*@P}"›',
  'prompt of an element': 'a=(PROMPT); : ‹"${a[0]@P}"·"${a[@]@P}"·${a@P}›',
  'prompt of an interactive shell': 'PS1=PROMPT bash --norc -i <<< :',
  'prompt after a command': 'PS0=PROMPT bash --norc -i <<< :',
  'command before a prompt': 'PROMPT_COMMAND=TEXT bash --norc -i <<< :',
  alias: 'shopt -s expand_aliases\nalias q=QUOTED\nq',
  'alias with a blank': "shopt -s expand_aliases\nalias q='command ' w='eval '\nq w TEXT",
  'alias of a table': 'shopt -s expand_aliases\nBASH_ALIASES[q]=TEXT\nq',
  'alias of a shell': (inner) =>
    `bash -O expand_aliases -c ${singleQuoted(`alias q=${singleQuoted(inner)}\nq`)}`,
  'alias of a posix shell': (inner) => `sh -c ${singleQuoted(`alias q=${singleQuoted(inner)}\nq`)}`,
  'alias in eval': 'shopt -s expand_aliases; alias q=TEXT; eval q',
  'completion by a command': (inner) => `compgen -C ${singleQuoted(`${inner}\n:`)} x`,
  'completion of words': 'compgen -W PROMPT',
  'completion by a function': 'f() { INNER\n}; compgen -F f x',
  'callback of mapfile': (inner) => `mapfile -C ${singleQuoted(`${inner}\n:`)} -c 1 a <<< b`,
  'callback of readarray': 'f() { INNER\n}; readarray -c 1 -C f a <<< b',
});

/** Where another shell is given code. */
const SHELLS: readonly Context[] = contexts('statements', 'statements', {
  'shell with code':
    '‹bash·sh·$BASH·"$BASH"·$0·exec bash·command bash·env bash·env -- bash·env -i bash·env x=1 bash·exec -a q bash·x=1 bash·nice bash·timeout 9 bash› ‹-c·-ec·+x -c·-c --·--norc -c·-o pipefail -c·-O extglob -c·--posix -c› QUOTED',
  'shell with arguments': 'bash -c \'eval "$1"\' b TEXT',
  'shell with its name': 'bash -c \'eval "$0"\' TEXT',
  'shell with a variable': 'x=TEXT ‹bash·env bash› -c \'eval "$x"\'',
  'shell with a variable of env': 'env x=TEXT bash -c \'eval "$x"\'',
  'shell with an exported variable': 'export x=TEXT; bash -c \'eval "$x"\'',
  'shell with an exported function':
    'f() { INNER\n}; ‹export -f f·declare -fx f·set -a; export -f f›; bash -c f',
  'shell with a function exported by option': 'set -a; f() { INNER\n}; bash -c f',
  'shell with a function of the environment': (inner) =>
    `env ${singleQuoted(`BASH_FUNC_f%%=() { ${inner}\n}`)} bash -c f`,
  'shell with a here-string': 'bash ‹·-s ·/dev/stdin ·-s a ·- ›<<< QUOTED',
  'shell with a here-document': "bash <<'EOT'\nINNER\nEOT",
  'shell with a descriptor':
    '‹bash 3<<< TEXT <&3·bash /dev/fd/3 3<<< TEXT·exec 3<<< TEXT; bash <&3·exec {fd}<<< TEXT; bash <&$fd›',
  'shell with a substituted input': 'bash < <(printf %s TEXT)',
  'shell in a pipe':
    "printf ‹%s·'%s\\n'·--  %s› TEXT | ‹bash·sh·bash -s·(bash)·{ bash; }·command bash·env bash·cat | bash·bash -·x=1 bash›",
  'shell in a pipe of a here-document': "cat <<'EOT' | bash\nINNER\nEOT",
  'shell in a pipe of echo': 'echo ‹·-n ·-E ›TEXT | bash',
  'shell in a loop of a pipe': "printf '%s\\0' TEXT | while read -r -d '' x; do bash -c \"$x\"; done",
  'shell behind tee': 'printf %s TEXT | tee x.txt | bash',
  'shell behind rev': (inner) =>
    `printf '%s\\n' ${singleQuoted([...lineOf(inner).replaceAll('\n', ';')].reverse().join(''))} | rev | bash`,
  'shell behind tr': (inner) => `printf %s ${singleQuoted(inner.replaceAll('e', 'Z'))} | tr Z e | bash`,
  'shell behind sed': (inner) => `printf %s ${singleQuoted(inner.replaceAll('e', 'Z'))} | sed s/Z/e/g | bash`,
  'shell behind base64': (inner) => `printf %s ${Buffer.from(inner).toString('base64')} | base64 -d | bash`,
  'shell behind a group': '{ :; printf %s TEXT; } | bash',
  'shell behind a function': 'f() { printf %s TEXT; }; f | bash',
  'shell with a substituted file': 'bash <(‹printf %s·echo› TEXT)',
  'shell in a substitution':
    '‹printf %s TEXT > >(bash)·tee >(bash) <<< TEXT·exec > >(bash); printf %s TEXT; exec >&2›; wait',
  'shell in a coproc': 'coproc bash; printf %s TEXT >&"${COPROC[1]}"; exec {COPROC[1]}>&-; wait',
  'shell with a file':
    'printf %s TEXT ‹>·>|·1>·>>·&>› x.sh; bash ‹x.sh·./x.sh·"$PWD/x.sh"·-- x.sh·-e x.sh·*.sh·[x].sh›',
  'shell with a file of two': "printf 'ev' > x.sh; printf 'al %q' TEXT >> x.sh; bash x.sh",
  'shell with a file of a name': 'f=x.sh; printf %s TEXT > $f; bash "$f"',
  'shell with a file of a here-document': "cat > x.sh <<'EOT'\nINNER\nEOT\nbash ./x.sh",
  'shell with a file of a descriptor': 'exec 3> x.sh; printf %s TEXT >&3; bash x.sh',
  'shell with a file of a named descriptor': 'exec {fd}> x.sh; printf %s TEXT >&$fd; bash x.sh',
  'shell with a file of exec': 'exec 7>&1 > x.sh; printf %s TEXT; exec >&7; bash x.sh',
  'shell with a file of a group': '{ printf %s TEXT; } > x.sh; bash x.sh',
  'shell with a file of a function': 'f() { printf %s TEXT; } > x.sh; f; bash x.sh',
  'shell with a file of a loop': 'for i in TEXT; do printf %s "$i"; done > x.sh; bash x.sh',
  'shell with a file of errors': 'printf %s TEXT 2> x.sh >&2; bash x.sh',
  'shell with a file of tee':
    '‹tee x.sh <<< TEXT·printf %s TEXT | tee -a x.sh·printf %s TEXT | cat > x.sh›; bash x.sh',
  'shell with a copied file':
    'printf %s TEXT > x.txt; ‹cp x.txt x.sh·mv x.txt x.sh·ln x.txt x.sh·ln -s x.txt x.sh·cat x.txt > x.sh·cat < x.txt > x.sh›; bash x.sh',
  'shell with a file as its input':
    'printf %s TEXT > x.sh; ‹bash < x.sh·< x.sh bash·cat x.sh | bash·exec < x.sh; bash·exec 3< x.sh; bash <&3·bash -c "$(cat x.sh)"·bash -c "$(< x.sh)"·bash <(cat x.sh)›',
  'file that runs': 'printf "#!$BASH\\n%s" TEXT > x; chmod +x x; ‹./x·"./x"·PATH=. x·PATH+=:.; x›',
  'shell with a file of the environment': 'BASH_ENV=<(printf %s TEXT) bash -c :',
  'shell with a file of an exported environment':
    'printf %s TEXT > x.sh; ‹export BASH_ENV=$PWD/x.sh; bash -c :·BASH_ENV=x.sh bash -c :·env BASH_ENV=x.sh bash -c :·BASH_ENV=x.sh; export BASH_ENV; bash -c :·set -a; BASH_ENV=x.sh; bash -c :·BASH_ENV=x.sh bash <<< :›',
  'shell with a start file':
    'printf %s TEXT > x.sh; bash ‹--rcfile x.sh -ic :·--init-file x.sh -ic :·--rcfile <(cat x.sh) -i <<< :›',
  'shell of a variable': 'x=bash; ‹$x·"$x"·${x}·"${x}"·command $x·exec $x› -c TEXT',
  'shell of a default': '${u:-bash} -c TEXT',
  'shell of a joined name': 'x=ba; "$x"sh -c TEXT',
  'shell of a path': '"${BASH%/*}"/bash -c TEXT',
  'shell of an array': 'a=(bash -c TEXT); "${a[@]}"',
  'shell of an added array': 'a=(bash); a+=(-c TEXT); "${a[@]}"',
  'shell of arguments': 'set -- bash -c TEXT; "$@"',
  'shell of a function': 'f() { bash "$@"; }; f -c TEXT',
  'shell of braces': '{bash,-c,TEXT}',
  'shell of a file name': ': > bash; b* -c TEXT',
  'shell of a remembered name': 'hash -p "$BASH" q; q -c TEXT',
  'shell of a table of names': 'BASH_CMDS[q]=$BASH; q -c TEXT',
  'shell of a reference': 'declare -n r=x; r=bash; $x -c TEXT',
  'shell of a link': 'ln -s "$BASH" q; ./q -c TEXT',
  'shell of a substitution': '$(echo bash) -c TEXT',
  'shell of a search': '"$(type -p bash)" -c TEXT',
  'shell behind xargs':
    "printf '%s\\0' TEXT | xargs -0 ‹bash -c·-I{} bash -c {}·-n 1 bash -c·sh -c·env bash -c›",
  'shell of xargs': (inner) => `echo a | xargs bash -c ${singleQuoted(`${inner}\n:`)}`,
  'shell behind find': ': > f; find . -name f ‹-exec·-execdir› bash -c TEXT ‹{}·› \\;',
});

/** Where the shell reads a file. */
const SOURCES: readonly Context[] = contexts('statements', 'statements', {
  'source of a substitution': '‹.·source·command .·builtin source› <(printf %s TEXT)',
  'source of a here-string': '. /dev/stdin <<< TEXT',
  'source of a here-document': "source /dev/stdin <<'EOT'\nINNER\nEOT",
  'source in a pipe': 'printf %s TEXT | ‹.·source› /dev/stdin',
  'source of a descriptor': '. /dev/fd/3 3<<< TEXT',
  'source of a named descriptor': 'exec {fd}<<< TEXT; . /dev/fd/$fd',
  'source of a process': '. /proc/self/fd/3 3<<< TEXT',
  'source of a file':
    'printf %s TEXT > x.sh; . ‹./x.sh·x.sh·"$PWD/x.sh"·./*.sh·~+/x.sh·-- x.sh·{x,}.sh·"${PWD}"/x.sh›',
  'source of a file of a name': 'f=./x.sh; printf %s TEXT > "$f"; ‹.·source› "$f"',
  'source of a file of a descriptor': 'exec 3> x.sh; printf %s TEXT >&3; . ./x.sh',
  'source of a file written twice': 'echo : > x.sh; printf %s TEXT >> x.sh; . ./x.sh',
  'source of a file in a function': 'f() { . ./x.sh; }; printf %s TEXT > x.sh; f',
  'source with arguments': 'printf %s \'eval "$1"\' > x.sh; . ./x.sh TEXT',
});

/** What makes text into code: what it holds is written as text. */
export const CODE: readonly (readonly Context[])[] = [EVALS, SHELLS, SOURCES];

/** Where the shell takes a text for a number or the name of an element, and runs what is in its subscript. */
const NUMBER_USES: readonly string[] = [
  '((x))',
  '((y = x))',
  '(( $x ))',
  ': $((x))',
  ': $(( $x + 1 ))',
  ': $[x]',
  'let x',
  'let "$x"',
  'let y=x',
  ...['[[ x -eq 1 ]]', '[[ $x -eq 1 ]]', '[[ 1 -lt "$x" ]]', '[[ -v $x ]]', 'test -v "$x"', '[ -v "$x" ]'],
  ...['[ 1 -eq 1 -a -v "$x" ]', 'declare -i y=x', 'declare -i y="$x"', 'declare -i y; y=x'],
  ...['f() { local -i y=$x; }; f', 'typeset -i y; y+=x', 'declare -ir y=$x', 'declare -ix y=$x'],
  ...['printf -v "$x" 1', 'unset "$x"', 'unset -v "$x"', 'read "$x" <<< 1', 'declare "$x=1"'],
  ...[': & wait -p "$x" $!', 'y[x]=1', 'y[$x]=1'],
  ': ${y[x]}',
  ': ${y[$x]}',
  ': ${#y[x]}',
  ': ${y[x]:-1}',
  ': ${BASH_VERSION:x}',
  ': ${BASH_VERSION:0:x}',
  ...[': ${BASH_VERSION:$x}', ': ${@:x}', ': ${!x}', ': "${!x:-}"', 'declare -n r="$x"; : $r'],
  ...['declare -n r="$x"; r=1', 'for ((x; 0; )); do :; done', 'for r in "$x"; do ((r)); done', 'y=(["x"]=1)'],
  ...['y=([x]=1)', 'declare -a y=([$x]=1)'],
  ...['y=$x; ((y))', 'export x; bash -c "((x))"', 'f() { (($1)); }; f "$x"', 'set -- "$x"; (($1))'],
  ...['read y <<< "$x"; ((y))', 'y=$x z=y; ((z))', 'while ((x)); do break; done', '[[ $x -eq 1 || a ]]'],
  ...['select r in a; do ((x)); break; done <<< 1', ': "$((x))"', ': <<< $((x))'],
  ...['unset y; declare -A y; y[$x]=1; unset "y[$x]"'],
  ...['unset y; declare -A y=([k]=1); [[ -v y[$x] ]]', 'printf -v y %s "$x"; ((y))'],
  '((1 ? x : 0))',
  '((x++))',
  '((y[x]))',
  '((y += x))',
  'if ((x)); then :; fi',
  'x+=+1; ((x))',
  'y=x; ((y))',
  ...['y=("$x"); ((y))', 'y=("$x"); ((y[0]))', 'f() { local y=$1; ((y)); }; f "$x"'],
  ...['declare -i y; read y <<< "$x"', 'declare -i y; for y in "$x"; do :; done', 'declare -ai y=("$x")'],
  ...['declare -i y; printf -v y %s "$x"', 'y=$(printf %s "$x"); ((y))', 'RANDOM=$x', 'OPTIND=$x'],
  ...[
    'declare -i y; : ${y:=$x}',
    'declare -i y; mapfile y <<< "$x"',

    'HISTCMD=$x; : $((HISTCMD))',
  ],
  ...[
    'x=$x bash -c "((x))"',
    ': ${y[@]:x}',
    ': ${y[-1]} ${y[x]}',
    'unset "y[$x]"',

    'echo "${y["x"]}"',
  ],
  ...['((x)) 2> f', 'y=x; let "z = y"', 'declare y=x; ((y))'],
];

/** The same with the text itself instead of a variable. */
const NUMBER_TEXTS: readonly string[] = [
  'let NUMBER',
  'unset NUMBER',
  'read NUMBER <<< 1',
  'printf -v NUMBER 1',
  'test -v NUMBER',
  '[ -v NUMBER ]',
  ...['[[ NUMBER -eq 1 ]]', '[[ 1 -gt NUMBER ]]', 'declare NUMBER=1', 'declare -i x=NUMBER'],
  ...['[[ -v NUMBER ]]', ': $((NUMBER))', '((NUMBER))', 'declare -n r=NUMBER; r=1'],
  ...['y[NUMBER]=1', ': ${y[NUMBER]}'],
];

export const NUMBERS: readonly Context[] = contexts(
  'statements',
  'statements',
  Object.fromEntries([
    ...NUMBER_USES.map((use) => [`number: ${use}`, `‹·a=(1) y=(2); ›x=NUMBER; ${use}`]),
    ...NUMBER_TEXTS.map((use) => [`number itself: ${use}`, `‹·a=(1) y=(2); ›${use}`]),
  ]),
);

function octal(text: string): string {
  return bytes(text)
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
}

function hexadecimal(text: string): string {
  return bytes(text)
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

function bytes(text: string): readonly number[] {
  return [...Buffer.from(text)];
}
