import { addressKind, embeddedV4, parseV4, parseV6, V4_RANGES } from '../../../lib/address.ts';
import type { Truth } from '../../../model/truth.ts';
import { knownText, leadingText, type Word } from '../../../reader/reading/word.ts';

/** Addresses that begin alike. IPv4 addresses are held as IPv6 addresses: `::ffff:0:0/96`. */
export interface AddressRange {
  readonly first: bigint;
  /** How many bits all of them share, from 0 to 128; those of IPv4 share 96 or more. */
  readonly bits: number;
}

const ALL_BITS = 128;
const V4_BITS = 96;

/** An address or a range as `10.0.0.0/8`; bits that are not shared may be set. Undefined for any other text. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [, written = '', , length] = /^\[?([0-9a-f:.]+)(\]?)(?:\/(\d{1,3}))?\]?$/i.exec(text) ?? [];
  const first = addressBits(written);
  if (first === undefined) return undefined;
  const before = written.includes(':') ? 0 : V4_BITS;
  const bits = length === undefined ? ALL_BITS : before + Number(length);
  return bits > ALL_BITS ? undefined : { first, bits };
}

/** The first address of a range as people write it. */
export function startOfRange({ first, bits }: AddressRange): string {
  return addressText((first >> shiftOf(bits)) << shiftOf(bits));
}

/** The first address behind a range as people write it. */
export function addressAfter({ first, bits }: AddressRange): string {
  return addressText(((first >> shiftOf(bits)) + 1n) << shiftOf(bits));
}

function addressText(address: bigint): string {
  if (address >> 32n === 0xffffn) {
    return [24n, 16n, 8n, 0n].map((by) => String((address >> by) & 0xffn)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((address >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

/** Tests if a normalised host is in a range; unknown if it may mean an address there. */
export function isInRange(host: Word, range: AddressRange): Truth {
  const known = knownText(host);
  if (known === undefined) return couldBeInRange(host, range) ? 'unknown' : false;
  const bits = addressBits(known);
  if (bits === undefined) return meansLocal(known, range) ? 'unknown' : false;
  const isV4 = parseV4(known) !== undefined;
  if (samePrefix(bits, range, range.bits) && (!isV4 || range.bits >= V4_BITS)) return true;
  const embedded = embeddedV4(parseV6(known) ?? []);
  const embeddedInRange = embedded !== undefined && samePrefix(v4Bits(embedded), range, range.bits);
  return (embeddedInRange && range.bits >= V4_BITS) || meansLocal(known, range) ? 'unknown' : false;
}

/** `localhost` may be any of 127.0.0.0/8, and so may 0.0.0.0; `db.internal` may be any private address. */
function meansLocal(host: string, range: AddressRange): boolean {
  const said = addressKind(host);
  if (said !== 'unspecified' && (said === 'name' || addressBits(host) !== undefined)) return false;
  const kind = said === 'unspecified' ? 'loopback' : said;
  return (
    addressKind(startOfRange(range)) === kind ||
    V4_RANGES.some(([first, bits, each]) => {
      const shared = Math.min(range.bits, V4_BITS + bits);
      return each === kind && samePrefix(v4Bits(parseV4(first) ?? 0), range, shared);
    })
  );
}

/** A host with a letter that no address has is none, and the first numbers of one may lead elsewhere. */
function couldBeInRange(host: Word, range: AddressRange): boolean {
  if (host.some((part) => part.type === 'text' && /[^0-9a-fx.:%\x80-\uffff]/i.test(part.text))) return false;
  const numbers =
    /^(?:(?:0|[1-9][0-9]{0,2})\.){1,3}/.exec(leadingText(host))?.[0].split('.').slice(0, -1) ?? [];
  const start = parseV4([...numbers, '0', '0', '0', '0'].slice(0, 4).join('.'));
  if (numbers.length === 0 || start === undefined) return true;
  return samePrefix(v4Bits(start), range, Math.min(range.bits, V4_BITS + 8 * numbers.length));
}

function samePrefix(bits: bigint, range: AddressRange, count: number): boolean {
  return bits >> shiftOf(count) === range.first >> shiftOf(count);
}

function shiftOf(bits: number): bigint {
  return BigInt(ALL_BITS - bits);
}

function addressBits(text: string): bigint | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return v4Bits(v4);
  if (!text.includes(':')) return undefined;
  return parseV6(text)?.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n);
}

function v4Bits(address: number): bigint {
  return (0xffffn << 32n) | BigInt(address);
}
