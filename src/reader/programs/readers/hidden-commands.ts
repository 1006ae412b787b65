import { EMPTY_WORD, knownText, originsOf, textWord } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue } from '../interpret/flags.ts';
import { isStandardInput } from '../interpret/input-text.ts';
import { runInner } from '../interpret/run-inner.ts';

/** `crontab file`, `at -f file`, and both with the script on standard input. */
const schedule: ProgramReader = (call) => {
  const { input } = call.command;
  const reads = call.command.name !== 'crontab' || call.args.some((arg) => knownText(arg.word) === '-');
  if (input === undefined || !reads) return undefined;
  const known = knownText(input);
  const script =
    call.command.name === 'crontab' && known !== undefined
      ? textWord(known.replace(/^(?:@\w+|(?:\S+\s+){5})/gm, ''))
      : input;
  runInner(call, script, call.span);
  return undefined;
};

/** Recipes that make reads from its input are not read. */
const make: ProgramReader = (call) => {
  const { command, parsed, span, interpreter } = call;
  const file = flagValue(parsed, '-f', '--file', '--makefile') ?? EMPTY_WORD;
  if (knownText(file) !== '-' && !isStandardInput(file)) return undefined;
  addRemoteCode(command, originsOf(command.input ?? EMPTY_WORD), span, interpreter);
  interpreter.gap('unknown_script', span, 'Cannot tell which commands the recipes of make run');
  return undefined;
};

/** Programs that take commands or folders where one would not look for them. */
export const HIDDEN_COMMAND_READERS: Readonly<Record<string, ProgramReader>> = {
  crontab: schedule,
  at: schedule,
  batch: schedule,
  make,
  gmake: make,
};
