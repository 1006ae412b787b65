import type { OptionSpec } from '../args.ts';
import { type CommandWords, takesWord, valueWords } from './words.ts';

/** Lines for fish. */
export function fishCompletion(commands: readonly CommandWords[]): string {
  const rows = commands.map(
    ({ name, summary }) => `-n __fish_use_subcommand -fa ${name} -d ${quoted(summary)}`,
  );
  const options = commands.flatMap(({ name, options }) =>
    options.map((option) => `-n '__fish_seen_subcommand_from ${name}' ${optionText(option)}`),
  );
  const operands = commands.flatMap(({ name, operands, verbs }) => {
    const isAt = `__fish_seen_subcommand_from ${name}`;
    if (operands !== undefined) return [`-n '${isAt}' -fa ${quoted(operands.join(' '))}`];
    const words = verbs.join(' ');
    return words === ''
      ? []
      : [`-n '${isAt}; and not __fish_seen_subcommand_from ${words}' -fa ${quoted(words)}`];
  });
  const lines = [
    "-n __fish_use_subcommand -l help -d 'Show help'",
    "-n __fish_use_subcommand -l version -d 'Show the version'",
    ...rows,
    ...options,
    ...operands,
  ];
  return `# fish completion for policy\n${lines.map((line) => `complete -c policy ${line}\n`).join('')}`;
}

function optionText(option: OptionSpec): string {
  const { name, short, summary } = option;
  const words = valueWords(option);
  const value = !takesWord(option) ? '' : words === undefined ? ' -r' : ` -xa ${quoted(words.join(' '))}`;
  return `${short === undefined ? '' : `-s ${short} `}-l ${name}${value} -d ${quoted(summary)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
