import { SOMEWHERE, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { hasFlag } from '../interpret/flags.ts';
import { below } from './find.ts';
import { SOME_FILES } from './find-arguments.ts';

/**
 * Programs that let some lines of their input through, as they are: a list of paths below a folder stays one.
 */
const filter: ProgramReader = (call) => {
  const { input } = call.command;
  if (listsFiles(call)) return listed(call);
  if (input === undefined || readsFiles(call) || changesLines(call)) return undefined;
  const [first, second, ...tail] = input;
  if (first?.type !== 'text' || second === undefined || second.type === 'text') return undefined;
  if (tail.some((part) => part.type === 'unknown')) return undefined;
  // Of everything, only some is left: of all below a folder, or of the names in it.
  const left = second.type === 'glob' && second.pattern === '**' ? SOMEWHERE : '*';
  const some: Word = second.type === 'glob' ? unknownWord(left) : [second];
  return [first, ...some, ...tail];
};

const LISTS = ['-l', '-L', '--files-with-matches', '--files-without-match'];

/** Do they print the files below a folder, or those of them with a match? */
function listsFiles({ parsed, command }: Call): boolean {
  if (command.name === 'rg' && hasFlag(parsed, '--files')) return true;
  const looksBelow = /^(?:rg|ag)$/.test(command.name ?? '') || hasFlag(parsed, '-r', '-R', '--recursive');
  return looksBelow && hasFlag(parsed, ...LISTS);
}

function listed({ parsed }: Call): Word | undefined {
  const areAll = hasFlag(parsed, '--files');
  const hasPattern = areAll || hasFlag(parsed, '-e', '--regexp', '-f', '--file');
  const [folder = { word: textWord('.') }, ...others] = parsed.operands.slice(hasPattern ? 0 : 1);
  if (others.length > 0) return undefined;
  return below(
    folder.word,
    areAll && !hasFlag(parsed, '-g', '--glob', '-t', '--type') ? undefined : SOME_FILES,
  );
}

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
