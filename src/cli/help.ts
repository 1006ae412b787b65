import { alignColumns } from '../report/columns.ts';
import type { OptionSpec } from './args.ts';
import { COMMON_OPTIONS, type Command, type CommandRow } from './command.ts';
import { COMMANDS } from './table.ts';

const MAX_USAGE_CHARS = 100;

/** The list of commands. */
export function programHelp(): string {
  return sections([
    ['', ['policy judges what an AI agent is about to do, by policies written in YAML.']],
    ['Usage', ['policy COMMAND [OPTIONS] [OPERANDS]']],
    ['Commands', alignColumns(COMMANDS.map(({ name, summary }) => [name, summary]))],
    ['Example', ['$ policy init', '$ policy check', "$ policy explain --command 'git push -f'"]],
    [
      '',
      [
        'policy COMMAND --help says more; policy --version says which build this is.',
        'policy completion bash|zsh|fish prints what makes that shell complete command lines.',
      ],
    ],
  ]);
}

/** The help of one command. */
export function commandHelp({ name, summary }: CommandRow, command: Command): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  return sections([
    ['', [summary]],
    ['Usage', usage(name, command)],
    ['Options', alignColumns(options.map((option) => [optionText(option), option.summary]))],
    ...command.details.map((paragraph): [string, string[]] => ['', paragraph.split('\n')]),
    ['Example', command.example],
  ]);
}

/** The usage line, broken where it gets too long. */
export function usage(name: string, command: Command): readonly string[] {
  const start = `policy ${name}`;
  const options = command.options.map((option) => {
    const text = `[--${option.name}${valueText(option)}]`;
    return option.repeatable === true ? `${text}...` : text;
  });
  const lines: string[] = [];
  let line = start;
  for (const part of [...options, ...(command.operands === undefined ? [] : [command.operands])]) {
    if (line.length + 1 + part.length > MAX_USAGE_CHARS) {
      lines.push(line);
      line = ' '.repeat(start.length);
    }
    line += ` ${part}`;
  }
  return [...lines, line];
}

/** An option as the help lists it. */
export function optionText(option: OptionSpec): string {
  const front = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${front}--${option.name}${valueText(option)}`;
}

function valueText({ value, optional }: OptionSpec): string {
  if (value === undefined) return '';
  return optional === true ? `[=${value}]` : ` ${value}`;
}

/** Titled sections are indented, untitled ones are running text. */
function sections(parts: readonly (readonly [string, readonly string[]])[]): string {
  const texts = parts.map(([title, lines]) =>
    title === '' ? lines.join('\n') : `${title}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}`,
  );
  return `${texts.join('\n\n')}\n`;
}
