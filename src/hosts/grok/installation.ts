import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import {
  type Files,
  type Finding,
  finding,
  type Installation,
  type Machine,
  textOfOthers,
} from '../installation.ts';

/** Hooks of Grok Build, in a file of their own, and what 1.0.41 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['grok'],
    release: { newest: '1.0.41', args: ['--version'] },
    folder,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, machine) =>
      ({
        user: `${folder(machine)}/hooks/policy.json`,
        project: `${machine.project}/.grok/hooks/policy.json`,
        system: undefined,
      })[scope],
    layers: (machine) => [
      `${folder(machine)}/hooks/policy.json`,
      `${machine.project}/.grok/hooks/policy.json`,
    ],
    group: {},
    allTools: ['.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 5,
    shared: {
      files: ({ home, project }) =>
        [home, project].flatMap((at) => [`${at}/.claude/settings.json`, `${at}/.claude/settings.local.json`]),
      fix: 'nothing has to be done: it is answered in the form of Grok Build. [compat.claude] hooks = false in its config.toml spares the second hook',
    },
    findings: (_layers, _hooks, machine, files) => offFindings(machine, files),
    read: readExitCode,
  });
}

/** What switches the hook off: its name in a list, or a rule that only the hooks of an organization run. */
function offFindings(machine: Machine, files: Files): readonly Finding[] {
  const at = folder(machine);
  const list = `${at}/disabled-hooks`;
  const off = /^\s*"?(?:global|project)\/policy:/m.test(textOfOthers(list, files))
    ? [finding('hooks-off', `${list} switches this hook off`, 'take its lines out')]
    : [];
  const managed = ['managed_config', 'requirements']
    .flatMap((name) => [`${at}/${name}.toml`, `/etc/grok/${name}.toml`])
    .filter((path) =>
      /^[\s"]*allow_?managed_?hooks_?only"?\s*=(?!\s*false\b)/im.test(textOfOthers(path, files)),
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

function folder({ env, home }: Machine): string {
  return env['GROK_HOME'] ?? `${home}/.grok`;
}
