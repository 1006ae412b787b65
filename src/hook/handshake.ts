import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { readMessage } from './read-message.ts';

/** A message that needs no policies. */
export interface Handshake {
  readonly reply: Reply;
  /** Whether the host asks for approval of each call; undefined if this message does not say. */
  readonly approvalFollows: boolean | undefined;
}

/** The host's reply to a message that needs no policies; undefined for every other. */
export function handshake(host: Host, setting: HostSetting, line: string): Handshake | undefined {
  const read = readMessage(host, line);
  if (!read.ok) return undefined;
  const decoded = host.decode(read.message, setting);
  if (decoded.type !== 'reply') return undefined;
  return { reply: decoded.reply, approvalFollows: host.approvalFollows?.(read.message) };
}
