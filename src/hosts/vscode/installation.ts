import { hookFiles } from '../copilot/installation.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { type Files, type Installation, textOfOthers } from '../installation.ts';

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
    shared: {
      files: ({ home, project }, files) => [
        ...hookFiles([`${home}/.copilot/hooks`, `${project}/.github/hooks`], files),
        ...(readsClaudeHooks(home, files)
          ? [project, home].flatMap((at) =>
              ['.local', ''].map((kind) => `${at}/.claude/settings${kind}.json`),
            )
          : []),
      ],
      fix: 'one of them is enough: policy uninstall --host vscode',
    },
    read: readExitCode,
  });
}

/** Where VS Code keeps what a person has set. */
const PROFILES = ['.config', 'Library/Application Support', 'AppData/Roaming'].flatMap((at) => [
  `${at}/Code`,
  `${at}/Code - Insiders`,
]);

/** Not before a person has switched it on, in a file with comments and commas at the ends of lists. */
function readsClaudeHooks(home: string, files: Files): boolean {
  return PROFILES.some((at) =>
    /"chat\.useClaudeHooks"\s*:\s*true/.test(textOfOthers(`${home}/${at}/User/settings.json`, files)),
  );
}
