import type { NetworkEffect } from './reading.ts';
import { PORTS, type ReadUrl, readRemotePath, readUrl } from './url.ts';
import { knownText } from './word.ts';

/** Schemes of programs that take `host:path` for a place on another host. */
const HOST_AND_PATH: readonly string[] = ['ssh', 'rsync', 'rcp', 'docker', 'kubernetes', 'rclone', 'nfs'];

/** Where a command goes, taken apart; undefined if its words name no place. */
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
