import { own } from '../../lib/json.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import {
  type Files,
  type Finding,
  finding,
  type Installation,
  type Machine,
  REINSTALL,
  readBy,
} from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

const HOOKS = '.agents/plugins/policy/hooks/hooks.json';

/** Hooks of goose, in a plugin of their own that needs no manifest. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['goose'],
    release: { newest: '1', args: ['--version'] },
    folder: ({ home }) => `${home}/.config/goose`,
    guarding: ['before_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, { home, project }) =>
      ({ user: `${home}/${HOOKS}`, project: `${project}/${HOOKS}`, system: undefined })[scope],
    layers: ({ home, project }) => [`${home}/${HOOKS}`, `${project}/${HOOKS}`],
    group: {},
    // `*` is no regex, and what it stands for is skipped.
    allTools: ['.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    findings: (_layers, hooks, machine, files) => [
      ...(hooks.length === 0 ? [] : disabledFindings(machine, files)),
      ...hooks
        .filter(({ hook, event }) => event === 'PreToolUse' && own(hook, 'on_failure') !== 'block')
        .map(({ file, event }) =>
          finding('fails-open', `${file} lets calls pass on ${event} where the hook fails`, REINSTALL),
        ),
    ],
    // With on_failure all that is no yes is a refusal.
    read: ({ stdout, exitCode }) =>
      exitCode === 0 && (stdout === '' || /^\{\s*"decision"\s*:\s*"allow"/.test(stdout))
        ? 'passes'
        : 'refused',
  });
}

/** Plugins by name that a person or a project has switched off. */
function disabledFindings({ home, project }: Machine, files: Files): readonly Finding[] {
  return [home, project]
    .flatMap((at) => ['settings.json', 'settings.local.json'].map((name) => `${at}/.config/goose/${name}`))
    .filter((path) => {
      const settings = readBy(path, files, (text) => readLoosely(text));
      const disabled = own(settings, 'disabledPlugins');
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
