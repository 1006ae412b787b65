import { own } from '../../lib/json.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { finding, type HookAnswer, type Installation, type Machine, type TakenAs } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks of Antigravity, which have a name each, by its documents. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['agy', 'antigravity'],
    release: { newest: '1.4', args: ['--version'] },
    folder: ({ home }) => `${home}/.gemini/config`,
    guarding: ['before_tool'],
    dialect: { comments: false },
    at: ['policy'],
    place: (scope, machine) =>
      ({ user: userFile(machine), project: projectFile(machine), system: undefined })[scope],
    layers: (machine) => [userFile(machine), projectFile(machine)],
    group: { matcher: '*' },
    allTools: ['*', '', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    findings: (layers, hooks) =>
      layers
        .filter(({ path }) => hooks.some(({ file }) => file === path))
        .filter(({ settings }) => own(Object(settings['policy']), 'enabled') === false)
        .map(({ path }) =>
          finding('hook-disabled', `${path} switches this hook off (enabled)`, 'take it out'),
        ),
    read,
  });
}

function userFile({ home }: Machine): string {
  return `${home}/.gemini/config/hooks.json`;
}

function projectFile({ project }: Machine): string {
  return `${project}/.agents/hooks.json`;
}

function read({ stdout }: HookAnswer): TakenAs {
  return own(readLoosely(stdout), 'decision') === 'deny' ? 'refused' : 'passes';
}
