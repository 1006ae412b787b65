import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

const MANAGED = '/etc/windsurf/hooks.json';

/** Hooks of Windsurf, which are listed without groups, types and timeouts. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['windsurf'],
    release: { newest: '2', args: ['--version'] },
    folder: ({ home }) => `${home}/.codeium/windsurf`,
    guarding: ['before_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({
        user: `${home}/.codeium/windsurf/hooks.json`,
        project: `${project}/.windsurf/hooks.json`,
        system: MANAGED,
      })[scope],
    layers: ({ home, project }) => [
      MANAGED,
      `${home}/.codeium/windsurf/hooks.json`,
      `${home}/.codeium/hooks.json`,
      `${project}/.windsurf/hooks.json`,
    ],
    bare: true,
    untyped: true,
    group: {},
    allTools: [],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    read: ({ exitCode }) => (exitCode === 2 ? 'refused' : 'passes'),
  });
}
