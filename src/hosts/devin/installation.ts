import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

/** Hooks in the configuration of Devin CLI, and what it makes of them by its documents. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['devin'],
    release: { newest: '3000.11', args: ['--version'] },
    folder: ({ home }) => `${home}/.config/devin`,
    guarding: ['before_tool'],
    dialect: { comments: true },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({
        user: `${home}/.config/devin/config.json`,
        project: `${project}/.devin/config.json`,
        system: undefined,
      })[scope],
    layers: ({ home, project }) => [
      `${home}/.config/devin/config.json`,
      `${project}/.devin/config.json`,
      `${project}/.devin/config.local.json`,
    ],
    group: {},
    allTools: ['.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 60,
    shared: {
      files: ({ home, project }) => [
        `${project}/.claude/settings.local.json`,
        `${project}/.claude/settings.json`,
        `${home}/.claude/settings.json`,
      ],
      fix: 'one of them is enough: it is answered in the form of Devin',
    },
    read: readExitCode,
  });
}
