import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';

/** Hooks of agents in VS Code, in a file of their own in the folders that Copilot CLI reads as well. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['code', 'code-insiders'],
    release: { newest: '1', args: ['--version'] },
    folder: ({ home }) => `${home}/.vscode`,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({
        user: `${home}/.copilot/hooks/policy-vscode.json`,
        project: `${project}/.github/hooks/policy-vscode.json`,
        system: undefined,
      })[scope],
    layers: ({ home, project }) => [
      `${home}/.copilot/hooks/policy-vscode.json`,
      `${project}/.github/hooks/policy-vscode.json`,
    ],
    bare: true,
    group: {},
    allTools: ['*', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    read: readExitCode,
  });
}
