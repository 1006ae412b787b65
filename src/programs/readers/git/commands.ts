import type { Span } from '../../../reading/reading.ts';
import { joinList, knownText, leadingText, textWord, type Word, wordFrom } from '../../../reading/word.ts';
import { runShellText } from '../../../shell/run/shell-text.ts';
import type { Arg, Call, Walker } from '../../../shell/scope/walker.ts';
import { argumentSpan } from '../../interpret/effects-of-words.ts';
import { placeInside } from '../../interpret/run-inner.ts';
import { GIT_COMMAND_KEY, GIT_COMMAND_VARIABLE, GIT_HOOKS } from './configuration.ts';
import { firstOperand, type Setting } from './settings.ts';

/** Commands that configuration and environment may make git run. */
export function runConfigured(call: Call, settings: readonly Setting[], walker: Walker): void {
  for (const { key, value, name } of settings)
    if (GIT_HOOKS.test(key) || GIT_COMMAND_KEY.test(key)) runNamed(call, value, key, name, walker);
  for (const { name, value } of call.command.assignments)
    if (GIT_HOOKS.test(name) || GIT_COMMAND_VARIABLE.test(name)) runNamed(call, value, name, name, walker);
}

function runNamed(call: Call, value: Word, key: string, name: string, walker: Walker): void {
  if (GIT_HOOKS.test(key)) {
    walker.path(call.command, 'execute', value, { recursive: true });
    return;
  }
  const known = knownText(value);
  if (known === '' || known === 'true' || known === 'false') return;
  // A credential helper without a slash or `!` is `git credential-NAME`.
  const word = leadingText(value).startsWith('!') ? wordFrom(value, 1) : value;
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
    runText(call, value, name, argumentSpan(call, arg), walker);
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
