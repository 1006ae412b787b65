import { EMPTY_WORD, knownText, leadingText, type Word } from '../../../reading/word.ts';
import { variableOf } from '../../../shell/scope/scope.ts';
import type { Call } from '../../../shell/scope/walker.ts';
import { hasFlag } from '../../interpret/arguments.ts';
import { firstOperand, type Setting, settingVariable } from './settings.ts';

/** A setting with which git does what a flag asks for. `*` is the name of the remote. */
interface ImplyingSetting {
  readonly subcommand: string;
  readonly key: string;
  readonly value: RegExp;
  readonly flag: string;
}

const AT_ONCE = /^(?:now|all|0|never$|[01]\.(?:second|minute))/i;

const IMPLYING: readonly ImplyingSetting[] = [
  { subcommand: 'push', key: 'remote.*.mirror', value: /^(?:true|yes|on|1)$/i, flag: '--mirror' },
  { subcommand: 'push', key: 'remote.*.push', value: /^\+/, flag: '--force' },
  { subcommand: 'gc', key: 'gc.pruneexpire', value: AT_ONCE, flag: '--prune' },
  { subcommand: 'gc', key: 'gc.reflogexpire', value: AT_ONCE, flag: '--prune' },
  { subcommand: 'gc', key: 'gc.reflogexpireunreachable', value: AT_ONCE, flag: '--prune' },
];

/** Adds the flags that git behaves as if it had been given. */
export function addImpliedFlags(call: Call, subcommand: string, settings: readonly Setting[]): void {
  const { command, parsed } = call;
  const add = (name: string) => {
    command.flags = [...command.flags, { name, written: name, value: undefined, arg: firstOperand(call) }];
  };
  const remote = knownText(parsed.operands[1]?.word ?? EMPTY_WORD) ?? 'origin';
  for (const row of IMPLYING) {
    if (row.subcommand !== subcommand) continue;
    const key = row.key.replace('*', (remote === '' ? 'origin' : remote).toLowerCase());
    if (row.value.test(leadingText(settingOf(call, key, settings)))) add(row.flag);
  }
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
