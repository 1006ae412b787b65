import { alignColumns } from '../report/layout/columns.ts';
import { wrapText } from '../report/layout/wrap-text.ts';
import type { OptionSpec } from './args.ts';
import { COMMAND_GROUPS, COMMON_OPTIONS, type Command, type CommandRow } from './command.ts';
import { COMMANDS } from './table.ts';

const MAX_USAGE_CHARS = 100;
/** As wide as the texts are written. */
const MAX_TEXT_CHARS = 120;
const INDENT = '  ';

/**
 * The list of commands.
 *
 * @param all true if commands count that programs start
 * @param columns how wide the terminal is that it is for
 */
export function programHelp(all: boolean, columns?: number): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([group, title]): [string, readonly string[]][] => {
    if (group === 'programs' && !all) return [];
    const rows = COMMANDS.filter((row) => row.group === group);
    return [
      [
        title,
        twoColumns(
          rows.map(({ name, summary }) => [name.padEnd(width), summary]),
          columns,
        ),
      ],
    ];
  });
  return sections(columns, [
    ['', ['policy checks what an AI agent is about to do against policies written in YAML.']],
    ['Usage', ['policy COMMAND [OPTIONS] [OPERANDS]']],
    ...groups,
    ['Example', ['$ policy init', '$ policy check', "$ policy explain --command 'git push origin main'"]],
    [
      'More',
      twoColumns(
        [
          ['policy COMMAND --help', 'Explain a command'],
          ['policy docs TOPIC', 'Open the documentation, as in policy docs url'],
          ['policy --version', 'Show the build'],
          all
            ? ['policy completion SHELL', 'Print a completion script for bash, zsh or fish']
            : ['policy --help --all', 'List what programs start, too'],
        ],
        columns,
      ),
    ],
  ]);
}

/**
 * The help of one command.
 *
 * @param columns how wide the terminal is that it is for
 */
export function commandHelp({ name, summary }: CommandRow, command: Command, columns?: number): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  return sections(columns, [
    ['', [summary]],
    ['Usage', usage(name, command, columns)],
    [
      'Options',
      twoColumns(
        options.map((option) => [optionText(option), option.summary]),
        columns,
      ),
    ],
    ...command.details.map((paragraph): [string, string[]] => ['', paragraph.split('\n')]),
    ['Example', command.example],
  ]);
}

/** The usage line, broken where it gets too long. */
export function usage(name: string, command: Command, columns?: number): readonly string[] {
  const maxChars = Math.min(MAX_USAGE_CHARS, (columns ?? Number.POSITIVE_INFINITY) - INDENT.length);
  const start = `policy ${name}`;
  const options = command.options.map((option) => {
    const text = `[--${option.name}${valueText(option)}]`;
    return option.repeatable === true ? `${text}...` : text;
  });
  const lines: string[] = [];
  let line = start;
  for (const part of [...options, ...(command.operands === undefined ? [] : [command.operands])]) {
    if (line.length + 1 + part.length > maxChars) {
      lines.push(line);
      line = ' '.repeat(start.length);
    }
    line += ` ${part}`;
  }
  return [...lines, line];
}

export function optionText(option: OptionSpec): string {
  const front = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${front}--${option.name}${valueText(option)}`;
}

function valueText({ value, optional }: OptionSpec): string {
  if (value === undefined) return '';
  return optional === true ? `[=${value}]` : ` ${value}`;
}

/** Names and their meanings. */
function twoColumns(
  rows: readonly (readonly [string, string])[],
  columns: number | undefined,
): readonly string[] {
  return alignColumns(rows, { columns: columns === undefined ? undefined : columns - INDENT.length });
}

/** Titled sections are indented, untitled ones are running text. */
function sections(
  columns: number | undefined,
  parts: readonly (readonly [string, readonly string[]])[],
): string {
  const texts = parts.map(([title, lines]) => {
    if (title !== '') return `${title}\n${lines.map((line) => `${INDENT}${line}`.trimEnd()).join('\n')}`;
    return (
      columns === undefined ? lines : wrapText(lines.join(' '), Math.min(columns, MAX_TEXT_CHARS))
    ).join('\n');
  });
  return `${texts.join('\n\n')}\n`;
}
