import type { FoundConfiguration, HookGroups } from '../hook-groups.ts';
import { finding, type HookFinding, readForeignText } from '../installation.ts';

/** Hooks of Grok Build, in a file of their own, as 1.0.41 reads them. */
export const installation: HookGroups = {
  programs: ['grok'],
  release: { newest: '1.0.41' },
  folder: '~/.grok',
  places: { user: '~/.grok/hooks/policy.json', project: '.grok/hooks/policy.json' },
  allTools: ['.*'],
  usualTimeoutS: 5,
  shared: {
    files: ['~/.claude', '.claude'].flatMap((at) => [`${at}/settings.json`, `${at}/settings.local.json`]),
    fix: 'nothing has to be done: it is answered in the form of Grok Build. [compat.claude] hooks = false in its config.toml spares the second hook',
  },
  findings: offFindings,
};

/** The name of the hook in a list switches it off, and so does a rule that only the hooks of an organization run. */
function offFindings({ files, at }: FoundConfiguration): readonly HookFinding[] {
  const list = at('~/.grok/disabled-hooks');
  const off = /^\s*"?(?:global|project)\/policy:/m.test(readForeignText(list, files))
    ? [finding('hooks-off', `${list} switches this hook off`, 'take its lines out')]
    : [];
  const managed = ['managed_config', 'requirements']
    .flatMap((name) => [at(`~/.grok/${name}.toml`), `/etc/grok/${name}.toml`])
    .filter((path) =>
      /^[\s"]*allow_?managed_?hooks_?only"?\s*=(?!\s*false\b)/im.test(readForeignText(path, files)),
    )
    .map((path) =>
      finding(
        'hooks-off',
        `${path} lets only the hooks of the organization run`,
        'take the line out, or ask your organization for the hook in /etc/grok/requirements.toml',
      ),
    );
  return [...off, ...managed];
}
