import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

/** The configuration of Crush; each file adds its hooks to those of the others. */
export function installationFor(host: Host): Installation {
  const places = {
    user: '~/.config/crush/crush.json',
    project: 'crush.json',
    system: '/etc/crush/crush.json',
  };
  return hooksInGroups(host, {
    programs: ['crush'],
    release: { newest: '0.96' },
    folder: '~/.config/crush',
    places,
    layers: [places.user, places.project, '.crush.json', places.system],
    bare: true,
    allTools: ['.*'],
    usualTimeoutS: 30,
  });
}
