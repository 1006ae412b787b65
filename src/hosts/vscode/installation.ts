import { HOOK_FILES } from '../copilot/installation.ts';
import type { HookGroups } from '../hook-groups.ts';
import { type Files, readForeignText } from '../installation.ts';

/** Hooks of agents in VS Code, in a file of their own in the folders that Copilot CLI reads as well. */
export const installation: HookGroups = {
  programs: ['code', 'code-insiders'],
  release: { newest: '1' },
  folder: '~/.vscode',
  places: {
    user: '~/.copilot/hooks/policy-vscode.json',
    project: '.github/hooks/policy-vscode.json',
  },
  bare: true,
  usualTimeoutS: 30,
  shared: {
    files: ({ home }, files) => [...HOOK_FILES, ...(readsClaudeHooks(home, files) ? CLAUDE_FILES : [])],
    fix: 'one of them is enough: policy uninstall --host vscode',
  },
};

const CLAUDE_FILES = ['.claude', '~/.claude'].flatMap((at) => [
  `${at}/settings.local.json`,
  `${at}/settings.json`,
]);

/** VS Code keeps a person's settings in these folders. */
const PROFILES = ['.config', 'Library/Application Support', 'AppData/Roaming'].flatMap((at) => [
  `${at}/Code`,
  `${at}/Code - Insiders`,
]);

/** Not before a person has switched it on, in a file with comments and commas at the ends of lists. */
function readsClaudeHooks(home: string, files: Files): boolean {
  return PROFILES.some((at) =>
    /"chat\.useClaudeHooks"\s*:\s*true/.test(readForeignText(`${home}/${at}/User/settings.json`, files)),
  );
}
