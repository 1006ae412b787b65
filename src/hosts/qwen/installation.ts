import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { isNewer } from '../is-newer.ts';

/** From 0.25 on `timeout` is in seconds, and from 1000 on it still counts as milliseconds; before it is always in these. */
function isInSeconds(release: string | undefined): boolean {
  return release === undefined || !isNewer('0.25', release);
}

/** Settings of Qwen Code, and what 0.24.4 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['qwen'],
    release: { newest: '0.24.4', args: ['--version'] },
    folder: ({ home }) => `${home}/.qwen`,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: true },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({
        user: `${home}/.qwen/settings.json`,
        project: `${project}/.qwen/settings.json`,
        system: '/etc/qwen-code/settings.json',
      })[scope],
    layers: ({ home, project }) => [
      `${home}/.qwen/settings.json`,
      `${project}/.qwen/settings.json`,
      '/etc/qwen-code/settings.json',
    ],
    group: {},
    allTools: ['*', '.*'],
    shell: ['bash', '-c'],
    unitMs: (written, release) => (isInSeconds(release) && written < 1_000 ? written * 1_000 : written),
    // What is right for every version is written unless a newer one is known to be here.
    timeout: (release) => (release !== undefined && isInSeconds(release) ? 60 : 60_000),
    usualTimeoutS: 60,
    off: { key: 'disableAllHooks' },
    read: readExitCode,
  });
}
