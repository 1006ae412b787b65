/** The kinds of addresses. `name`: a domain name, which may lead anywhere. */
export type AddressKind =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'unspecified'
  | 'multicast'
  | 'name';

/** Ranges of IPv4: first address, prefix length, kind. The first that contains the address counts. */
export const V4_RANGES: readonly (readonly [string, number, AddressKind])[] = [
  ['127.0.0.0', 8, 'loopback'],
  ['0.0.0.0', 8, 'unspecified'],
  ['169.254.0.0', 16, 'link_local'],
  // A metadata service that has a public address.
  ['168.63.129.16', 32, 'link_local'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['192.0.0.0', 24, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'private'],
];

/** Names that mean this machine or the machine it runs on, with everything below them. */
const LOCAL_NAMES = ['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'];

/** Names that mean the metadata service or the host of a container. */
const LINK_LOCAL_NAMES = [
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'host.docker.internal',
];

/** Domains that no public name lies in. */
const PRIVATE_NAMES = ['local', 'internal'];

/** The kind of a normalised host: a dotted IPv4 address, an IPv6 address without brackets, or a name. */
export function addressKind(host: string): AddressKind {
  const v4 = parseV4(host);
  if (v4 !== undefined) return v4Kind(v4);
  if (host.includes(':')) {
    const v6 = parseV6(host);
    return v6 === undefined ? 'name' : v6Kind(v6);
  }
  if (isOrIsBelow(host, LOCAL_NAMES)) return 'loopback';
  if (isOrIsBelow(host, LINK_LOCAL_NAMES)) return 'link_local';
  return isOrIsBelow(host, PRIVATE_NAMES) ? 'private' : 'name';
}

function isOrIsBelow(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

function v4Kind(address: number): AddressKind {
  for (const [first, bits, kind] of V4_RANGES) {
    const size = 2 ** (32 - bits);
    if (Math.floor(address / size) === Math.floor((parseV4(first) ?? 0) / size)) return kind;
  }
  return 'public';
}

function v6Kind(groups: readonly number[]): AddressKind {
  const [first = 0, second = 0] = groups;
  const embedded = embeddedV4(groups);
  if (groups.every((group) => group === 0)) return 'unspecified';
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return 'loopback';
  if (embedded !== undefined) return v4Kind(embedded);
  if ((first & 0xffc0) === 0xfe80) return 'link_local';
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0)
    return first === 0xfd00 && second === 0xec2 ? 'link_local' : 'private';
  return (first & 0xff00) === 0xff00 ? 'multicast' : 'public';
}

/** The IPv4 address inside an IPv4-mapped, IPv4-compatible, 6to4 or NAT64 address. */
export function embeddedV4(groups: readonly number[]): number | undefined {
  const [a = 0, b = 0, c = 0] = groups;
  const low = (groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0);
  const zero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (zero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)) return low;
  if (zero(0, 4) && groups[4] === 0xffff && groups[5] === 0) return low;
  if (a === 0x64 && b === 0xff9b && zero(2, 6)) return low;
  return a === 0x2002 ? b * 0x10000 + c : undefined;
}

/** A dotted IPv4 address as a number; undefined for any other text. */
export function parseV4(host: string): number | undefined {
  const pieces = host.split('.');
  if (pieces.length !== 4) return undefined;
  let address = 0;
  for (const piece of pieces) {
    const value = /^[0-9]{1,3}$/.test(piece) ? Number(piece) : 256;
    if (value > 255) return undefined;
    address = address * 256 + value;
  }
  return address;
}

/** The eight groups of an IPv6 address without brackets; undefined for any other text. */
export function parseV6(host: string): readonly number[] | undefined {
  const [address = ''] = host.split('%');
  const halves = address.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? '');
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '') : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 0) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const piece of text.split(':')) {
    const v4 = parseV4(piece);
    if (v4 !== undefined) groups.push(Math.floor(v4 / 0x10000), v4 % 0x10000);
    else if (/^[0-9a-fA-F]{1,4}$/.test(piece)) groups.push(Number.parseInt(piece, 16));
    else return undefined;
  }
  return groups;
}
