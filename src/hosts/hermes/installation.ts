import { isJsonObject, own, ownString } from '../../lib/json.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import {
  type Files,
  finding,
  type HookAnswer,
  type Installation,
  type Machine,
  type TakenAs,
  textOfOthers,
} from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks in the configuration of Hermes Agent, and what 0.19.0 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['hermes'],
    release: { newest: '0.19.0', args: ['--version'] },
    folder,
    guarding: ['before_tool'],
    dialect: { comments: true, yaml: true },
    at: ['hooks'],
    place: (scope, machine) => (scope === 'user' ? `${folder(machine)}/config.yaml` : undefined),
    layers: (machine) => [`${folder(machine)}/config.yaml`],
    bare: true,
    untyped: true,
    group: {},
    allTools: ['.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 60,
    findings: (layers, hooks, machine, files) => {
      const agreed = approvals(machine, files);
      const all = layers.some(({ settings }) => own(settings, 'hooks_auto_accept') === true);
      return hooks
        .filter(({ event, hook }) => !all && !agreed.has(`${event} ${ownString(hook, 'command')}`))
        .map(({ file, event }) =>
          finding(
            'untrusted-hook',
            `nobody has agreed to the hook on ${event} in ${file}, so Hermes Agent passes over it`,
            'start "hermes" in a terminal and agree, or once with --accept-hooks',
          ),
        );
    },
    read,
  });
}

/** What somebody has agreed to: events, and the lines to be started. */
function approvals(machine: Machine, files: Files): ReadonlySet<string> {
  const list = own(
    readLoosely(textOfOthers(`${folder(machine)}/shell-hooks-allowlist.json`, files)),
    'approvals',
  );
  return new Set(
    (Array.isArray(list) ? list : [])
      .filter(isJsonObject)
      .map((each) => `${ownString(each, 'event')} ${ownString(each, 'command')}`),
  );
}

/** Only words refuse in every version. */
function read({ stdout }: HookAnswer): TakenAs {
  return own(readLoosely(stdout), 'decision') === 'block' ? 'refused' : 'passes';
}

function folder({ env, home }: Machine): string {
  return env['HERMES_HOME'] ?? `${home}/.hermes`;
}
