import type { Event } from '../model/event.ts';
import type { Host, HostSetting, Support } from './host.ts';

/** The abilities of a host on the very event that has come; undefined if it knows none of this kind. */
export function supportOn(host: Host, event: Event, setting: HostSetting): Support | undefined {
  const version = host.versionOf?.(event, setting) ?? setting.version;
  const support = host.supports(version)[event.kind];
  const { natives = {} } = support ?? {};
  return Object.hasOwn(natives, event.native) ? natives[event.native] : support;
}
