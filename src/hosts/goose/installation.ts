import { own } from '../../lib/json.ts';
import type { FoundConfiguration, HookGroups } from '../hook-groups.ts';
import { finding, type HookFinding, REINSTALL, readBy } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

const HOOKS = '.agents/plugins/policy/hooks/hooks.json';

/** Hooks of goose, in a plugin of their own that needs no manifest. */
export const installation: HookGroups = {
  programs: ['goose'],
  release: { newest: '1' },
  folder: '~/.config/goose',
  places: { user: `~/${HOOKS}`, project: HOOKS },
  // `*` is no regex, so goose passes over its group.
  allTools: ['.*'],
  usualTimeoutS: 30,
  findings: (found) => [
    ...(found.hooks.length === 0 ? [] : disabledFindings(found)),
    ...found.hooks
      .filter(({ hook, event }) => event === 'PreToolUse' && own(hook, 'on_failure') !== 'block')
      .map(({ file, event }) =>
        finding('fails-open', `${file} lets calls pass on ${event} where the hook fails`, REINSTALL),
      ),
  ],
  // With on_failure all that is no yes is a refusal.
  read: ({ stdout, exitCode }) =>
    exitCode === 0 && (stdout === '' || /^\{\s*"decision"\s*:\s*"allow"/.test(stdout)) ? 'passes' : 'refused',
};

/** Plugins by name that a person or a project has switched off. */
function disabledFindings({ files, at }: FoundConfiguration): readonly HookFinding[] {
  return ['~/.config/goose', '.config/goose']
    .flatMap((folder) => [at(`${folder}/settings.json`), at(`${folder}/settings.local.json`)])
    .filter((path) => {
      const disabled = own(readBy(path, files, readLoosely), 'disabledPlugins');
      return Array.isArray(disabled) && disabled.some((name) => /^policy(@|$)/.test(String(name)));
    })
    .map((path) =>
      finding(
        'hook-disabled',
        `${path} switches the plugin "policy" off (disabledPlugins)`,
        'take it out of that list',
      ),
    );
}
