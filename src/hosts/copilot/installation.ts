import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Files, Installation, Machine } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

const MANAGED = '/etc/github-copilot/policy.d/policy.json';

/** Hooks of Copilot CLI, in a file of their own, and what 1.0.102 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['copilot'],
    release: { newest: '1.0.102', args: ['--version'] },
    folder,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, machine) =>
      ({
        user: `${folder(machine)}/hooks/policy.json`,
        project: `${machine.project}/.github/hooks/policy.json`,
        system: MANAGED,
      })[scope],
    layers: (machine) => [
      `${folder(machine)}/hooks/policy.json`,
      `${machine.project}/.github/hooks/policy.json`,
      MANAGED,
    ],
    bare: true,
    group: {},
    allTools: ['*', '.*'],
    shell: ['bash', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    shared: {
      files: (machine, files) =>
        hookFiles([`${folder(machine)}/hooks`, `${machine.project}/.github/hooks`], files),
      fix: 'one of them is enough: policy uninstall --host vscode',
    },
    off: {
      key: 'disableAllHooks',
      files: (machine) => [
        `${folder(machine)}/settings.json`,
        `${folder(machine)}/config.json`,
        `${machine.project}/.github/copilot/settings.json`,
        `${machine.project}/.github/copilot/settings.local.json`,
      ],
    },
    // Its settings have comments, and its files of hooks have none.
    parse: (path, text) => (path.includes('/hooks/') || path === MANAGED ? undefined : readLoosely(text)),
    read: readExitCode,
  });
}

/** Every file of hooks in folders that Copilot CLI and VS Code read. */
export function hookFiles(folders: readonly string[], files: Files): readonly string[] {
  return folders.flatMap((at) =>
    files
      .names(at)
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${at}/${name}`),
  );
}

function folder({ env, home }: Machine): string {
  return env['COPILOT_HOME'] ?? `${home}/.copilot`;
}
