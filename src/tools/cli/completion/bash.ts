import { type CommandWords, takesWord, valueWords } from './words.ts';

/** A script for bash 3.2 and newer, which macOS still has. */
export function bashCompletion(commands: readonly CommandWords[]): string {
  return `# bash completion for policy
_policy() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words='' values='' operands='' verbs=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}'
  else
    case \${COMP_WORDS[1]}:$before in
${commands.flatMap(valueCases).join('')}    esac
    if [ -z "$values" ]; then
      case \${COMP_WORDS[1]} in
${commands.map(optionCase).join('')}      esac
    fi
    case $values:$word in
      :-*) ;;
      :*)
        words=$operands
        [ "$COMP_CWORD" -ne 2 ] || words=\${words:-$verbs}
        [ -n "$words" ] || values=FILE
        ;;
    esac
    [ "$values" = FILE ] || words="$words$values"
  fi
  if [ "$values" = FILE ]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  else
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$word")
  fi
  return 0
}
complete -F _policy policy
`;
}

function valueCases({ name, options }: CommandWords): readonly string[] {
  return options.filter(takesWord).map((option) => {
    const spellings = [`--${option.name}`, ...(option.short === undefined ? [] : [`-${option.short}`])];
    const patterns = spellings.map((spelling) => `${name}:${spelling}`).join(' | ');
    return `      ${patterns}) values='${valueWords(option)?.join(' ') ?? 'FILE'}' ;;\n`;
  });
}

function optionCase({ name, options, operands = [], verbs }: CommandWords): string {
  const words = options.map((option) => `--${option.name}`).join(' ');
  return `        ${name}) words='${words}' operands='${operands.join(' ')}' verbs='${verbs.join(' ')}' ;;\n`;
}
