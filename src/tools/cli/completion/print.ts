import type { OptionSpec } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { bashCompletion } from './bash.ts';
import { type CommandWords, commandWords, takesWord, valueWords } from './words.ts';
import { zshCompletion } from './zsh.ts';

/** The shells that complete command lines of this program, with the scripts that make them do so. */
export const COMPLETIONS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `policy completion SHELL`: not a row of the table of commands, which it prints. */
export async function printCompletion(shells: readonly string[], io: Io): Promise<number> {
  const [, script] = Object.entries(COMPLETIONS).find(([name]) => name === shells.join(' ')) ?? [];
  if (script === undefined) {
    const known = Object.keys(COMPLETIONS).join(', ');
    throw new UsageError(`Cannot complete in shell "${shells.join(' ')}": give one of ${known}`);
  }
  io.stdout.write(script(await commandWords()));
  return EXIT_CODE.ok;
}

function fishCompletion(commands: readonly CommandWords[]): string {
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
