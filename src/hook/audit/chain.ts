import { parseJson } from '../../lib/json.ts';

/**
 * The last line of each write covers the bytes before it. Writers hold no lock, so lines written at the same moment cannot
 * cover each other; but each covers all that it saw, back to the end of the last cover. So every byte is covered by the first
 * line whose writer saw it.
 */
export interface Cover {
  /** Offsets in the file: the first covered byte, and the first one after them. */
  readonly from: number;
  readonly to: number;
  /** The SHA-256 of these bytes and of `own`, as 64 hex digits. */
  readonly sha256: string;
  /** The number of bytes of the same write before this line, if there are any. */
  readonly own?: number;
  /** The number of the covered full file, if that is not the file of the line. */
  readonly file?: number;
  /** The number of the oldest kept full file; only with `file`. */
  readonly oldest?: number;
}

/** The longest cover, with its key. */
export const MAX_COVER_BYTES = 256;

/** The key is the last one of a line, where no value of a host can be. */
const AT_END = /,"covers":(\{[^{}]*\})\}$/;

/** The bytes that lines written now can cover. */
export type Coverable = Pick<Cover, 'from' | 'to' | 'file' | 'oldest'> & { readonly bytes: Uint8Array };

/** Whole lines; the last one covers the others and the bytes before them. */
export function withCover(lines: string, { bytes, ...range }: Coverable): Buffer {
  const last = lines.lastIndexOf('\n', lines.length - 2) + 1;
  const own = Buffer.from(lines.slice(0, last), 'utf8');
  const cover: Cover = {
    ...range,
    sha256: bytesDigest(bytes, own),
    ...(own.length === 0 ? {} : { own: own.length }),
  };
  const line = `${lines.slice(last, -'}\n'.length)},"covers":${JSON.stringify(cover)}}\n`;
  return Buffer.concat([own, Buffer.from(line, 'utf8')]);
}

/** The cover in a line without its newline; undefined if it has none. */
export function coverIn(line: string): Cover | undefined {
  const cover = parseJson(AT_END.exec(line)?.[1] ?? '') as unknown as Cover | undefined;
  if (cover === undefined) return undefined;
  const { from, to, sha256, own = 0, file = 0, oldest = 0 } = cover;
  const numbers = [from, to, own, file, oldest].every((value) => Number.isSafeInteger(value) && value >= 0);
  return numbers && from <= to && typeof sha256 === 'string' ? cover : undefined;
}

/** The offset up to which a line covers its file without a gap. */
export function coveredTo({ to, own = 0, file }: Cover, lineStart: number): number {
  if (file !== undefined) return 0;
  return to === lineStart - own ? lineStart : to;
}

/**
 * The same for the last line with a cover in the end of a file; undefined if there is none.
 *
 * @param offset the offset of the text in its file
 * @param text whole lines, a character for each byte
 */
export function lastCoveredTo(text: string, offset: number): number | undefined {
  for (let end = text.lastIndexOf('\n'); end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const cover = coverIn(text.slice(start, end));
    if (cover !== undefined) return coveredTo(cover, offset + start);
    end = start - 1;
  }
  return undefined;
}

/** The SHA-256 of joined bytes, as 64 hex digits. */
export function bytesDigest(...parts: readonly Uint8Array[]): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const part of parts) hasher.update(part);
  return hasher.digest('hex');
}
