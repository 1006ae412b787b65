import { SOMEWHERE, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { hasFlag } from '../interpret/arguments.ts';

/**
 * Programs that let some lines of their input through, as they are: a list of paths below a folder stays one.
 */
const filter: ProgramReader = (call) => {
  const { input } = call.command;
  if (input === undefined || readsFiles(call) || changesLines(call)) return undefined;
  const [first, second, ...tail] = input;
  if (first?.type !== 'text' || second === undefined || second.type === 'text') return undefined;
  if (tail.some((part) => part.type === 'unknown')) return undefined;
  // Of everything, only some is left: of all below a folder, or of the names in it.
  const left = second.type === 'glob' && second.pattern === '**' ? SOMEWHERE : '*';
  const some: Word = second.type === 'glob' ? unknownWord(left) : [second];
  return [first, ...some, ...tail];
};

function readsFiles({ parsed, command }: Call): boolean {
  const own = /grep$|^rg$|^ag$/.test(command.name ?? '') && !hasFlag(parsed, '-e', '--regexp', '-f') ? 1 : 0;
  return parsed.operands.length > own;
}

/** Flags that add something to a line or leave something of it out. */
function changesLines({ parsed, command }: Call): boolean {
  if (hasFlag(parsed, '-c', '--count')) return true;
  if (!/grep$|^rg$|^ag$/.test(command.name ?? '')) return false;
  return hasFlag(parsed, '-o', '-n', '-H', '-b', '-l', '-L', '-q', '--only-matching', '--line-number');
}

export const FILTER_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  'grep egrep fgrep findstr rg ag sort uniq head tail tac shuf sponge'
    .split(' ')
    .map((name) => [name, filter]),
);
