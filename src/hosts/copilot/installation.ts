import type { HookGroups } from '../hook-groups.ts';
import { readLoosely } from '../json-configuration.ts';

const MANAGED = '/etc/github-copilot/policy.d/policy.json';

/** Every file of hooks in the folders that Copilot CLI and VS Code read. */
export const HOOK_FILES = ['~/.copilot/hooks/*.json', '.github/hooks/*.json'] as const;

/** Hooks of Copilot CLI, in a file of their own, as 1.0.102 reads them. */
export const installation: HookGroups = {
  programs: ['copilot'],
  release: { newest: '1.0.102' },
  folder: '~/.copilot',
  places: {
    user: '~/.copilot/hooks/policy.json',
    project: '.github/hooks/policy.json',
    system: MANAGED,
  },
  bare: true,
  shell: 'bash',
  usualTimeoutS: 30,
  shared: { files: HOOK_FILES, fix: 'one of them is enough: policy uninstall --host vscode' },
  off: {
    key: 'disableAllHooks',
    files: [
      '~/.copilot/settings.json',
      '~/.copilot/config.json',
      '.github/copilot/settings.json',
      '.github/copilot/settings.local.json',
    ],
  },
  // Its settings have comments, and its files of hooks have none.
  parse: (path, text) => (path.includes('/hooks/') || path === MANAGED ? undefined : readLoosely(text)),
};
