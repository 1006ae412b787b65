import { own } from '../../lib/json.ts';
import type { HookGroups } from '../hook-groups.ts';
import { finding, REINSTALL } from '../installation.ts';

/** Hooks of Cursor, as its documents describe them. */
export const installation: HookGroups = {
  programs: ['cursor', 'cursor-agent'],
  release: { newest: '3.9.16', newestDate: '2026.9' },
  folder: '~/.cursor',
  places: {
    user: '~/.cursor/hooks.json',
    project: '.cursor/hooks.json',
    system: '/etc/cursor/hooks.json',
  },
  bare: true,
  usualTimeoutS: 60,
  also: (settings) => ({
    changes: Object.hasOwn(settings, 'version') ? [] : [{ path: ['version'], value: 1 }],
  }),
  shared: {
    files: ['.claude/settings.local.json', '.claude/settings.json', '~/.claude/settings.json'],
    fix: 'switch third-party imports off in the settings of Cursor, unless you want other hooks of Claude Code there',
  },
  findings: ({ hooks }) =>
    hooks
      .filter(({ hook }) => own(hook, 'failClosed') !== true)
      .map(({ file, event }) =>
        finding('fails-open', `${file} lets calls pass on ${event} where the hook fails`, REINSTALL),
      ),
  // With failClosed all that is not a permission is a refusal.
  read: ({ stdout, exitCode }) =>
    exitCode === 0 && /^\s*\{\s*"permission"\s*:\s*"allow"/.test(stdout) ? 'passes' : 'refused',
};
