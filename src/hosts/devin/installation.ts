import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

/** Hooks in the configuration of Devin CLI, and what it makes of them by its documents. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['devin'],
    release: { newest: '3000.11' },
    folder: '~/.config/devin',
    places: { user: '~/.config/devin/config.json', project: '.devin/config.json' },
    layers: ['~/.config/devin/config.json', '.devin/config.json', '.devin/config.local.json'],
    dialect: { comments: true },
    allTools: ['.*'],
    usualTimeoutS: 60,
    shared: {
      files: ['.claude/settings.local.json', '.claude/settings.json', '~/.claude/settings.json'],
      fix: 'one of them is enough: it is answered in the form of Devin',
    },
  });
}
