import type { OptionSpec } from '../args.ts';
import { type CommandWords, takesWord, valueWords } from './words.ts';

/** A function for zsh's own system of completion. */
export function zshCompletion(commands: readonly CommandWords[]): string {
  return `#compdef policy
_policy() {
  local state line
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`).join('')}  )
  _arguments -C '(- *)--help[Show help]' '(- *)--version[Show the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${commands.map(commandCase).join('')}      esac
      ;;
  esac
}
if [ "$funcstack[1]" = _policy ]; then _policy "$@"; else compdef _policy policy; fi
`;
}

function commandCase({ name, options, operands, verbs }: CommandWords): string {
  const listed = (words: readonly string[]) => `(${words.join(' ').replaceAll(':', '\\:')})`;
  const first = verbs.length === 0 ? [] : [`1:operand:${listed(verbs)}`];
  const specs = [
    ...options.flatMap(optionSpecs),
    ...(operands === undefined ? [...first, '*:file:_files'] : [`*:operand:${listed(operands)}`]),
  ];
  return `        ${name}) _arguments -s ${specs.map(quoted).join(' ')} ;;\n`;
}

function optionSpecs(option: OptionSpec): readonly string[] {
  const { name, short, repeatable, summary, value = '' } = option;
  const front = repeatable === true ? '*' : '';
  const words = valueWords(option);
  const action = words === undefined ? '_files' : `(${words.join(' ')})`;
  const explained = `[${summary.replace(/[[\]\\]/g, '\\$&')}]${takesWord(option) ? `:${value}:${action}` : ''}`;
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map(
    (spelling) => `${front}${spelling}${explained}`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
