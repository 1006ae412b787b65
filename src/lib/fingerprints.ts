/** The shortest piece of a text that has a fingerprint, in bytes. */
const PIECE_BYTES = 24;
/** Of so many pieces behind each other one is kept, so that a copy of 32 bytes always shares one. */
const WINDOW = 9;
/** A piece of fewer different bytes is a line of dashes or blanks, and no secret. */
const MIN_DIFFERENT = 8;
/** How often decoded text is decoded again. */
const MAX_DEPTH = 2;
const MAX_KEPT_BYTES = 256 * 1024;
const MAX_SENT_BYTES = 4 * MAX_KEPT_BYTES;

/**
 * Fingerprints of the pieces of a text: 64 bits each, signed, each once. Two texts that share 32 bytes or more share a fingerprint,
 * unless the shared part has few different bytes; the chance that two unrelated pieces share one is below 1 in 10^15. Winnowing
 * (Schleimer, Wilkerson, Aiken: SIGMOD 2003).
 *
 * @param text its first 256 KiB count
 */
export function fingerprintsOf(text: string): readonly bigint[] {
  return [...selectedPrints(Buffer.from(text).subarray(0, MAX_KEPT_BYTES))];
}

/**
 * Those of a text on its way out: of the text itself, and of its parts in base64, hex or encoded for a URL.
 *
 * @returns undefined if that is more than 1 MiB: there may be others
 */
export function fingerprintsSent(text: string): readonly bigint[] | undefined {
  const found = new Set<bigint>();
  let left = MAX_SENT_BYTES;
  for (const bytes of decodings(Buffer.from(text), MAX_DEPTH)) {
    left -= bytes.length;
    if (left < 0) return undefined;
    for (const each of selectedPrints(bytes)) found.add(each);
  }
  return [...found];
}

/** Two rolling hashes of 32 bits beside each other; powers of the bases take out the byte that leaves. */
const BASES = [0x01000193, 0x5bd1e995] as const;
const LEAVING = BASES.map((base) => {
  let power = 1;
  for (let at = 1; at < PIECE_BYTES; at++) power = Math.imul(power, base);
  return power;
}) as [number, number];

function selectedPrints(bytes: Buffer): Set<bigint> {
  const found = new Set<bigint>();
  const pieces = bytes.length - PIECE_BYTES + 1;
  if (pieces < 1) return found;
  const highs = new Uint32Array(pieces);
  const lows = new Uint32Array(pieces);
  hashPieces(bytes, highs, lows);
  const isLower = (a: number, b: number) => {
    const [highA = 0, highB = 0] = [highs[a], highs[b]];
    return highA === highB ? (lows[a] ?? 0) <= (lows[b] ?? 0) : highA < highB;
  };
  let lowest = -1;
  const width = Math.min(WINDOW, pieces);
  for (let end = width - 1; end < pieces; end++) {
    const start = end - width + 1;
    const before = lowest;
    if (lowest < start) {
      lowest = start;
      for (let at = start + 1; at <= end; at++) if (isLower(at, lowest)) lowest = at;
    } else if (isLower(end, lowest)) lowest = end;
    if (lowest !== before && isVaried(bytes, lowest))
      found.add(BigInt.asIntN(64, (BigInt(highs[lowest] ?? 0) << 32n) | BigInt(lows[lowest] ?? 0)));
  }
  return found;
}

/** The hash of every piece. The bits of a sum of products are uneven, so they are mixed at the end. */
function hashPieces(bytes: Buffer, highs: Uint32Array, lows: Uint32Array): void {
  let [high, low] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const leaving = at < PIECE_BYTES ? 0 : (bytes[at - PIECE_BYTES] ?? 0) + 1;
    const entering = (bytes[at] ?? 0) + 1;
    high = (Math.imul(high - Math.imul(leaving, LEAVING[0]), BASES[0]) + entering) | 0;
    low = (Math.imul(low - Math.imul(leaving, LEAVING[1]), BASES[1]) + entering) | 0;
    const piece = at - PIECE_BYTES + 1;
    if (piece < 0) continue;
    highs[piece] = mixed(high);
    lows[piece] = mixed(low);
  }
}

/** The last step of MurmurHash3. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** By byte, the last piece that it was seen in. */
const seenIn = new Float64Array(256);
let piecesSeen = 0;

function isVaried(bytes: Buffer, start: number): boolean {
  piecesSeen += 1;
  let different = 0;
  for (let at = start; at < start + PIECE_BYTES; at++) {
    const byte = bytes[at] ?? 0;
    if (seenIn[byte] === piecesSeen) continue;
    seenIn[byte] = piecesSeen;
    different += 1;
  }
  return different >= MIN_DIFFERENT;
}

/** The text, and the texts that parts of it decode to. */
function* decodings(bytes: Buffer, depth: number): Generator<Buffer> {
  yield bytes;
  if (depth === 0) return;
  const text = bytes.toString('latin1');
  for (const decoded of [...fromUrl(text), ...fromHex(text), ...fromBase64(text)])
    yield* decodings(decoded, depth - 1);
}

/** `%41`: forms write a plus for a blank. */
function fromUrl(text: string): readonly Buffer[] {
  if (!/%[0-9A-Fa-f]{2}/.test(text)) return [];
  const decode = (each: string) =>
    Buffer.from(
      each.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    );
  const plain = decode(text);
  return text.includes('+') ? [plain, decode(text.replaceAll('+', ' '))] : [plain];
}

/** `41 42`, `\x41\x42`, `41:42` as well; which digit begins a byte is not known. */
function fromHex(text: string): readonly Buffer[] {
  return runsOf(text, /(?:(?:\\x|0x|[ :])?[0-9A-Fa-f]{2}){24,}[0-9A-Fa-f]?/g).flatMap((run) => {
    const digits = run.replace(/\\x|0x|[ :]/g, '');
    return [Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')];
  });
}

/** Lines of base64 belong together; which of four letters begins three bytes is not known. */
function fromBase64(text: string): readonly Buffer[] {
  return runsOf(text, /[A-Za-z0-9+/_-]{32,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*/g).flatMap((run) => {
    const letters = run.replace(/[\r\n]/g, '');
    return [0, 1, 2, 3].map((start) => Buffer.from(letters.slice(start), 'base64'));
  });
}

function runsOf(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([run]) => run);
}
