import type { Span } from '../../../reading/reading.ts';
import { joinList, joinWords, knownText, leadingText, textWord, type Word } from '../../../reading/word.ts';
import { runShellText } from '../../../shell/run/shell-text.ts';
import type { Arg, Call, Walker } from '../../../shell/scope/walker.ts';
import { hasFlag } from '../../interpret/arguments.ts';
import { placeInside } from '../../interpret/run-inner.ts';
import { GIT_COMMAND_KEYS, GIT_COMMAND_VARIABLES, GIT_OCCASIONS, type GitOccasion } from './configuration.ts';
import { firstOperand, type Setting } from './settings.ts';

/** Commands that configuration and environment make git run. */
export function runConfigured(
  call: Call,
  subcommand: string,
  settings: readonly Setting[],
  walker: Walker,
): void {
  const run = (table: typeof GIT_COMMAND_KEYS, key: string, value: Word, name: string) => {
    const occasion = table.find(([pattern]) => pattern.test(key))?.[1];
    if (occasion !== undefined && occurs(occasion, subcommand, call))
      runNamed(call, value, name, occasion, walker);
  };
  for (const { key, value, name } of settings) run(GIT_COMMAND_KEYS, key, value, name);
  for (const { name, value } of call.command.assignments) run(GIT_COMMAND_VARIABLES, name, value, name);
}

function occurs(occasion: GitOccasion, subcommand: string, call: Call): boolean {
  if (occasion === 'always' || occasion === 'hooks') return true;
  if (occasion === 'remote' && subcommand === 'archive') return hasFlag(call.parsed, '--remote');
  return (
    GIT_OCCASIONS[occasion].test(subcommand) ||
    (occasion === 'pager' && hasFlag(call.parsed, '-p', '--paginate'))
  );
}

function runNamed(call: Call, value: Word, name: string, occasion: GitOccasion, walker: Walker): void {
  if (occasion === 'hooks') {
    walker.path(call.command, 'execute', value, { recursive: true });
    return;
  }
  const known = knownText(value);
  if (known === '' || known === 'true' || known === 'false') return;
  // A credential helper without a slash or `!` is `git credential-NAME`.
  const lead = leadingText(value);
  const word = lead.startsWith('!') ? joinWords(textWord(lead.slice(1)), value.slice(1)) : value;
  runText(call, word, name, call.span, walker);
}

/** Runs a text that configuration or a flag names as a command. */
export function runText(call: Call, script: Word, name: string, span: Span, walker: Walker): void {
  const place = { ...placeInside(call, { kind: 'configuration', name }), input: undefined };
  runShellText(call, { word: script, span, at: undefined }, place, `the command in ${name}`, walker);
}

/** Flags and operands of subcommands that are commands. */
export function runGiven(call: Call, subcommand: string, walker: Walker): void {
  const { parsed, args } = call;
  const first = firstOperand(call);
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined || arg < first || !COMMAND_FLAG.test(`${subcommand} ${name}`)) continue;
    runText(call, value, name, args[arg]?.span ?? call.span, walker);
  }
  if (subcommand === 'for-each-repo') {
    const git = { word: textWord('git'), span: call.span, at: undefined };
    runArgs(call, [git, ...args.slice(parsed.operands[1]?.arg ?? args.length)], subcommand, walker);
  }
  const nested = knownText(parsed.operands[1]?.word ?? []);
  const start = parsed.operands[2]?.arg;
  if (start === undefined) return;
  const rest = args.slice(start);
  if (subcommand === 'bisect' && nested === 'run') runArgs(call, rest, 'bisect run', walker);
  if (subcommand !== 'submodule' || nested !== 'foreach') return;
  const words = rest.map((arg) => arg.word);
  runText(call, joinList(words), 'submodule foreach', rest[0]?.span ?? call.span, walker);
}

function runArgs(call: Call, rest: readonly Arg[], name: string, walker: Walker): void {
  walker.runCommand(rest, placeInside(call, { kind: 'wrapper', name: `git ${name}` }));
}

/** Flags whose value is a command, behind their subcommands. */
const COMMAND_FLAG =
  /^(?:.* --(?:upload|receive)-pack|rebase (?:-x|--exec)|filter-branch (?!--subdirectory-).*-filter|difftool (?:-x|--extcmd)|(?:push|ls-remote|archive) --exec|clone -u|grep (?:-O|--open-files-in-pager))$/;
