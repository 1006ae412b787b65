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
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { usePath } from '../interpret/effects-of-words.ts';

/** What a call unpacks, and where; undefined if it unpacks nothing. */
interface Unpacking {
  readonly archive: Word | undefined;
  /** The working directory if undefined. */
  readonly into: Word | undefined;
  /** What is taken out; everything if that is not said. */
  readonly members?: readonly Word[];
}

/**
 * What is unpacked may have any name below the folder that it is put into, unless it is said which. It was fetched if the
 * archive was.
 */
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

const PRINTS = ['-c', '--stdout', '--to-stdout'];

/** What the programs of gzip's family are given goes away, unless they print or are told to keep it. */
const packer: ProgramReader = (call) => {
  const { parsed, command } = call;
  if (command.idle || hasFlag(parsed, '-k', '--keep', ...PRINTS)) return undefined;
  for (const operand of parsed.operands) usePath(call, 'delete', operand, { recursive: true });
  return undefined;
};

/** The others keep it, unless they are told not to. */
const keeper: ProgramReader = (call) => {
  if (hasFlag(call.parsed, '--rm', '-j'))
    for (const operand of call.parsed.operands) usePath(call, 'delete', operand);
  return undefined;
};

/** `gunzip a.gz` leaves `a`. */
function decompressor(
  suffix: RegExp,
  decompresses: (call: Call) => boolean,
  becomes: ProgramReader = packer,
): ProgramReader {
  return (call) => {
    const { interpreter } = call;
    becomes(call);
    if (!decompresses(call) || hasFlag(call.parsed, ...PRINTS)) return undefined;
    for (const { word } of call.parsed.operands) {
      const name = knownText(word);
      if (name === undefined || !suffix.test(name)) continue;
      const file = textWord(name.replace(suffix, ''));
      interpreter.path(call.command, 'write', file);
      const content = interpreter.fileAt(call, word);
      if (content !== undefined) interpreter.keepFile(call, file, content);
    }
    return undefined;
  };
}

const always = () => true;
const withFlag = ({ parsed }: Call) => hasFlag(parsed, '-d', '--decompress', '--uncompress');

/** Programs that unpack archives and files. tar has a reader of its own. */
export const UNPACKER_READERS: Readonly<Record<string, ProgramReader>> = {
  unzip,
  '7z': sevenZip,
  '7za': sevenZip,
  '7zz': sevenZip,
  gunzip: decompressor(/\.gz$/, always),
  gzip: decompressor(/\.gz$/, withFlag),
  pigz: decompressor(/\.gz$/, withFlag),
  unpigz: decompressor(/\.gz$/, always),
  bunzip2: decompressor(/\.bz2$/, always),
  bzip2: decompressor(/\.bz2$/, withFlag),
  unxz: decompressor(/\.xz$/, always),
  xz: decompressor(/\.xz$/, withFlag),
  lzma: decompressor(/\.lzma$/, withFlag),
  unlzma: decompressor(/\.lzma$/, always),
  compress: packer,
  uncompress: decompressor(/\.Z$/, always),
  unzstd: decompressor(/\.zst$/, always, keeper),
  zstd: decompressor(/\.zst$/, withFlag, keeper),
  brotli: decompressor(/\.br$/, withFlag, keeper),
  unbrotli: decompressor(/\.br$/, always, keeper),
};
