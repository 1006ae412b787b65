import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import type { Json } from '../lib/json.ts';

/** A message that needs no policies. */
export interface Handshake {
  readonly reply: Reply;
  /** True if the host has said that it asks for approval of each call. */
  readonly approvalFollows: boolean;
}

/** The host's reply to a message that needs no policies; undefined for every other. */
export function handshake(host: Host, setting: HostSetting, line: string): Handshake | undefined {
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
  const decoded = host.decode(message, setting);
  if (decoded.type !== 'reply') return undefined;
  return { reply: decoded.reply, approvalFollows: host.approvalFollows?.(message) === true };
}
