import { hasFlag } from '../arguments.ts';
import type { Call, ProgramReader, Walker } from '../walker.ts';
import { knownText, originsOf, textWord, type Word } from '../word.ts';

/** What a call unpacks, and where; undefined if it unpacks nothing. */
interface Unpacking {
  readonly archive: Word | undefined;
  /** The working directory if undefined. */
  readonly into: Word | undefined;
}

/** Remembers that what was unpacked was fetched, if the archive was. */
export function keepUnpacked(call: Call, content: Word | undefined, into: Word, walker: Walker): void {
  const isFetched = content !== undefined && originsOf(content).some(({ type }) => type === 'network');
  if (isFetched) walker.keepTree(call, into, content);
}

function unpacker(find: (call: Call) => Unpacking | undefined): ProgramReader {
  return (call, walker) => {
    const found = find(call);
    if (found === undefined) return undefined;
    const { archive, into = textWord('.') } = found;
    const content = archive === undefined ? call.command.input : walker.fileAt(call, archive);
    keepUnpacked(call, content, into, walker);
    return undefined;
  };
}

function operand({ parsed }: Call, index: number): Word | undefined {
  return parsed.operands[index]?.word;
}

function flagOf({ parsed }: Call, name: string): Word | undefined {
  return parsed.flags.findLast((flag) => flag.name === name)?.value;
}

const unzip = unpacker((call) =>
  hasFlag(call.parsed, '-l', '-t', '-v', '-Z', '-p', '-c')
    ? undefined
    : { archive: operand(call, 0), into: flagOf(call, '-d') },
);

/** `7z x archive -odir`, `unrar x archive dir/`. */
const sevenZip = unpacker((call) => {
  const verb = knownText(operand(call, 0) ?? []);
  if (verb !== 'x' && verb !== 'e') return undefined;
  return { archive: operand(call, 1), into: flagOf(call, '-o') ?? operand(call, 2) };
});

const unar = unpacker((call) => ({ archive: operand(call, 0), into: flagOf(call, '-o') }));

const cpio = unpacker((call) =>
  hasFlag(call.parsed, '-i', '--extract')
    ? { archive: flagOf(call, '-F'), into: flagOf(call, '-D') }
    : undefined,
);

/** `gunzip a.gz` leaves `a`. */
function decompressor(suffix: RegExp, decompresses: (call: Call) => boolean): ProgramReader {
  return (call, walker) => {
    if (!decompresses(call) || hasFlag(call.parsed, '-c', '--stdout', '--to-stdout')) return undefined;
    for (const { word } of call.parsed.operands) {
      const name = knownText(word);
      const content = name === undefined ? undefined : walker.fileAt(call, word);
      if (name === undefined || content === undefined || !suffix.test(name)) continue;
      walker.keepFile(call, textWord(name.replace(suffix, '')), content);
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
  unrar: sevenZip,
  unar,
  cpio,
  gunzip: decompressor(/\.gz$/, always),
  gzip: decompressor(/\.gz$/, withFlag),
  bunzip2: decompressor(/\.bz2$/, always),
  bzip2: decompressor(/\.bz2$/, withFlag),
  unxz: decompressor(/\.xz$/, always),
  xz: decompressor(/\.xz$/, withFlag),
  unzstd: decompressor(/\.zst$/, always),
  zstd: decompressor(/\.zst$/, withFlag),
};
