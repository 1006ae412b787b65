import { FOUND_FILES, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { hasFlag } from '../interpret/flags.ts';
import { listing } from './find.ts';
import { UNKNOWN_FILES } from './find-arguments.ts';

/** Programs that pass some lines of their input on unchanged, so a list of paths stays one. */
const filter: ProgramReader = (call) => {
  const { input } = call.command;
  if (listsFiles(call)) return listed(call);
  if (input === undefined || readsFiles(call) || changesLines(call)) return undefined;
  const [first, second, ...tail] = input;
  if (first?.type !== 'text' || second === undefined || second.type === 'text') return undefined;
  if (tail.some((part) => part.type === 'unknown')) return undefined;
  // Of everything, only some is left: of all below a folder, or of the names in it.
  const left = second.type === 'glob' && second.pattern === '**' ? FOUND_FILES : '*';
  const some: Word = second.type === 'glob' ? unknownWord(left) : [second];
  return [first, ...some, ...tail];
};

const LISTS = ['-l', '--files-with-matches', '--files-without-match'];
/** Their flags that change neither which folder is searched nor how names are printed. */
const PLAIN_FLAGS = [
  ...LISTS,
  ...'-e --regexp -i -s -w -F -E -P -S -I -n -a -j --threads --sort -0 -Z --null --hidden -u --no-ignore'.split(
    ' ',
  ),
];
const NARROWING = ['-g', '--glob', '-t', '--type', '--include'];

/** True if they print the files below a folder, or those of them with a match. */
function listsFiles({ parsed, command }: Call): boolean {
  if (command.name === 'rg' && hasFlag(parsed, '--files')) return true;
  const looksBelow = /^(?:rg|ag)$/.test(command.name ?? '') || hasFlag(parsed, '-r', '-R', '--recursive');
  return looksBelow && hasFlag(parsed, ...LISTS);
}

function listed(call: Call): Word | undefined {
  const { parsed, command } = call;
  const areAll = hasFlag(parsed, '--files');
  const hasPattern = areAll || hasFlag(parsed, '-e', '--regexp');
  const folders = parsed.operands.slice(hasPattern ? 0 : 1).map(({ word }) => word);
  // Without a folder, some look at their input.
  if (folders.length === 0 && command.input !== undefined) return undefined;
  const own = command.name === 'rg' ? ['--files'] : ['-r', '-R', '--recursive'];
  const isNarrowed = !areAll || hasFlag(parsed, ...NARROWING);
  return listing(
    call,
    [...PLAIN_FLAGS, ...NARROWING, ...own],
    folders,
    isNarrowed ? UNKNOWN_FILES : undefined,
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
