import { own } from '../../lib/json.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { finding, type Installation, REINSTALL } from '../installation.ts';

const MANAGED = '/etc/cursor/hooks.json';

/** Hooks of Cursor, and what it makes of them by its documents. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['cursor', 'cursor-agent'],
    release: { newest: '3.9.16', newestDate: '2026.9', args: ['--version'] },
    folder: ({ home }) => `${home}/.cursor`,
    guarding: ['before_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({
        user: `${home}/.cursor/hooks.json`,
        project: `${project}/.cursor/hooks.json`,
        system: MANAGED,
      })[scope],
    layers: ({ home, project }) => [`${home}/.cursor/hooks.json`, `${project}/.cursor/hooks.json`, MANAGED],
    bare: true,
    group: {},
    allTools: ['*', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 60,
    also: (settings) => ({
      changes: Object.hasOwn(settings, 'version') ? [] : [{ path: ['version'], value: 1 }],
      entry: {},
    }),
    shared: {
      files: ({ home, project }) => [
        `${project}/.claude/settings.local.json`,
        `${project}/.claude/settings.json`,
        `${home}/.claude/settings.json`,
      ],
      fix: 'switch third-party imports off in the settings of Cursor, unless you want other hooks of Claude Code there',
    },
    findings: (_layers, hooks) =>
      hooks
        .filter(({ hook }) => own(hook, 'failClosed') !== true)
        .map(({ file, event }) =>
          finding('fails-open', `${file} lets calls pass on ${event} where the hook fails`, REINSTALL),
        ),
    // With failClosed all that is not a permission is a refusal.
    read: ({ stdout, exitCode }) =>
      exitCode === 0 && /^\s*\{\s*"permission"\s*:\s*"allow"/.test(stdout) ? 'passes' : 'refused',
  });
}
