import { COMMAND_VARIABLE, TOOL_VARIABLE } from '../../reading/command-variable.ts';
import { knownText, leadingText, originsOf, showWord, type Word, wordFrom } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Call, Frame } from '../../shell/scope/interpreter.ts';
import { functionsOf, setLocal, variableOf } from '../../shell/scope/scope.ts';
import { programFamily } from '../spec/rows.ts';
import { LOADED_FROM } from './loaded-environment.ts';
import { frameInside } from './run-inner.ts';

/** Runs the commands in the variables that are set for a program. Of git, its reader knows where they run. */
export function runVariables(call: Call): void {
  const { name: program, assignments, wrapper } = call.command;
  if (assignments.length === 0 || wrapper || program === undefined || programFamily(program) === 'shell')
    return;
  for (const { name, value, same } of assignments)
    if (mayHoldCommand(name, value) && same !== true && !isLeftAlone(call, value, name))
      runOnce(call, value, name);
}

/** A tool without arguments does nothing, and a person may have set the unknown words in front of it: `$CCACHE gcc`. */
function mayHoldCommand(name: string, value: Word): boolean {
  if (!TOOL_VARIABLE.test(name)) return COMMAND_VARIABLE.test(name);
  const known = knownText(value);
  return known === undefined ? /[;&|`\n]/.test(leadingText(value)) : /\S[\s;&|]/.test(known);
}

/** A command that did nothing for one program does nothing for others but git, unless the script has a function of its name. */
function runOnce(call: Call, value: Word, name: string): void {
  const { interpreter, frame, command } = call;
  const text = knownText(value) ?? '';
  const [, ...words] = /^(\w+)(?: (\w+))?(?: [\w=+-]+)*$/.exec(text) ?? [];
  const via = frame.via.map((step) => `${step.kind} ${step.name}`);
  const forGit = command.name === 'git' ? 'git' : '';
  const key = [name, text, forGit, showWord(command.cwd), ...via].join('\0');
  const mayRepeat =
    words.length > 0 &&
    words.every((word) => word === undefined || functionsOf(frame.scope, word).length === 0);
  if (mayRepeat && interpreter.idleVariables.has(key)) return;
  const before = interpreter.commands.length;
  runConfigured(call, value, name);
  const run = interpreter.commands.slice(before);
  const isIdle = run.length > 0 && run.every(({ effects }) => effects.length === 0);
  if (mayRepeat && isIdle) interpreter.idleVariables.add(key);
}

/** A value from outside is as the person has set it up. Of an unknown one, only git is sure to run it. */
function isLeftAlone({ command: { name: program, assignments } }: Call, value: Word, name: string): boolean {
  const [only, ...others] = value;
  if (
    only?.type !== 'unknown' ||
    others.some(({ type }) => type !== 'unknown') ||
    originsOf(value).length > 0
  )
    return false;
  if (program !== 'git') return true;
  const isOwn = others.length === 0 && COMMAND_VARIABLE.test(only.variable ?? '');
  const mayBeSet = assignments.some((each) => each.name === LOADED_FROM);
  return isOwn && !mayBeSet && kindOf(only.variable ?? '') === kindOf(name);
}

/** Editors are of one kind, whatever program they are for, and so are pagers. */
function kindOf(name: string): string {
  const upper = name.toUpperCase();
  const [kind = upper] = /PAGER$|EDITOR$|VISUAL$|FCEDIT$|BROWSER$|ASKPASS$/.exec(upper) ?? [];
  return kind === 'VISUAL' || kind === 'FCEDIT' ? 'EDITOR' : kind;
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

function isForCommands(name: string): boolean {
  return COMMAND_VARIABLE.test(name) || TOOL_VARIABLE.test(name);
}

/** An editor starts no other editor. */
function withoutVariables(frame: Frame): Frame {
  const { scope, interpreter } = frame;
  for (const name of interpreter.exported) {
    const variable = isForCommands(name) ? variableOf(scope, name) : undefined;
    if (variable !== undefined) setLocal(scope, name, { ...variable, exported: false });
  }
  const environment = frame.environment.filter(({ name }) => !isForCommands(name));
  return { ...frame, environment, input: undefined };
}
