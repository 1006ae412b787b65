import { EMPTY_WORD, knownText, showWord } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { newScope } from '../../shell/scope/scope.ts';
import type { Place, ProgramReader } from '../../shell/scope/walker.ts';
import { hasFlag } from '../interpret/arguments.ts';

/** The script of a trap is read at the end, with what its names mean by then. */
export const trap: ProgramReader = (call, walker) => {
  const [script, signal] = call.parsed.operands;
  const arg = script === undefined ? undefined : call.args[script.arg];
  if (arg === undefined || hasFlag(call.parsed, '-p', '-l')) return undefined;
  if (signal === undefined || knownText(arg.word) === '-') return EMPTY_WORD;
  const via: Place['via'] = [...call.place.via, { kind: 'trap', name: showWord(signal.word) }];
  walker.traps.push(() => {
    const scope = newScope('branch', call.place.scope);
    const place: Place = { ...call.place, scope, via, parent: call.index, captured: false };
    runShellText(call, arg, place, 'the script of trap', walker);
  });
  return EMPTY_WORD;
};
