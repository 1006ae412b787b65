import { EMPTY_WORD, knownText, showWord, type Word } from '../../reading/word.ts';
import { UNSET } from '../../shell/expand/variable-value.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { mergeBranches, newScope, setLocal, single, variableOf } from '../../shell/scope/scope.ts';
import type { Draft, Place, ProgramReader } from '../../shell/scope/walker.ts';
import { hasFlag } from '../interpret/arguments.ts';

/**
 * The script of a trap is read where it is set, and once more at the end, when what it names may mean something else. What
 * it sets may be set from then on.
 */
export const trap: ProgramReader = (call, walker) => {
  const [script] = call.parsed.operands;
  const arg = script === undefined ? undefined : call.args[script.arg];
  if (arg === undefined || hasFlag(call.parsed, '-p', '-l')) return undefined;
  if (call.parsed.operands.length < 2 || knownText(arg.word) === '-') return EMPTY_WORD;
  const signal = showWord(call.parsed.operands[1]?.word ?? EMPTY_WORD);
  const via: Place['via'] = [...call.place.via, { kind: 'trap', name: signal }];
  const { scope } = call.place;
  const { commands } = walker;
  const runTrap = (unset: ReadonlySet<string>): readonly Draft[] => {
    const first = commands.length;
    const branch = newScope('branch', scope);
    for (const name of unset) setLocal(branch, name, single(UNSET));
    const place: Place = { ...call.place, scope: branch, via, parent: call.index, captured: false };
    runShellText(call, arg, place, 'the script of trap', walker);
    if (unset.size === 0) mergeBranches(scope, [branch], false);
    return commands.slice(first);
  };
  const first = commands.length;
  const early = runTrap(NO_NAMES);
  walker.traps.push(() => {
    const again = commands.length;
    const late = runTrap(NO_NAMES);
    const setSince = new Set(outsideNames(early).filter((name) => variableOf(scope, name) !== undefined));
    if (late.map(shown).join('\n') === early.map(shown).join('\n')) commands.length = again;
    else if (setSince.size > 0) {
      // A variable that the script sets afterwards is unset until then, and does not come from outside.
      const end = commands.length;
      const unset = runTrap(setSince);
      commands.length = end;
      if (unset.length !== early.length) return;
      for (const [index, { feeds, fedBy, parent }] of early.entries()) {
        const read = unset[index];
        if (read !== undefined) commands[first + index] = { ...read, feeds, fedBy, parent };
      }
    }
  });
  return EMPTY_WORD;
};

const NO_NAMES: ReadonlySet<string> = new Set();

function shown({ program, args, cwd }: Draft): string {
  return [program, ...args, cwd].map(showWord).join('\0');
}

/** The variables in the words of commands of which nobody knows what they hold. */
function outsideNames(commands: readonly Draft[]): readonly string[] {
  const words = commands.flatMap(({ program, args, cwd, redirections }): readonly Word[] => [
    program,
    ...args,
    cwd,
    ...redirections.map(({ target }) => target),
  ]);
  return words.flat().flatMap((part) => (part.type === 'unknown' ? (part.variable ?? []) : []));
}
