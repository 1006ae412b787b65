import { own } from '../../lib/json.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { type Files, finding, type Installation, type Machine } from '../installation.ts';

const MANAGED = '/etc/github-copilot/policy.d/policy.json';

/** Hooks of Copilot CLI, in a file of their own, and what 1.0.102 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['copilot'],
    release: { newest: '1.0', args: ['--version'] },
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
    findings: (layers) =>
      layers
        .filter(({ settings }) => own(settings, 'disableAllHooks') === true)
        .map(({ path }) =>
          finding('hooks-off', `${path} switches its hooks off (disableAllHooks)`, 'take it out'),
        ),
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
