import { COMMAND_VARIABLE } from '../../reading/command-variable.ts';
import { leadingText, originsOf, type Word, wordFrom } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Call, Frame } from '../../shell/scope/interpreter.ts';
import { setLocal, variableOf } from '../../shell/scope/scope.ts';
import { programFamily } from '../spec/rows.ts';
import { frameInside } from './run-inner.ts';

/** Runs the commands in the variables that are set for a program. Of git, its reader knows where they run. */
export function runVariables(call: Call): void {
  const { name: program, assignments, wrapper } = call.command;
  if (assignments.length === 0 || wrapper || program === undefined || programFamily(program) === 'shell')
    return;
  for (const { name, value, same } of assignments)
    if (COMMAND_VARIABLE.test(name) && same !== true && !isLeftAlone(value, program))
      runConfigured(call, value, name);
}

/** A value from outside is as the person has set it up. Of an unknown one, only git is sure to run it. */
function isLeftAlone(value: Word, program: string): boolean {
  const [only, ...others] = value;
  if (
    only?.type !== 'unknown' ||
    others.some(({ type }) => type !== 'unknown') ||
    originsOf(value).length > 0
  )
    return false;
  return program !== 'git' || (others.length === 0 && COMMAND_VARIABLE.test(only.variable ?? ''));
}

/** Runs the command that a setting or a variable holds, as shells do. */
export function runConfigured(call: Call, value: Word, name: string): void {
  const word = commandIn(value);
  const frame = withoutVariables(frameInside(call, { kind: 'configuration', name }));
  runShellText(call, { word, span: call.span }, frame, `the command in ${name}`);
}

/**
 * The command in a value. `!command`, of LESSOPEN `|command`: the mark says how it is used. `C:/Program Files (x86)/a`: no shell
 * takes the parentheses, and who starts it without one means the folder.
 */
export function commandIn(value: Word): Word {
  const mark = /^(?:!|\|{1,2}-?)/.exec(leadingText(value))?.[0] ?? '';
  const word = mark === '' ? value : wordFrom(value, mark.length);
  return word.map((part) =>
    part.type === 'text' && part.text.includes(' (x86)')
      ? { ...part, text: part.text.replaceAll(/ \(x86\)(?=[\\/])/g, '') }
      : part,
  );
}

/** An editor starts no other editor. */
function withoutVariables(frame: Frame): Frame {
  const { scope, interpreter } = frame;
  for (const name of interpreter.exported) {
    const variable = COMMAND_VARIABLE.test(name) ? variableOf(scope, name) : undefined;
    if (variable !== undefined) setLocal(scope, name, { ...variable, exported: false });
  }
  const environment = frame.environment.filter(({ name }) => !COMMAND_VARIABLE.test(name));
  return { ...frame, environment, input: undefined };
}
