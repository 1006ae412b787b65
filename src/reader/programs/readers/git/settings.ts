import { joinList, knownText, leadingText, textWord, type Word, wordFrom } from '../../../reading/word.ts';
import type { Call } from '../../../shell/scope/interpreter.ts';
import { setVariable, single, variableOf } from '../../../shell/scope/scope.ts';
import { runConfigured, runVariables } from '../../interpret/run-configured.ts';
import { frameInside, runInner } from '../../interpret/run-inner.ts';

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
      for (const each of assignments)
        if (each.name === `GIT_CONFIG_VALUE_${index}`) found.push({ key, value: each.value, name });
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

/** Configuration keys (and the ends of keys with a name in the middle) whose value is a command. */
const COMMAND_KEY =
  /^(?:core\.(?:sshcommand|gitproxy|askpass|fsmonitor|pager|editor)|pager\..+|sequence\.editor|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs)|diff\.(?:external|.+\.(?:command|textconv))|interactive\.difffilter|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|(?:difftool|mergetool|browser|man)\..+\.(?:cmd|path)|gpg\.(?:.+\.)?program|uploadpack\.packobjectshook|sendemail\..*(?:smtpserver|tocmd|cccmd))$/;

/** Keys and variables whose value is a folder of commands. */
const HOOKS = /^(?:core\.hookspath|init\.templatedir|GIT_TEMPLATE_DIR|GIT_EXEC_PATH)$/;

/** Commands that settings and the environment may make git run. A helper for credentials without a slash or `!` is git's own. */
export function runSettings(call: Call, settings: readonly Setting[]): void {
  for (const setting of settings) runSetting(call, setting);
  for (const { key, value } of [
    ...settings,
    ...call.command.assignments.map(({ name, value }) => ({ key: name, value })),
  ])
    if (HOOKS.test(key)) call.interpreter.path(call.command, 'execute', value, { recursive: true });
  runVariables(call);
}

export function runSetting(call: Call, { key, value, name }: Setting): void {
  if (COMMAND_KEY.test(key) && !/^(?:true|false|)$/.test(knownText(value) ?? '?'))
    runConfigured(call, value, name);
}

/** `git bisect run command`, `git submodule foreach script`; of `git for-each-repo` nobody can tell. */
export function runNestedCommand(call: Call): void {
  const [subcommand, nested, first] = call.parsed.operands;
  if (knownText(subcommand?.word ?? []) === 'for-each-repo')
    call.interpreter.gap('unknown_script', call.span, 'Cannot tell what git runs in each repository');
  if (first === undefined) return;
  const name = `${knownText(subcommand?.word ?? []) ?? ''} ${knownText(nested?.word ?? []) ?? ''}`;
  const rest = call.args.slice(first.arg);
  if (name === 'bisect run')
    call.interpreter.runCommand(rest, frameInside(call, { kind: 'wrapper', name: `git ${name}` }));
  if (name === 'submodule foreach')
    runInner(call, joinList(rest.map(({ word }) => word)), rest[0]?.span ?? call.span);
}
