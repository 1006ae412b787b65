import { decodeBase64, decodeHex } from '../../lib/decode.ts';
import { EMPTY_WORD, knownText, type Origin, originsOf, textWord, unknownWord } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/walker.ts';
import { hasFlag } from '../interpret/arguments.ts';
import { inputText } from '../interpret/input-text.ts';

/** Decoders: what they print is text from nowhere, unless the input is known. */
function decoder(
  decodes: (call: Call) => boolean,
  decode: ((text: string) => string | undefined) | undefined,
): ProgramReader {
  return (call, walker) => {
    if (!decodes(call)) return undefined;
    const input = inputText(call, walker);
    const known = input === undefined ? undefined : knownText(input);
    const decoded = known === undefined || decode === undefined ? undefined : decode(known);
    if (decoded !== undefined) return textWord(decoded);
    const origins: readonly Origin[] = [
      { type: 'decoder', source: EMPTY_WORD },
      ...originsOf(input ?? EMPTY_WORD),
    ];
    return unknownWord(`the output of ${call.command.name ?? 'a decoder'}`, origins);
  };
}

const hasAny =
  (...flags: readonly string[]) =>
  (call: Call) =>
    hasFlag(call.parsed, ...flags);
const hasWord =
  (...words: readonly string[]) =>
  (call: Call) =>
    call.args.some((arg) => words.includes(knownText(arg.word) ?? ''));

/** openssl takes no files as operands; `base64 -d` and `enc -d -base64` only decode. */
const readOpenssl: ProgramReader = (call) => {
  const words = call.args.map((arg) => knownText(arg.word) ?? '');
  if (!words.includes('-d')) return undefined;
  const { input } = call.command;
  const plain =
    words.some((word) => /^(?:-?base64|-a)$/.test(word)) &&
    words.every((word) => /^(?:enc|-d|-?base64|-a|-A)$/.test(word));
  const known = input === undefined || !plain ? undefined : knownText(input);
  const decoded = known === undefined ? undefined : decodeBase64(known);
  if (decoded !== undefined) return textWord(decoded);
  const origins: readonly Origin[] = [
    { type: 'decoder', source: EMPTY_WORD },
    ...originsOf(input ?? EMPTY_WORD),
  ];
  return unknownWord('the output of openssl', origins);
};

/** Programs that decode, decrypt and decompress. */
export const DECODER_READERS: Readonly<Record<string, ProgramReader>> = {
  base64: decoder(hasAny('-d', '-D', '--decode'), decodeBase64),
  base32: decoder(hasAny('-d', '--decode'), undefined),
  basenc: decoder(hasAny('-d', '--decode'), undefined),
  xxd: decoder(hasWord('-r', '-rp', '-pr', '-r-p'), decodeHex),
  uudecode: decoder(() => true, undefined),
  openssl: readOpenssl,
  gpg: decoder(hasAny('-d', '--decrypt'), undefined),
  age: decoder(hasAny('-d', '--decrypt'), undefined),
  unzip: decoder(hasAny('-p', '-c'), undefined),
  gunzip: decoder(() => true, undefined),
  gzip: decoder(hasAny('-d', '--decompress'), undefined),
  zcat: decoder(() => true, undefined),
  bunzip2: decoder(() => true, undefined),
  bzcat: decoder(() => true, undefined),
  bzip2: decoder(hasAny('-d'), undefined),
  xz: decoder(hasAny('-d', '--decompress'), undefined),
  unxz: decoder(() => true, undefined),
  xzcat: decoder(() => true, undefined),
  zstd: decoder(hasAny('-d'), undefined),
  zstdcat: decoder(() => true, undefined),
};
