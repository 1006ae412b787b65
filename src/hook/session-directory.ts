import type { HostSetting } from '../hosts/host.ts';
import type { Event } from '../model/event.ts';

/** The directory of an event's session: the one that the host sends, else the process's. */
export function sessionDirectory({ context: { cwd } }: Pick<Event, 'context'>, setting: HostSetting): string {
  return typeof cwd === 'string' && cwd !== '' ? cwd : setting.cwd;
}

/** What counts as the workspace: what `--workspace` names goes before what the host sends. */
export function workspaceOf(event: Event, setting: HostSetting, isNamed: boolean): string {
  return isNamed ? setting.cwd : sessionDirectory(event, setting);
}
