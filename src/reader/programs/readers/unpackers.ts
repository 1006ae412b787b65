import { inFolder } from '../../reading/path.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  textWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { usePath } from '../interpret/effects-of-words.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';

/** The archive of a call, and the folder for its files. */
interface Unpacking {
  readonly archive: Word | undefined;
  /** The working directory if undefined. */
  readonly into: Word | undefined;
  /** The files to take out; all if absent. */
  readonly members?: readonly Word[];
}

/** Adds the files that a call unpacks: those named, or any below the folder. Fetched if the archive was. */
export function addUnpacked(
  call: Call,
  content: Word | undefined,
  into: Word,
  members: readonly Word[],
): void {
  const paths = members.length === 0 ? [into] : members.map((member) => inFolder(into, member));
  for (const path of paths) call.interpreter.path(call.command, 'write', path, { recursive: true });
  const isFetched = content !== undefined && originsOf(content).some(({ type }) => type === 'network');
  if (isFetched) call.interpreter.keepTree(call, into, content);
}

function unpacker(find: (call: Call) => Unpacking | undefined): ProgramReader {
  return (call) => {
    const found = find(call);
    if (found === undefined) return undefined;
    const { archive, into = textWord('.'), members = [] } = found;
    const content = archive === undefined ? call.command.input : call.interpreter.fileAt(call, archive);
    addUnpacked(call, content, into, members);
    return undefined;
  };
}

function wordsOf({ parsed }: Call): readonly Word[] {
  return parsed.operands.map(({ word }) => word);
}

const unzip = unpacker((call) => {
  if (hasFlag(call.parsed, '-l', '-t', '-v', '-Z', '-p', '-c')) return undefined;
  const [archive, ...members] = wordsOf(call);
  return { archive, into: flagValue(call.parsed, '-d'), members };
});

/** `7z x archive -odir name`: the folder is in the word of its flag. */
const sevenZip = unpacker((call) => {
  const [verb, archive, ...members] = wordsOf(call);
  if (!/^[xe]$/.test(knownText(verb ?? EMPTY_WORD) ?? '')) return undefined;
  const flag = call.args.findLast(({ word }) => leadingText(word).startsWith('-o'))?.word;
  return { archive, into: flag === undefined ? undefined : wordFrom(flag, 2), members };
});

/** `cpio -id < archive`, `cpio -pd folder`. */
const cpio = unpacker((call) => {
  const { parsed } = call;
  if (hasFlag(parsed, '-p', '--pass-through')) return { archive: undefined, into: wordsOf(call)[0] };
  if (!hasFlag(parsed, '-i', '--extract') || hasFlag(parsed, '-t', '--list')) return undefined;
  return { archive: flagValue(parsed, '-F', '--file', '-I'), into: flagValue(parsed, '-D', '--directory') };
});

const PRINTS = ['-c', '--stdout', '--to-stdout'];
const SUFFIX = /\.(?:gz|bz2|xz|lzma|Z|zst|br)$/;

/**
 * `gzip a`, `gunzip a.gz`: gzip's family removes its operands unless it prints or a flag keeps them; others keep them by
 * default.
 */
const packer: ProgramReader = (call) => {
  const { parsed, command, interpreter } = call;
  const { name = '' } = command;
  const isPrinted = hasFlag(parsed, ...PRINTS);
  const isOther = /^(?:un)?(?:zstd|brotli)$/.test(name);
  const isKept = isOther || command.idle || isPrinted || hasFlag(parsed, '-k', '--keep');
  const unpacks = /^[bg]?un/.test(name) || hasFlag(parsed, '-d', '--decompress', '--uncompress');
  for (const operand of parsed.operands) {
    if (!isKept) usePath(call, 'delete', operand, { recursive: true });
    const known = knownText(operand.word);
    if (!unpacks || isPrinted || known === undefined || !SUFFIX.test(known)) continue;
    const file = textWord(known.replace(SUFFIX, ''));
    interpreter.path(command, 'write', file);
    const content = interpreter.fileAt(call, operand.word);
    if (content !== undefined) interpreter.keepFile(call, file, content);
  }
  return undefined;
};

/** Programs that unpack archives and files. tar has a reader of its own. */
export const UNPACKER_READERS: Readonly<Record<string, ProgramReader>> = {
  unzip,
  cpio,
  '7z': sevenZip,
  '7za': sevenZip,
  '7zz': sevenZip,
  ...Object.fromEntries(
    'gzip gunzip pigz unpigz bzip2 bunzip2 xz unxz lzma unlzma compress uncompress zstd unzstd brotli unbrotli'
      .split(' ')
      .map((name) => [name, packer]),
  ),
};
