import type { CommandRow } from '../../src/tools/cli/command.ts';
import { COMMON_OPTIONS } from '../../src/tools/cli/command.ts';
import { optionText, usage } from '../../src/tools/cli/help.ts';
import { EXIT_CODE } from '../../src/tools/cli/io.ts';
import { COMMANDS } from '../../src/tools/cli/table.ts';

const EXIT_TEXTS: Readonly<Record<keyof typeof EXIT_CODE, string>> = {
  ok: 'Fine.',
  findings: 'Findings, or tests that failed.',
  usage: 'The command line cannot be used.',
  invalidPolicy: 'A policy is not valid.',
  internalError: 'An internal error, or output that cannot be written.',
};

/** policy(1), from the help of every command. */
export async function manPage(version: string, description: string): Promise<string> {
  const commands = await Promise.all(COMMANDS.map(commandSection));
  const exits = Object.entries(EXIT_TEXTS).map(([name, text]) =>
    tagged(String(EXIT_CODE[name as keyof typeof EXIT_CODE]), text),
  );
  return [
    `.TH POLICY 1 "" "policy ${version}" "User Commands"`,
    '.SH NAME',
    `policy \\- ${plain(lowered(description))}`,
    '.SH SYNOPSIS',
    '.B policy',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR] [\\fIOPERANDS\\fR]',
    '.SH DESCRIPTION',
    'An agent starts \\fBpolicy hook\\fR before it calls a tool, and obeys its answer.',
    'Policies are YAML files in \\fI.policy/\\fR of a project, in \\fI~/.config/policy\\fR and in \\fI/etc/policy\\fR.',
    '.SH COMMANDS',
    ...commands,
    '.SH EXIT STATUS',
    ...exits,
    '.P',
    '\\fBpolicy hook\\fR ends with what the agent takes for an answer instead.',
    '',
  ].join('\n');
}

async function commandSection({ name, summary, load }: CommandRow): Promise<string> {
  const command = await load();
  const options = [...command.options, ...COMMON_OPTIONS];
  return [
    `.SS policy ${plain(name)}`,
    `${plain(summary)}.`,
    verbatim(usage(name, command)),
    ...options.map((option) => tagged(plain(optionText(option).trim()), `${plain(option.summary)}.`)),
    ...command.details.map((paragraph) => `.P\n${plain(paragraph)}`),
    '.P\nExample:',
    verbatim(command.example),
  ].join('\n');
}

function tagged(tag: string, text: string): string {
  return `.TP\n.B ${tag}\n${text}`;
}

function verbatim(lines: readonly string[]): string {
  return ['.PP', '.nf', '.RS 2', ...lines.map(plain), '.RE', '.fi'].join('\n');
}

/** Text that roff prints unchanged. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(
      /[^\x00-\x7f]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^([.'])/gm, '\\&$1');
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
