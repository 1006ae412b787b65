import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks of Factory Droid, which stand at the top of their file, and what 0.215.0 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['droid'],
    release: { newest: '0.215', args: ['--version'] },
    folder: ({ home }) => `${home}/.factory`,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: false },
    at: [],
    place: (scope, { home, project }) =>
      ({ user: `${home}/.factory/hooks.json`, project: `${project}/.factory/hooks.json`, system: undefined })[
        scope
      ],
    layers: ({ home, project }) => [`${home}/.factory/hooks.json`, `${project}/.factory/hooks.json`],
    group: { matcher: '*' },
    allTools: ['*', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 60,
    off: {
      key: 'hooksDisabled',
      files: ({ home, project }) =>
        [home, project].flatMap((at) => [
          `${at}/.factory/settings.json`,
          `${at}/.factory/settings.local.json`,
        ]),
    },
    parse: (path, text) => (path.includes('/settings') ? readLoosely(text) : undefined),
    read: readExitCode,
  });
}
