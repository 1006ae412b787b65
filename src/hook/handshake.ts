import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import type { Json } from '../lib/json.ts';

/** The host's reply to a message that needs no policies; undefined for every other. */
export function handshake(host: Host, setting: HostSetting, line: string): Reply | undefined {
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
  const decoded = host.decode(message, setting);
  return decoded.type === 'reply' ? decoded.reply : undefined;
}
