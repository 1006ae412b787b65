import { EMPTY_WORD, knownText, leadingText, type Word } from '../../../reading/word.ts';
import { variableOf } from '../../../shell/scope/scope.ts';
import type { Call } from '../../../shell/scope/walker.ts';
import { hasFlag } from '../../interpret/arguments.ts';
import { firstOperand, type Setting, settingVariable } from './settings.ts';

/** Settings that say how old what is pruned has to be, and values with which nothing is too young. */
const PRUNE_KEYS = ['gc.pruneexpire', 'gc.reflogexpire', 'gc.reflogexpireunreachable'];
const AT_ONCE = /^(?:now|all|0|never$|[01]\.(?:second|minute))/i;

/** Adds the flags that git behaves as if it had been given. */
export function addImpliedFlags(call: Call, subcommand: string, settings: readonly Setting[]): void {
  const { command, parsed } = call;
  const add = (name: string) => {
    command.flags = [...command.flags, { name, written: name, value: undefined, arg: firstOperand(call) }];
  };
  const remote = knownText(parsed.operands[1]?.word ?? EMPTY_WORD) || 'origin';
  const setting = (key: string) =>
    leadingText(settingOf(call, `remote.${remote}.${key}`.toLowerCase(), settings));
  if (subcommand === 'push' && /^(?:true|yes|on|1)$/i.test(setting('mirror'))) add('--mirror');
  if (
    subcommand === 'gc' &&
    PRUNE_KEYS.some((key) => AT_ONCE.test(leadingText(settingOf(call, key, settings))))
  )
    add('--prune');
  if (subcommand === 'push' && setting('push').startsWith('+')) add('--force');
  if (subcommand === 'push' && parsed.operands.slice(2).some(({ word }) => deletesRef(word))) add('--delete');
  if (subcommand === 'update-ref' && hasFlag(parsed, '--stdin') && mayDelete(command.input)) add('-d');
}

/** `:branch`; a colon alone is no deletion. */
function deletesRef(word: Word): boolean {
  return leadingText(word).startsWith(':') && (word.length > 1 || leadingText(word).length > 1);
}

function settingOf(call: Call, key: string, settings: readonly Setting[]): Word {
  const given = settings.findLast((setting) => setting.key === key)?.value;
  return given ?? variableOf(call.place.scope, settingVariable(key))?.values.at(-1) ?? EMPTY_WORD;
}

/** The input of `update-ref --stdin` has a command in each line. */
function mayDelete(input: Word | undefined): boolean {
  if (input === undefined) return false;
  const known = knownText(input);
  return known === undefined || /(?:^|[\n\0])[^\S\n]*delete\s/.test(known);
}
