import { alignColumns } from '../report/columns.ts';
import type { OptionSpec } from './args.ts';
import { COMMON_OPTIONS, type Command, type CommandRow } from './command.ts';
import { COMMANDS } from './table.ts';

/** The list of commands. */
export function programHelp(): string {
  return sections([
    ['', ['policy judges what an AI agent is about to do, by policies written in YAML.']],
    ['Usage', ['policy COMMAND [OPTIONS] [OPERANDS]']],
    ['Commands', alignColumns(COMMANDS.map(({ name, summary }) => [name, summary]))],
    [
      'Example',
      [
        '$ policy init',
        '$ policy check',
        `$ policy explain - <<< '{"tool":"shell","arguments":{"command":"git push -f"}}'`,
      ],
    ],
    ['', ['policy COMMAND --help says more; policy --version says which build this is.']],
  ]);
}

/** The help of one command. */
export function commandHelp({ name, summary }: CommandRow, command: Command): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  return sections([
    ['', [summary]],
    ['Usage', [usage(name, command)]],
    ['Options', alignColumns(options.map((option) => [optionText(option), option.summary]))],
    ...command.details.map((paragraph): [string, string[]] => ['', paragraph.split('\n')]),
    ['Example', command.example],
  ]);
}

function usage(name: string, command: Command): string {
  const options = command.options.map((option) => {
    const text = `[--${option.name}${option.value === undefined ? '' : ` ${option.value}`}]`;
    return option.repeatable === true ? `${text}...` : text;
  });
  return ['policy', name, ...options, command.operands].filter((part) => part !== undefined).join(' ');
}

function optionText({ name, short, value }: OptionSpec): string {
  const front = short === undefined ? '    ' : `-${short}, `;
  return `${front}--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** Titled sections are indented, untitled ones are running text. */
function sections(parts: readonly (readonly [string, readonly string[]])[]): string {
  const texts = parts.map(([title, lines]) =>
    title === '' ? lines.join('\n') : `${title}\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
  return `${texts.join('\n\n')}\n`;
}
