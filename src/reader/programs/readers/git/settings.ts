import { knownText, leadingText, textWord, type Word, wordFrom } from '../../../reading/word.ts';
import type { Call } from '../../../shell/scope/interpreter.ts';
import { setVariable, single, variableOf } from '../../../shell/scope/scope.ts';

/** One setting given on the command line or in the environment. */
export interface Setting {
  readonly key: string;
  readonly value: Word;
  /** The flag or variable it came in. */
  readonly name: string;
}

/** Settings that a call brings along: `-c`, `--config-env`, GIT_CONFIG_KEY_0. */
export function settingsOf(call: Call): readonly Setting[] {
  const found: Setting[] = [];
  const { assignments } = call.command;
  const assigned = (name: string) => assignments.findLast((assignment) => assignment.name === name)?.value;
  const isClone = knownText(call.parsed.operands[0]?.word ?? []) === 'clone';
  for (const { name, value, arg } of call.parsed.flags) {
    if (value === undefined) continue;
    if (isClone ? name === '-c' || name === '--config' : name === '-c' && arg < firstOperand(call))
      found.push(setting(value, '-c'));
    if (name !== '--config-env') continue;
    const { key, value: variable } = setting(value, name);
    found.push({ key, value: assigned(knownText(variable) ?? '') ?? variable, name });
  }
  const alias = `alias.${knownText(call.parsed.operands[0]?.word ?? []) ?? ''}`.toLowerCase();
  for (const value of variableOf(call.frame.scope, keptAs(alias))?.values ?? [])
    found.push({ key: alias, value, name: 'git config' });
  for (const { name, value } of assignments) {
    const index = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    const key = knownText(value)?.toLowerCase();
    if (index !== undefined && key !== undefined)
      found.push({ key, value: assigned(`GIT_CONFIG_VALUE_${index}`) ?? [], name });
    if (name === 'GIT_CONFIG_PARAMETERS')
      call.interpreter.gap(
        'unknown_script',
        call.span,
        `Cannot tell what git runs with the settings in ${name}`,
      );
  }
  return found;
}

/** Keeps an alias that `git config` sets, for the commands of the script that use it. */
export function keepSetting({ frame }: Call, key: string, value: Word): void {
  if (key.startsWith('alias.')) setVariable(frame.scope, keptAs(key), single(value));
}

/** No name that a shell's variable can have. */
function keptAs(key: string): string {
  return `git config ${key}`;
}

function setting(word: Word, name: string): Setting {
  const lead = leadingText(word);
  const equals = lead.indexOf('=');
  if (equals < 0) return { key: lead.toLowerCase(), value: textWord('true'), name };
  return { key: lead.slice(0, equals).toLowerCase(), value: wordFrom(word, equals + 1), name };
}

/** The index of the first operand, which is the subcommand. */
export function firstOperand(call: Call): number {
  return call.parsed.operands[0]?.arg ?? call.args.length;
}
