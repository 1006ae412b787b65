import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

const MANAGED = '/etc/windsurf/hooks.json';

/** Hooks of Windsurf, which are listed without groups, types and timeouts. */
export function installationFor(host: Host): Installation {
  const user = '~/.codeium/windsurf/hooks.json';
  const project = '.windsurf/hooks.json';
  return hooksInGroups(host, {
    programs: ['windsurf'],
    release: { newest: '2' },
    folder: '~/.codeium/windsurf',
    places: { user, project, system: MANAGED },
    layers: [MANAGED, user, '~/.codeium/hooks.json', project],
    bare: true,
    allTools: [],
    usualTimeoutS: 30,
    read: ({ exitCode }) => (exitCode === 2 ? 'refused' : 'passes'),
  });
}
