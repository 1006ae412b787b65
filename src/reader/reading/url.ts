import { type AddressKind, addressKind } from '../../lib/address.ts';
import { own } from '../../lib/json.ts';
import { lenientUrlPath, normaliseUrlPath, withoutDots } from '../../lib/path/url-path.ts';
import { trimEnd } from '../../lib/trim-end.ts';
import { fillPlaceholders, hasPlaceholder, withPlaceholders } from './placeholders.ts';
import type { NetworkEffect } from './reading.ts';
import { knownText, showWord, textWord, type Word, type WordPart } from './word.ts';

/** A URL, host or `user@host:path` taken apart. */
export interface ReadUrl {
  /** Lower case, without the colon; undefined if none is given and none is implied. */
  readonly scheme: string | undefined;
  /**
   * A normalised host: lower case, punycode, no final dot, IPv4 in decimals, short IPv6. Empty for `file:`; parts may be
   * unknown.
   */
  readonly host: Word;
  /** The kind of address that the host is; undefined if the host is not fully known. */
  readonly address: AddressKind | undefined;
  /** As given, or the scheme's own; undefined if neither is known. */
  readonly port: number | undefined;
  /** From the first slash on, without query and fragment, in its normal form unless parts of it are not known. */
  readonly path: Word;
  /** The path as servers read it that take an escaped slash for a slash and several for one. */
  readonly lenientPath: Word;
  /** The user's name if there is one; a password is never kept. */
  readonly user: string | undefined;
  /** True if the URL carries a password. */
  readonly password: boolean;
}

/** The usual ports of schemes. */
export const PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  sftp: 22,
  scp: 22,
  ssh: 22,
  rsync: 873,
  git: 9418,
  telnet: 23,
  ldap: 389,
  ldaps: 636,
  redis: 6379,
  mongodb: 27017,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  amqp: 5672,
};

/** Schemes after which browsers and their like need no slashes and take any number of them. */
const WEB_SCHEME = /^(https?|wss?|ftp):[/\\]*/i;

/** At least two letters: one is a drive. */
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):[/\\]{1,4}/;

/**
 * Parses a URL as leniently as fetching programs: with a default scheme, `\` as `/`, and any number of slashes. Undefined
 * without a host.
 */
export function readUrl(target: Word, impliedScheme?: string): ReadUrl | undefined {
  const { text: written, placeholders } = withPlaceholders(target);
  // Tabs and line ends count nowhere in a URL, blanks and control characters not before it.
  const text = written.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '');
  const match = WEB_SCHEME.exec(text) ?? SCHEME.exec(text);
  const scheme = match?.[1]?.toLowerCase() ?? impliedScheme;
  // `//host/path` and `\\\\host\\path` leave the scheme out.
  const rest = match === null ? text.replace(/^(?:\/\/|\\\\)(?=[^/\\])/, '') : text.slice(match[0].length);
  if (scheme === 'file') return fileUrl(rest, placeholders);
  const end = rest.search(/[/\\?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const tail = end < 0 ? '' : rest.slice(end).replace(/[?#].*$/s, '');
  const at = authority.lastIndexOf('@');
  const credentials = at < 0 ? '' : authority.slice(0, at);
  const place = hostAndPort(authority.slice(at + 1));
  if (place.host === '') return undefined;
  const colon = credentials.indexOf(':');
  const user = colon < 0 ? credentials : credentials.slice(0, colon);
  const implied =
    scheme === undefined || hasPlaceholder(place.port, placeholders) ? undefined : own(PORTS, scheme);
  const path = tail.replaceAll('\\', '/');
  return {
    scheme,
    ...readHost(place.host, placeholders),
    port: place.port === '' ? implied : readPort(place.port),
    path: normalised(path, placeholders, normaliseUrlPath),
    lenientPath: normalised(path, placeholders, lenientUrlPath),
    user: at < 0 ? undefined : showWord(fillPlaceholders(user, placeholders)),
    password: colon >= 0 && colon < credentials.length - 1,
  };
}

/** A piece of a URL in its normal form, unless parts of it are not known. */
function normalised(
  text: string,
  placeholders: readonly WordPart[],
  normalise: (text: string) => string,
): Word {
  return hasPlaceholder(text, placeholders)
    ? fillPlaceholders(text, placeholders)
    : textWord(normalise(text));
}

function readHost(text: string, placeholders: readonly WordPart[]): Pick<ReadUrl, 'host' | 'address'> {
  const host = normalised(text.toLowerCase(), placeholders, normaliseHostName);
  const known = knownText(host);
  return { host, address: known === undefined ? undefined : addressKind(known) };
}

/** Takes `[user@]host:path` as scp, rsync and git write it; undefined for a local path. */
export function readRemotePath(target: Word, scheme = 'ssh'): ReadUrl | undefined {
  const { text, placeholders } = withPlaceholders(target);
  // Other than in a URL one slash is not enough: `host:/path`.
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return readUrl(target);
  const match = /^(?:([^@/\\:]*)@)?(\[[^\]/]+\]|[^:/\\[\]]+):(?!\\)(.*)$/s.exec(text);
  if (match === null || isDrive(text) || isV6(text.slice(text.indexOf('@') + 1))) return undefined;
  const written = match[3] ?? '';
  const path = normalised(written, placeholders, withoutDots);
  // Without a daemon, which two colons ask for, rsync goes over ssh.
  const overSsh = scheme === 'rsync' && !written.startsWith(':');
  return {
    scheme,
    ...readHost((match[2] ?? '').replace(/^\[|\]$/g, ''), placeholders),
    port: PORTS[overSsh ? 'ssh' : scheme],
    path,
    lenientPath: path,
    user: match[1] === undefined ? undefined : showWord(fillPlaceholders(match[1], placeholders)),
    password: false,
  };
}

/** The longest address, with the name of a network card behind it. */
const LONGEST_V6 = 64;

function isV6(text: string): boolean {
  const [address = '', ...card] = text.split('%');
  if (text.length > LONGEST_V6 || card.length > 1 || !/^[0-9a-f:.]+$/i.test(address)) return false;
  return URL.canParse(`http://[${address}]/`);
}

export function isFileUrl(text: string): boolean {
  return /^file:/i.test(text);
}

/** `C:`, `c:/x`: of one letter a folder follows, or the letter is a capital one. */
function isDrive(text: string): boolean {
  return /^(?:[A-Z]:|[a-z]:[/\\])/.test(text);
}

/** Undefined for a text that is no port, or is put in by the shell. */
function readPort(text: string): number | undefined {
  return /^0*[0-9]{1,5}$/.test(text) ? Number(text) : undefined;
}

/** Every URL with a scheme that is in a text, as it is written there. Time: linear in the text. */
export function findUrls(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    let start = at;
    while (start > 0 && at - start < 32 && /[a-zA-Z0-9+.-]/.test(text[start - 1] ?? '')) start--;
    while (start < at && !/[a-zA-Z]/.test(text[start] ?? '')) start++;
    let end = at + 3;
    while (end < text.length && !/[\s"'`<>|;(){}]/.test(text[end] ?? '')) end++;
    const url = trimEnd(text.slice(start, end), '.,!?:');
    if (start < at && end > at + 3) found.push(url);
    at = Math.max(at, end - 3);
  }
  return found;
}

/** A host in its normal form: lower case, punycode, no final dot, IPv4 in dotted decimals, short IPv6. */
export function normaliseHostName(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const address = bare.includes(':') ? `[${bare.split('%')[0] ?? ''}]` : bare;
  const parsed = URL.parse(`http://${address}/`);
  const name = parsed === null ? bare.toLowerCase() : parsed.hostname;
  return trimEnd(name.replace(/^\[|\]$/g, ''), '.');
}

function hostAndPort(place: string): { readonly host: string; readonly port: string } {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? [];
  return port.includes(':') && !host.startsWith('[') ? { host: place, port: '' } : { host, port };
}

function fileUrl(rest: string, placeholders: readonly WordPart[]): ReadUrl {
  const written = `/${rest.replace(/^[/\\]+/, '')}`;
  const path = normalised(written, placeholders, lenientUrlPath);
  return {
    scheme: 'file',
    host: [],
    address: undefined,
    port: undefined,
    path,
    lenientPath: path,
    user: undefined,
    password: false,
  };
}

/** Schemes of programs that take `host:path` for a place on another host. */
const HOST_AND_PATH: readonly string[] = ['ssh', 'rsync', 'rcp', 'docker', 'kubernetes', 'rclone', 'nfs'];

/** The address that a command contacts, taken apart; undefined if its words name no place. */
export function effectUrl({ target, scheme, port }: NetworkEffect): ReadUrl | undefined {
  const remote = HOST_AND_PATH.includes(scheme) ? readRemotePath(target, scheme) : undefined;
  const url = remote ?? readUrl(target, scheme);
  if (url === undefined || port === undefined) return url;
  const known = knownText(port) ?? '';
  return { ...url, port: /^[0-9]{1,5}$/.test(known) ? Number(known) : portOf(known) };
}

function portOf(service: string): number | undefined {
  return Object.hasOwn(PORTS, service) ? PORTS[service] : undefined;
}
