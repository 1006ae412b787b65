import type { HostSetting } from '../hosts/host.ts';
import type { Event } from '../model/event.ts';
import { kindOf, REPLACEMENT } from '../policy/source.ts';

/**
 * The directory of an event's session: the one that the host sends, else the one in which it has started this process.
 * A name that is not UTF-8 is sent as another one.
 */
export function sessionDirectory({ context: { cwd } }: Pick<Event, 'context'>, setting: HostSetting): string {
  const isSent = typeof cwd === 'string' && !cwd.includes(REPLACEMENT) && kindOf(cwd) === 'folder';
  return isSent ? cwd : setting.cwd;
}

/** What counts as the workspace: what `--workspace` names goes before what the host sends. */
export function workspaceOf(event: Event, setting: HostSetting, isNamed: boolean): string {
  return isNamed ? setting.cwd : sessionDirectory(event, setting);
}
