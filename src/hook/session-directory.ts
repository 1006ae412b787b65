import { dirname } from 'node:path';
import type { HostSetting } from '../hosts/host.ts';
import { kindOf } from '../language/policy/files/folders.ts';
import { REPLACEMENT } from '../language/policy/files/read-file.ts';
import type { Event } from '../model/event.ts';

/**
 * The directory of an event's session: from the host, else that of this process, as for a name that is not UTF-8, which hosts
 * send as another name.
 */
export function sessionDirectory({ context: { cwd } }: Pick<Event, 'context'>, setting: HostSetting): string {
  const isSent = typeof cwd === 'string' && !cwd.includes(REPLACEMENT) && kindOf(cwd) === 'folder';
  return isSent ? cwd : setting.cwd;
}

/** The folder that the session was started in, if the agent is in or below it now; else the one that the agent is in. */
export function startDirectory(event: Event, setting: HostSetting): string {
  const directory = sessionDirectory(event, setting);
  if (event.startedIn === undefined) return directory;
  for (let folder = directory; ; folder = dirname(folder)) {
    if (event.startedIn(folder)) return folder;
    if (folder === dirname(folder)) return directory;
  }
}

/** The workspace, and the agent's folder in it: `--workspace` goes before the folder that the host sends. */
export function sessionFolders(event: Event, setting: HostSetting, isNamed: boolean) {
  if (isNamed) return { workspace: setting.cwd, directory: setting.cwd };
  return { workspace: startDirectory(event, setting), directory: sessionDirectory(event, setting) };
}
