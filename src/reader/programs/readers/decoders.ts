import { decodeBase64 } from '../../../lib/decode.ts';
import { EMPTY_WORD, knownText, type Origin, originsOf, textWord, unknownWord } from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/walker.ts';
import { hasFlag } from '../interpret/arguments.ts';
import { inputText } from '../interpret/input-text.ts';

/** Decoders: what they print is text from nowhere, unless the input is known and `decode` makes text of it. */
function decoder(
  decodes: (call: Call) => boolean,
  decode: (text: string) => string | undefined = () => undefined,
): ProgramReader {
  return (call, walker) => {
    if (!decodes(call)) return undefined;
    const input = inputText(call, walker);
    const known = input === undefined ? undefined : knownText(input);
    const decoded = known === undefined ? undefined : decode(known);
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
const hasWord = (pattern: RegExp) => (call: Call) =>
  call.args.some(({ word }) => pattern.test(knownText(word) ?? ''));
const always = decoder(() => true);

/** Programs that decode, decrypt and decompress. */
export const DECODER_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(
    'uudecode gunzip zcat bunzip2 bzcat unxz xzcat zstdcat'.split(' ').map((name) => [name, always]),
  ),
  ...Object.fromEntries(
    'base32 basenc gpg age gzip bzip2 xz zstd'
      .split(' ')
      .map((name) => [name, decoder(hasAny('-d', '--decode', '--decrypt', '--decompress'))]),
  ),
  base64: decoder(hasAny('-d', '-D', '--decode'), decodeBase64),
  xxd: decoder(hasWord(/^-(?:r|rp|pr|r-p)$/)),
  openssl: decoder(hasWord(/^-d$/)),
  unzip: decoder(hasAny('-p', '-c')),
};
